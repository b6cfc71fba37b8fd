import { describe, expect, it } from '@jest/globals';
import { type Line, moneyText, timeText, titleOf, toneOf } from './to-do-text';

const NOW = Date.UTC(2026, 10, 21);
const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();
const line = (kind: Line['kind'], fields: Partial<Line> = {}): Line => ({
  ...{ kind, count: 1, since: null, until: null, amounts: [], shop: null, approvals: null, flow: null },
  link: { path: '/', query: {} },
  ...fields,
});
const SHOP = { id: 3, name: 'Berlin' };
const RATES = { card_scheme: 'visa', approval_rate: 0.71, approval_rate_before: 0.92, attempts: 200 };

describe('titleOf', () => {
  it.each([
    [line('evidence_overdue'), '1 dispute is overdue'],
    [line('lapses_in_24_hours', { count: 1_200 }), '1,200 authorisations lapse within 24 hours'],
    [line('alarms', { count: 10_000 }), '10,000 or more alarms of providers'],
    [line('shop_down', { shop: SHOP }), 'Shop Berlin is down'],
    [line('approvals_fell', { shop: SHOP, approvals: RATES }), 'Approvals of visa fell at Berlin from 92 % to 71 %'],
    [
      line('approvals_fell', { shop: SHOP, approvals: { ...RATES, card_scheme: null } }),
      'Approvals fell at Berlin from 92 % to 71 %',
    ],
    [
      line('approval_waiting', { flow: { id: 2, name: 'checkout', version: 5 } }),
      'Version 5 of flow checkout needs your approval',
    ],
  ])('%j is %s', (each, title) => expect(titleOf(each)).toBe(title));
});

describe('timeText and toneOf', () => {
  it.each<[Partial<Line>, string, string]>([
    [{ until: inHours(5) }, 'in 5 hours', 'bad'],
    [{ until: inHours(49), count: 2 }, 'first in 2 days', 'warn'],
    [{ until: inHours(-2) }, 'for 2 hours', 'bad'],
    [{ since: inHours(-25) }, 'for 1 day', 'bad'],
    [{}, '', 'bad'],
  ])('%j is %s, %s', (fields, text, tone) => {
    const each = line('evidence_due', fields);
    expect([timeText(each, NOW), toneOf(each, NOW)]).toEqual([text, tone]);
  });
});

it('moneyText adds no currencies', () => {
  const amounts = [
    { currency: 'EUR', amount: 1_249.5 },
    { currency: 'JPY', amount: 100 },
  ];
  expect(moneyText(line('alarms', { amounts })).replaceAll('\u00a0', ' ')).toBe('EUR 1,249.50 + JPY 100');
});
