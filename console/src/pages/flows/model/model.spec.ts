import { describe, expect, it } from '@jest/globals';
import { counterexampleOf } from './counterexample';
import { formOfText } from './definition-text';
import { keepDraft, keptVersions, readDraft } from './kept-draft';
import { moved, placeAfterDrop } from './order';
import { withPath } from './paths';
import { FIRST_PAYMENT, simulationBody, withChange } from './simulated-payment';
import type { Definition } from './form';

const definition: Definition = { strategy: 'weighted', shops: [{ shop_id: 1, weight: 2 }] };

describe('the JSON of a definition', () => {
  it('becomes a form', () => {
    expect(formOfText(JSON.stringify(definition))).toMatchObject({ form: { strategy: 'weighted' } });
  });

  it.each([
    ['no JSON', '{', /^Not JSON/],
    ['no definition', '{}', /^A definition has/],
    [
      'a name that the form would lose',
      '{"strategy":"weighted","shops":[{"shop_id":1,"wieght":2}]}',
      /shops\[shop 1\]\.wieght/,
    ],
  ])('is refused when it is %s', (_, text, problem) => {
    expect(formOfText(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('the order of cards', () => {
  it.each([
    [0, 2, ['b', 'c', 'a']],
    [2, 0, ['c', 'a', 'b']],
    [1, 1, ['a', 'b', 'c']],
  ])('changes when %i goes to %i', (from, to, order) => {
    expect(moved(['a', 'b', 'c'], from, to)).toEqual(order);
  });

  it.each([
    [0, 1, true, 1],
    [0, 1, false, 0],
    [2, 0, false, 0],
    [2, 0, true, 1],
  ])('after %i is dropped on %i (behind: %s) is %i', (from, over, isBehind, to) => {
    expect(placeAfterDrop(from, over, isBehind)).toBe(to);
  });
});

describe('a path', () => {
  it('sets and removes what it leads to', () => {
    expect(withPath(definition, 'shops[0].conditions.min_amount', 5)).toEqual({
      strategy: 'weighted',
      shops: [{ shop_id: 1, weight: 2, conditions: { min_amount: 5 } }],
    });
    expect(withPath(definition, 'shops[0].weight', undefined).shops).toEqual([{ shop_id: 1 }]);
  });
});

describe('the payment of a simulation', () => {
  const bodyOf = (payment: typeof FIRST_PAYMENT) => simulationBody('checkout', definition, payment);

  it('leaves out what is empty', () => {
    expect(bodyOf({ ...FIRST_PAYMENT, country: '' })).toEqual({
      flow_name: 'checkout',
      definition,
      explain: true,
      amount: 100,
      currency: 'EUR',
    });
  });

  it('is not sent with metadata that are no object', () => {
    expect(bodyOf({ ...FIRST_PAYMENT, metadata: '[1]' })).toBeUndefined();
  });

  it('assumes nothing of shops that have left the flow', () => {
    const overrides = { shops: { 1: { healthy: false }, 9: { enabled: false } } };
    expect(bodyOf({ ...FIRST_PAYMENT, overrides })?.overrides).toEqual({ shops: { 1: { healthy: false } } });
  });

  it.each<[field: string, to: unknown, expected: object]>([
    ['amount', 500, { amount: 500 }],
    ['country', null, { country: '' }],
    ['customer_id', 7, { customerId: 7 }],
    ['at_counter', 3, { atCounter: 3 }],
    ['metadata.order.tier', 'gold', { metadata: '{"order":{"tier":"gold"}}' }],
    ['overrides.shops.1.enabled', false, { overrides: { shops: { 1: { enabled: false } } } }],
  ])('takes a change of %s', (field, to, expected) => {
    expect(withChange(FIRST_PAYMENT, field, to)).toEqual({ ...FIRST_PAYMENT, ...expected });
  });
});

it('the payment that breaks an assertion is read from its message', () => {
  const message = 'must never go to shop 1, but {"amount":1,"metadata":{"a":"}"}} can (max_attempts is {1})';
  expect(counterexampleOf(message)).toEqual({ amount: 1, metadata: { a: '}' } });
  expect(counterexampleOf('must be an integer')).toBeUndefined();
});

describe('unsaved changes', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };

  it('are kept for each version until they are saved', () => {
    const kept = { draft: definition, base: 1 };
    keepDraft(storage, 1, 2, kept);
    expect(readDraft(storage, 1, 2)).toEqual(kept);
    expect(readDraft(storage, 1, 3)).toBeUndefined();
    keepDraft(storage, 11, 4, kept);
    expect(keptVersions(storage, 1)).toEqual([2]);
    keepDraft(storage, 1, 2, undefined);
    expect(readDraft(storage, 1, 2)).toBeUndefined();
  });

  it('are not kept by a storage that is full, and nothing breaks', () => {
    const full = {
      ...storage,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    expect(() => keepDraft(full, 1, 2, { draft: definition, base: 1 })).not.toThrow();
  });
});
