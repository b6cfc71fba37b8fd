import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isSameRollout, optionsText, parseRollout } from './rollout-options.js';

const CONDITION = { country: { equals: 'DE' } };
const openApi = JSON.parse(readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  components: { schemas: { Guardrail: { properties: Record<string, { minimum: number; maximum: number }> } } };
};
const GUARDRAIL = { max_drop_points: 2, min_payments: 100, confidence: 0.95 };

describe('parseRollout', () => {
  it('reads what the API takes, with its defaults', () => {
    expect(parseRollout({})).toBeUndefined();
    expect(parseRollout({ percent: '5' })).toEqual({ percent: 5, key: 'payment' });
    const when = JSON.stringify(CONDITION);
    expect(parseRollout({ percent: '0.25', key: 'customer', when, maxDropPoints: '2' })).toEqual({
      ...{ percent: 0.25, key: 'customer', when: CONDITION },
      guardrail: GUARDRAIL,
    });
  });

  it.each([
    [{ percent: '0' }, /^--percent: got '0', takes a number up to 100/],
    [{ key: 'customer' }, /^--key: got 'customer' without --percent, takes both$/],
    [{ when: '{}' }, /^--when: got '\{\}' without --percent/],
    [{ maxDropPoints: '2' }, /^--max-drop-points: got '2' without --percent/],
    [{ percent: '5', minPayments: '50' }, /^--min-payments: got '50' without --max-drop-points/],
    [{ percent: '5', confidence: '0.9' }, /^--confidence: got '0.9' without --max-drop-points/],
    [
      { percent: '5', when: 'DE' },
      /^--when: got 'DE', takes a condition .* as JSON, such as \{.*\}: when must be an obj/,
    ],
    [{ percent: '5', when: '{"land":{"equals":"DE"}}' }, /^--when: got .*: when\.land is not a known field/],
    [{ percent: '5', maxDropPoints: '2', minPayments: '20.5' }, /^--min-payments: got '20.5', takes a whole number/],
    [{ percent: '5', maxDropPoints: '2e1' }, /^--max-drop-points: got '2e1', takes a number from 0.1 to 50$/],
  ])('refuses %j', (typed, message) => {
    expect(() => parseRollout(typed)).toThrow(message);
  });

  it.each([
    ['max_drop_points', 'maxDropPoints', 0.001],
    ['min_payments', 'minPayments', 1],
    ['confidence', 'confidence', 0.0001],
  ] as const)('takes %s in the bounds of the API', (field, option, step) => {
    const { minimum, maximum } = openApi.components.schemas.Guardrail.properties[field]!;
    const parse = (value: number) => parseRollout({ percent: '5', maxDropPoints: '2', [option]: String(value) });
    for (const bound of [minimum, maximum]) expect(parse(bound)?.guardrail).toMatchObject({ [field]: bound });
    for (const outside of [minimum - step, maximum + step]) expect(() => parse(outside)).toThrow(/: got '/);
  });
});

it('isSameRollout compares everything except the percent', () => {
  const asked = { percent: 5, key: 'customer', when: CONDITION, guardrail: GUARDRAIL };
  const raised = { ...asked, percent: 50 };
  expect(isSameRollout(asked, raised)).toBe(true);
  expect(isSameRollout({ key: 'payment', when: {} }, { key: 'payment', when: null, guardrail: null })).toBe(true);
  for (const other of [{ key: 'payment' }, { when: null }, { guardrail: { ...GUARDRAIL, confidence: 0.9 } }]) {
    expect(isSameRollout(asked, { ...asked, ...other })).toBe(false);
  }
});

it('optionsText writes options that a shell reads back', () => {
  expect(optionsText({ key: 'payment', when: null, guardrail: null })).toBe('--key payment');
  const when = { 'metadata.name': { equals: "O'Hara" } };
  expect(optionsText({ key: 'customer', when, guardrail: GUARDRAIL })).toBe(
    String.raw`--key customer --when '{"metadata.name":{"equals":"O'\''Hara"}}' --max-drop-points 2 --min-payments 100 --confidence 0.95`,
  );
});
