import { expect, it } from '@jest/globals';
import { subjectOf } from './subject';

const of = (payment_id: number | null, shop_id: number | null, data: unknown) =>
  subjectOf({ payment_id, shop_id, request_body: typeof data === 'string' ? data : JSON.stringify({ data }) });

it.each([
  [7, 3, {}, 'payment 7 Payment 7'],
  [null, null, { flow_id: 2, flow_name: 'checkout' }, 'flow 2 flow checkout'],
  [null, null, { endpoint_id: 5 }, 'endpoint 5 endpoint 5'],
  [null, 3, { shop_name: 'Berlin' }, 'shop 3 shop Berlin'],
  [null, 3, 'no JSON', 'shop 3 shop 3'],
] as const)('subjectOf an event of payment %s and shop %s with %j is %s', (payment, shop, data, expected) => {
  const { type, id, text } = of(payment, shop, data)!;
  expect(`${type} ${id} ${text}`).toBe(expected);
});

it('subjectOf an event of the merchant is undefined', () => expect(of(null, null, {})).toBeUndefined());
