import { describe, expect, it } from '@jest/globals';
import type { Initiator } from '@payment-orchestrator/provider-kit';
import { scenarioOf } from './token.js';

const DECLINED = { outcome: 'declined', declineCode: 'authentication_required' };
const UNUSABLE = { outcome: 'soft_declined', declineCode: 'payment_method_unusable' };

describe('scenarioOf', () => {
  it.each<[string, Initiator | undefined, Record<string, unknown>, object]>([
    ['tok_requires_action', 'merchant', {}, DECLINED],
    ['tok_provider_action', 'merchant', {}, DECLINED],
    ['tok_success', 'merchant', { simulate: 'tok_requires_action' }, DECLINED],
    ['tok_requires_action', 'customer', {}, { outcome: 'processing', asksPayer: 'redirect' }],
    ['tok_requires_action', undefined, {}, { outcome: 'processing', asksPayer: 'redirect' }],
    ['tok_success', 'merchant', {}, { outcome: 'approved' }],
    ['tok_async_success', 'merchant', {}, { outcome: 'processing' }],
    ['tok_requires_action@eu', 'merchant', {}, UNUSABLE],
    ['tok_success@eu', undefined, { account: 'eu' }, { outcome: 'approved' }],
    ['tok_success', undefined, { account: 'eu' }, UNUSABLE],
    ['tok_success@eu', undefined, { any_token: true }, { outcome: 'approved' }],
  ])('%s, with initiator %s and credentials %j, is %j', (token, initiator, credentials, expected) => {
    expect(scenarioOf(token, credentials, initiator)).toMatchObject(expected);
  });
});
