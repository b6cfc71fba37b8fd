import { describe, expect, it } from '@jest/globals';
import { changeText } from './change-text.js';
import { heatMapOf, overallRate, strengthOf } from './heat-map.js';
import { fieldsOf, startOf, validApprovalsSearch } from './approvals-search.js';

const cell = (shop: number, scheme: string | null, country: string | null, attempts: number) => ({
  shop_id: shop,
  shop_name: `Shop ${shop}`,
  values: { 'card.scheme': scheme, country },
  attempts,
});

describe('heatMapOf', () => {
  it('makes a row per combination of values, in the order of the answer, and a column per shop, busiest first', () => {
    const cells = [cell(1, 'visa', 'DE', 5), cell(2, null, 'DE', 9), cell(2, 'visa', 'DE', 1)];
    const { shops, rows } = heatMapOf(cells, ['card.scheme', 'country']);
    expect(shops.map(({ id }) => id)).toEqual([2, 1]);
    expect(rows.map(({ values, cells: found }) => [values, [...found.keys()]])).toEqual([
      [
        ['visa', 'DE'],
        [1, 2],
      ],
      [[null, 'DE'], [2]],
    ]);
  });

  it('makes no rows without cells', () => {
    expect(heatMapOf([], ['country'])).toEqual({ shops: [], rows: [] });
  });
});

it('strengthOf grows with the difference up to ten points', () => {
  expect([0.5, 0.85, 0.9, 0.95, 1].map((rate) => Math.round(strengthOf(rate, 0.9) * 10) / 10)).toEqual([
    -1, -0.5, 0, 0.5, 1,
  ]);
});

it('overallRate weighs cells by their outcomes', () => {
  const outcomes = [
    { approved: 90, declined: 10, failed: 0 },
    { approved: 0, declined: 0, failed: 100 },
  ];
  expect([overallRate(outcomes), overallRate([])]).toEqual([0.45, 0]);
});

it('changeText says in which direction', () => {
  expect([-0.129, 0.02, -0.0001].map(changeText)).toEqual(['▼ -12.9', '▲ +2', '±0']);
});

describe('the parameters of the page', () => {
  it('keep what is valid', () => {
    const search = {
      by: 'country',
      and: 'card.bin',
      period: '7d',
      order: 'change',
      cell: '3',
      value: 'DE',
      and_value: 41111,
    };
    expect(validApprovalsSearch(search)).toEqual({ ...search, cell: 3, and_value: '41111' });
    expect(validApprovalsSearch({ by: 'no', and: 'card.scheme', period: '9d', from: 'x', order: 1, cell: -1 })).toEqual(
      {},
    );
    expect(validApprovalsSearch({ cell: 3 })).toEqual({ cell: 3, value: '' });
  });

  it('name a beginning at a whole hour', () => {
    const now = Date.parse('2026-11-27T10:20:00Z');
    expect(startOf({ period: '3d' }, now)).toBe('2026-11-24T11:00:00.000Z');
    expect(startOf({ from: '2026-11-24T00:00:00.000Z' }, now)).toBe('2026-11-24T00:00:00.000Z');
    expect(startOf({}, now)).toBeUndefined();
  });

  it('name one or two fields', () => {
    expect([fieldsOf({}), fieldsOf({ by: 'country', and: 'card.bin' })]).toEqual([
      ['card.scheme'],
      ['country', 'card.bin'],
    ]);
  });
});
