import { describe, expect, it } from '@jest/globals';
import { adyenCharge } from '../../../test/support/providers/adyen-requests.js';
import { paymentRequest, readMethod } from './request.js';

const sent = (fields: Parameters<typeof adyenCharge>[1]) => {
  const request = adyenCharge('8416038790273850', fields);
  return paymentRequest(request, readMethod(request.paymentMethod)!, 1_000, 'ShopECOM') as Record<string, unknown>;
};
const berlin = { line1: '1 Example Street', city: 'Berlin', postalCode: '10115', country: 'DE' };

describe('paymentRequest', () => {
  it.each([
    ['no payer', {}, {}],
    ['an address', { ipAddress: '203.0.113.7' }, { shopperIP: '203.0.113.7' }],
    [
      'a whole billing address',
      { billingAddress: { ...berlin, line2: 'Flat 2', state: 'BE' } },
      {
        billingAddress: {
          ...{ street: '1 Example Street', houseNumberOrName: 'Flat 2', city: 'Berlin' },
          ...{ postalCode: '10115', stateOrProvince: 'BE', country: 'DE' },
        },
      },
    ],
    [
      'only a ZIP+4 code',
      { billingAddress: { postalCode: '94107-1234', country: 'US' } },
      {
        billingAddress: {
          ...{ street: 'NA', houseNumberOrName: 'NA', city: 'NA', postalCode: '94107', country: 'US' },
        },
      },
    ],
    [
      'only a city',
      { billingAddress: { city: 'Berlin' } },
      {
        billingAddress: {
          ...{ street: 'NA', houseNumberOrName: 'NA', city: 'Berlin', postalCode: 'NA', country: 'ZZ' },
        },
      },
    ],
  ])('sends of the payer, given %s', (_, payer, expected) => {
    const { shopperIP, billingAddress } = sent({ payer });
    expect({ shopperIP, billingAddress }).toEqual({ shopperIP: undefined, billingAddress: undefined, ...expected });
  });

  it.each([
    ['EXAMPLE 1001', 'EXAMPLE 1001'],
    ['A & B <shop> #7', 'A  B shop 7'],
    ['<>', undefined],
  ])('prints %s as %s', (statementDescriptor, expected) => {
    expect(sent({ statementDescriptor })['shopperStatement']).toBe(expected);
  });

  it.each([
    ['subscription', 'merchant', 'Subscription', 'MCC1'],
    ['unscheduled', 'merchant', 'UnscheduledCardOnFile', 'MCC1'],
    [undefined, 'merchant', 'UnscheduledCardOnFile', 'MCC1'],
    ['subscription', 'customer', 'CardOnFile', undefined],
  ] as const)('charges a stored card, agreement %s, by the %s, as %s', (agreement, initiator, model, reference) => {
    const request = sent({ initiator, ...(agreement && { agreement }), firstCharge: { networkTransactionId: 'MCC1' } });
    expect(request).toMatchObject({ recurringProcessingModel: model });
    expect((request['paymentMethod'] as Record<string, unknown>)['networkPaymentReference']).toBe(reference);
  });
});
