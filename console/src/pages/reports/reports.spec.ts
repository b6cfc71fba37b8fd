import { describe, expect, it } from '@jest/globals';
import { mainCurrency, shopFigures, valuesOf } from './figures';
import { daysBefore, daysOf, todayIn, validReportsSearch } from './reports-search';

describe('the days of a report', () => {
  it.each([
    [{}, { from: '2026-12-01', to: '2026-12-05' }, { from: '2026-11-26', to: '2026-11-30' }],
    [{ period: 'last-month' }, { from: '2026-11-01', to: '2026-11-30' }, { from: '2026-10-02', to: '2026-10-31' }],
    [{ period: '7d' }, { from: '2026-11-29', to: '2026-12-05' }, { from: '2026-11-22', to: '2026-11-28' }],
    [{ period: 'custom', from: '2026-03-01' }, { from: '2026-03-01', to: '2026-12-05' }, undefined],
  ] as const)('%j', (search, days, before) => {
    expect(daysOf(search, '2026-12-05')).toEqual(days);
    if (before) expect(daysBefore(days)).toEqual(before);
  });

  it('Today is a day of the time zone', () => {
    const late = new Date('2026-11-30T23:30:00Z');
    expect([todayIn('UTC', late), todayIn('Europe/Berlin', late), todayIn('Nowhere/At_All', late)]).toEqual([
      '2026-11-30',
      '2026-12-01',
      '2026-11-30',
    ]);
  });
});

it('The search of reports leaves out what it does not know', () => {
  const known = {
    report: 'fees',
    period: 'custom',
    from: '2026-11-01',
    interval: 'week',
    time_zone: 'Europe/Berlin',
    shop_id: 3,
    currency: 'EUR',
  };
  expect(validReportsSearch({ ...known, to: 'yesterday', more: 1 })).toEqual(known);
  expect(
    validReportsSearch({
      report: 'profits',
      period: '7d',
      from: '2026-11-01',
      interval: 'hour',
      shop_id: -1,
      currency: 'eur',
    }),
  ).toEqual({ period: '7d' });
});

describe('the figures of a report', () => {
  const sum = (period: string, shop_id: number, currency: string, count: number, amount: string) =>
    ({ period, shop_id, shop: `Shop ${shop_id}`, currency, count, amount }) as const;
  const base = {
    from: '2026-11-01',
    to: '2026-11-03',
    time_zone: 'UTC',
    interval: 'day' as const,
    periods: ['2026-11-01', '2026-11-02', '2026-11-03'],
  };
  const report = {
    ...base,
    sums: [
      sum('2026-11-01', 1, 'EUR', 2, '10.50'),
      sum('2026-11-01', 2, 'EUR', 3, '4.50'),
      sum('2026-11-03', 1, 'USD', 4, '9.00'),
    ],
  };

  it('Sums are by period and by shop', () => {
    expect(mainCurrency(report)).toBe('EUR');
    expect(valuesOf('captures', report, 'EUR')).toEqual([15, 0, 0]);
    const before = { ...base, sums: [sum('2026-10-29', 3, 'EUR', 1, '1.00')] };
    expect(
      shopFigures('captures', report, before).map(({ shopId, currency, now, before: then }) => [
        shopId,
        currency,
        now.value,
        then.value,
      ]),
    ).toEqual([
      [1, 'USD', 9, 0],
      [2, 'EUR', 4.5, 0],
      [1, 'EUR', 10.5, 0],
      [3, 'EUR', 0, 1],
    ]);
  });

  it('Rates are of all periods together', () => {
    const rates = {
      ...base,
      sums: [
        { period: '2026-11-01', shop_id: 1, shop: 'Shop 1', count: 10, approved: 8, declined: 2, failed: 0 },
        { period: '2026-11-02', shop_id: 1, shop: 'Shop 1', count: 90, approved: 45, declined: 40, failed: 5 },
      ],
    };
    expect(valuesOf('approvals', rates, undefined)).toEqual([0.8, 0.5, null]);
    expect(shopFigures('approvals', rates, undefined)[0]!.now).toEqual({ count: 100, value: 0.53 });
  });
});
