import { describe, expect, it } from '@jest/globals';
import type { Stripe } from 'stripe';
import { chargeRequest } from '../../../test/support/providers/stripe-requests.js';
import { createCharge } from './intents.js';

async function sent(fields: Parameters<typeof chargeRequest>[0]): Promise<Record<string, unknown>> {
  let params: object = {};
  const create = (given: object) => Promise.resolve((params = given));
  const stripe = { paymentIntents: { create } } as unknown as Stripe;
  await createCharge(stripe, { ...chargeRequest(fields), method: 'pm_card_visa' }, 1_000);
  return { ...params };
}

describe('createCharge', () => {
  it.each([
    ['EXAMPLE 1001', 'card', { statement_descriptor_suffix: 'EXAMPLE 1001' }],
    ['EXAMPLE 1001', undefined, { statement_descriptor_suffix: 'EXAMPLE 1001' }],
    ["O'Brien*1", 'card', { statement_descriptor_suffix: 'OBrien1' }],
    ['1001', 'card', {}],
    ['EXAMPLE 1001', 'sepa_debit', { statement_descriptor: 'EXAMPLE 1001' }],
    ['ABC', 'sepa_debit', {}],
  ])('prints %s on the statement of %s', async (statementDescriptor, type, expected) => {
    const paymentMethod = { token: 'pm_card_visa', ...(type !== undefined && { type }) };
    const params = await sent({ statementDescriptor, paymentMethod });
    const printed = Object.entries(params).filter(([name]) => name.startsWith('statement_descriptor'));
    expect(Object.fromEntries(printed)).toEqual(expected);
  });

  it.each([
    ['merchant', 'subscription', 'recurring'],
    ['merchant', 'unscheduled', 'one_off'],
    ['merchant', undefined, true],
    ['customer', 'subscription', undefined],
  ] as const)('charges by the %s, agreement %s, as off_session %s', async (initiator, agreement, expected) => {
    expect((await sent({ initiator, ...(agreement && { agreement }) }))['off_session']).toBe(expected);
  });
});
