import { describe, expect, it } from '@jest/globals';
import { customerText, methodText, orderOf, remarksOf } from './list-texts';

const AMOUNTS = { status: 'completed', amount_refunded: 0, disputed_amount: 0 } as const;
const CUSTOMER = { id: 7, email: 'ada@example.com', reference: 'user-7' };

describe('the list of payments', () => {
  it.each([
    [{ order_id: 'A-1', order: 'B' }, 'A-1'],
    [{ order: 1001 }, '1001'],
    [{ order_id: { no: 1 } }, undefined],
    [{}, undefined],
  ])('orderOf %j is %s', (metadata, expected) => expect(orderOf({ metadata })).toBe(expected));

  it.each([
    [{ ...CUSTOMER, full_name: 'Ada L', first_name: 'Ada' }, 'Ada L'],
    [{ ...CUSTOMER, first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace'],
    [CUSTOMER, 'ada@example.com'],
    [{ id: 7, reference: 'user-7' }, 'user-7'],
    [{ id: 7 }, 'Customer 7'],
    [null, undefined],
  ])('customerText of %j is %s', (customer, expected) => expect(customerText({ customer })).toBe(expected));

  it.each([
    [{ type: 'card', card: { scheme: 'visa', last4: '1111' } }, 'visa •••• 1111'],
    [{ type: 'card', card: { last4: '1111' } }, '•••• 1111'],
    [{ type: 'ideal' }, 'ideal'],
    [null, undefined],
  ])('methodText of %j is %s', (method, expected) =>
    expect(methodText({ payment_method: method } as never)).toBe(expected),
  );

  it.each([
    [{}, []],
    [{ amount_refunded: 10 }, ['partly refunded']],
    [{ status: 'refunded', amount_refunded: 50 }, []],
    [{ amount_refunded: 10, disputed_amount: 5 }, ['partly refunded', 'disputed']],
  ] as const)('remarksOf %j are %j', (changed, expected) =>
    expect(remarksOf({ ...AMOUNTS, ...changed })).toEqual(expected),
  );
});
