import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { ACTIONS, consequences, obstacle, resultOf } from './actions';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

const payment = (status: Payment['status'], webhook_endpoint: string | null = null): Payment =>
  ({ status, webhook_endpoint, payment_provider: 'sandbox', shop: { id: 1, name: 'Berlin' } }) as Payment;
const operation = (kind: Operation['kind'], state: Operation['state']): Operation => ({ kind, state }) as Operation;

const possible = (status: Payment['status'], operations: Operation[] = []) =>
  ACTIONS.filter((action) => obstacle(action, payment(status), operations) === undefined);

describe('obstacle', () => {
  it.each([
    ['pending', ['cancel']],
    ['processing', ['cancel']],
    ['completed', ['refund']],
    ['failed', []],
    ['cancelled', []],
    ['refunded', []],
  ] as const)('permits for a %s payment: %j', (status, actions) => {
    expect(possible(status)).toEqual(actions);
  });

  it('permits a sync while an operation is open', () => {
    for (const state of ['open', 'unknown', 'pending'] as const)
      expect(possible('failed', [operation('charge', state)])).toEqual(['sync']);
    expect(possible('failed', [operation('charge', 'refused'), operation('void', 'confirmed')])).toEqual([]);
  });

  it('refuses a second void or refund while one is running', () => {
    expect(possible('processing', [operation('void', 'pending')])).toEqual(['sync']);
    expect(possible('completed', [operation('refund', 'unknown')])).toEqual(['sync']);
    expect(possible('completed', [operation('refund', 'refused')])).toEqual(['refund']);
  });
});

describe('the texts of an action', () => {
  it('name the effect, the amount, the provider and the webhook', () => {
    const text = consequences('refund', payment('completed', 'https://m.example/hook'), 'EUR 5.00').join(' ');
    for (const part of ['sandbox (Berlin)', 'EUR 5.00', 'refunded', 'https://m.example/hook'])
      expect(text).toContain(part);
  });

  it('differ for cancelling a pending and a processing payment', () => {
    expect(consequences('cancel', payment('pending'), '')[0]).toContain('immediately');
    expect(consequences('cancel', payment('processing'), '').join()).toContain('when the provider confirms');
  });

  it('describe the result', () => {
    expect(resultOf('refund', 'completed', 'refunded')).toContain('now refunded');
    expect(resultOf('refund', 'completed', 'completed')).toContain('remains completed');
    expect(resultOf('sync', 'processing', 'processing')).toContain('still processing');
  });
});
