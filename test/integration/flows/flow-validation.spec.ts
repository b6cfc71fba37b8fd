import { describe, expect, it } from '@jest/globals';
import { type Caller, type ProblemBody, withFlows } from './flows-harness.js';

let call: Caller;
let alpha: number;
let beta: number;

// the bodies name shop 1, which is the merchant's
withFlows((flows) => ({ call, alpha, beta } = flows), {});

let flowsMade = 0;
const aFlowBody = (changes: Record<string, unknown> = {}) => ({
  name: `flow ${++flowsMade}`,
  strategy: 'round_robin',
  shops: [{ shop_id: alpha }, { shop_id: beta }],
  ...changes,
});

describe('validation', () => {
  const conditionsOf = (conditions: unknown) => ({ shops: [{ shop_id: 1, conditions }] });
  const fieldsOf = async (method: 'POST' | 'PATCH', url: string, body: unknown) => {
    const answer = await call<ProblemBody>(method, url, body);
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    return answer.body.errors.map(({ field }) => field);
  };

  const BAD_FLOWS: [string, Record<string, unknown>, string][] = [
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name over two lines', { name: 'a\nb' }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['no strategy', { strategy: undefined }, 'strategy'],
    ['an unknown strategy', { strategy: 'dice' }, 'strategy'],
    ['a strategy by the name of a method', { strategy: 'toString' }, 'strategy'],
    ['no shops', { shops: undefined }, 'shops'],
    ['an empty list of shops', { shops: [] }, 'shops'],
    ['shops that are text', { shops: 'alpha' }, 'shops'],
    ['301 shops', { shops: Array.from({ length: 301 }, (_, index) => ({ shop_id: index + 1 })) }, 'shops'],
    ['a shop that is a list', { shops: [[{ shop_id: 1 }]] }, 'shops[0]'],
    ['a shop without id', { shops: [{}] }, 'shops[0].shop_id'],
    ['a shop id that is text', { shops: [{ shop_id: '1' }] }, 'shops[0].shop_id'],
    ['a shop id of 0', { shops: [{ shop_id: 0 }] }, 'shops[0].shop_id'],
    ['a shop id beyond 2^53', { shops: [{ shop_id: 2 ** 60 }] }, 'shops[0].shop_id'],
    ['a negative priority', { shops: [{ shop_id: 1, priority: -1 }] }, 'shops[0].priority'],
    ['a priority above a million', { shops: [{ shop_id: 1, priority: 1_000_001 }] }, 'shops[0].priority'],
    ['a weight of 0', { shops: [{ shop_id: 1 }, { shop_id: 2, weight: 0 }] }, 'shops[1].weight'],
    ['a weight above a million', { shops: [{ shop_id: 1, weight: 1_000_001 }] }, 'shops[0].weight'],
    ['a fractional weight', { shops: [{ shop_id: 1, weight: 1.5 }] }, 'shops[0].weight'],
    ['enabled that is text', { shops: [{ shop_id: 1, enabled: 'yes' }] }, 'shops[0].enabled'],
    ['an unknown field of a shop', { shops: [{ shop_id: 1, colour: 'red' }] }, 'shops[0].colour'],
    ['conditions that are a list', conditionsOf([]), 'shops[0].conditions'],
    ['an unknown condition', conditionsOf({ weekday: 1 }), 'shops[0].conditions.weekday'],
    ['an unknown currency', conditionsOf({ currencies: ['USD', 'ZZZ'] }), 'shops[0].conditions.currencies'],
    ['an empty list of currencies', conditionsOf({ currencies: [] }), 'shops[0].conditions.currencies'],
    ['a currency twice', conditionsOf({ currencies: ['USD', 'USD'] }), 'shops[0].conditions.currencies'],
    ['currencies that are text', conditionsOf({ currencies: 'USD' }), 'shops[0].conditions.currencies'],
    ['a country in small letters', conditionsOf({ countries: ['de'] }), 'shops[0].conditions.countries'],
    ['an unknown country', conditionsOf({ countries: ['ZZ'] }), 'shops[0].conditions.countries'],
    ['a negative minimum amount', conditionsOf({ min_amount: -1 }), 'shops[0].conditions.min_amount'],
    ['a minimum amount that is text', conditionsOf({ min_amount: '1' }), 'shops[0].conditions.min_amount'],
    ['a tiny maximum amount', conditionsOf({ max_amount: 1e-7 }), 'shops[0].conditions.max_amount'],
    [
      'a maximum amount below the minimum',
      conditionsOf({ min_amount: 2, max_amount: 1 }),
      'shops[0].conditions.max_amount',
    ],
    ['a shop twice', { shops: [{ shop_id: 1 }, { shop_id: 1 }] }, 'shops[1].shop_id'],
    ['an unknown shop', { shops: [{ shop_id: 999_999 }] }, 'shops[0].shop_id'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['the id', { id: 7 }, 'id'],
  ];

  it.each(BAD_FLOWS)('refuses to create a flow with %s', async (_, changes, field) => {
    expect(await fieldsOf('POST', '/flows', aFlowBody(changes))).toEqual([field]);
  });

  it.each(BAD_FLOWS.filter(([what]) => !/^no /.test(what)))(
    'refuses to change a flow to %s',
    async (_, changes, field) => {
      const { body } = await call<{ data: { id: number } }>('POST', '/flows', aFlowBody());
      expect(await fieldsOf('PATCH', `/flows/${body.data.id}`, changes)).toEqual([field]);
    },
  );

  it.each([
    [{}, ['shops', 'shops.shop_id']],
    [[null], ['shops[0]']],
    [
      [{ shop_id: 1 }, 2, 'x'],
      ['shops[1]', 'shops[2]'],
    ],
  ])('names the list or the items that are no objects: %j', async (shops, fields) => {
    expect(await fieldsOf('POST', '/flows', aFlowBody({ shops }))).toEqual(fields);
  });

  it('names every invalid field at once', async () => {
    const body = aFlowBody({ name: '', strategy: 'dice', shops: [{ shop_id: 1, weight: 0, priority: -1 }] });
    expect(await fieldsOf('POST', '/flows', body)).toEqual([
      'name',
      'strategy',
      'shops[0].priority',
      'shops[0].weight',
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no flow name', { flow_name: undefined }, 'flow_name'],
    ['a flow name that is a number', { flow_name: 7 }, 'flow_name'],
    ['an empty flow name', { flow_name: '' }, 'flow_name'],
    ['an amount that is text', { amount: '100' }, 'amount'],
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['an amount with more decimals than the currency has', { amount: 1.5, currency: 'JPY' }, 'amount'],
    ['a currency of four letters', { currency: 'USDT' }, 'currency'],
    ['an unknown currency', { currency: 'ZZZ' }, 'currency'],
    ['a currency in small letters', { currency: 'usd' }, 'currency'],
    ['a currency by the name of a method', { currency: 'constructor' }, 'currency'],
    ['a country of three letters', { country: 'DEU' }, 'country'],
    ['an unknown country', { country: 'ZZ' }, 'country'],
    ['a country in small letters', { country: 'de' }, 'country'],
    ['a customer id that is text', { customer_id: '7' }, 'customer_id'],
    ['a customer id of 0', { customer_id: 0 }, 'customer_id'],
    ['metadata that are a list', { metadata: [] }, 'metadata'],
    ['metadata of more than 16 KiB', { metadata: { text: 'x'.repeat(16_384) } }, 'metadata'],
    ['simple that is text', { simple: 'true' }, 'simple'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('refuses to simulate with %s', async (_, changes, field) => {
    expect(await fieldsOf('POST', '/flows/simulate', { flow_name: 'any', ...changes })).toEqual([field]);
  });

  it('refuses a simulation without a body', async () => {
    expect((await call('POST', '/flows/simulate')).status).toBe(422);
  });

  it.each(['0', '-1', '1.5', 'abc', '99999999999999999'])('refuses %s as an id', async (id) => {
    expect((await call('GET', `/flows/${id}`)).status).toBe(400);
  });

  it('stops at the maximum number of shops in a large body', async () => {
    const shops = Array<object>(80_000).fill({});
    expect(await fieldsOf('POST', '/flows', aFlowBody({ shops }))).toEqual(['shops']);
    expect(await fieldsOf('POST', '/flows', aFlowBody({ shops: shops.slice(0, 8_000) }))).toHaveLength(50);
  });
});
