import { describe, expect, it } from '@jest/globals';
import { counterexampleOf, violationOf } from './counterexample';
import { formOfText } from './definition-text';
import { keepDraft, keptVersions, readDraft } from './kept-draft';
import { moved, placeAfterDrop } from './order';
import { NO_METHOD } from './method-form';
import { withPath } from './paths';
import { FIRST_PAYMENT, simulationBody, withChange } from './simulated-payment';
import type { Definition } from './form';

const definition: Definition = { strategy: 'weighted', shops: [{ shop_id: 1, weight: 2 }] };

describe('formOfText', () => {
  it('converts JSON to a form', () => {
    expect(formOfText(JSON.stringify(definition))).toMatchObject({ form: { strategy: 'weighted' } });
  });

  it.each([
    ['a text that is not JSON', '{', /^Not JSON/],
    ['JSON that is not a definition', '{}', /^A definition needs/],
    [
      'a name that the form would lose',
      '{"strategy":"weighted","shops":[{"shop_id":1,"wieght":2}]}',
      /shops\[shop 1\]\.wieght/,
    ],
  ])('refuses %s', (_, text, problem) => {
    expect(formOfText(text)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('moved and placeAfterDrop', () => {
  it.each([
    [0, 2, ['b', 'c', 'a']],
    [2, 0, ['c', 'a', 'b']],
    [1, 1, ['a', 'b', 'c']],
  ])('moves item %i to %i', (from, to, order) => {
    expect(moved(['a', 'b', 'c'], from, to)).toEqual(order);
  });

  it.each([
    [0, 1, true, 1],
    [0, 1, false, 0],
    [2, 0, false, 0],
    [2, 0, true, 1],
  ])('place item %i, dropped on %i (behind: %s), at %i', (from, over, isBehind, to) => {
    expect(placeAfterDrop(from, over, isBehind)).toBe(to);
  });
});

describe('withPath', () => {
  it('sets and removes a value', () => {
    expect(withPath(definition, 'shops[0].conditions.min_amount', 5)).toEqual({
      strategy: 'weighted',
      shops: [{ shop_id: 1, weight: 2, conditions: { min_amount: 5 } }],
    });
    expect(withPath(definition, 'shops[0].weight', undefined).shops).toEqual([{ shop_id: 1 }]);
  });
});

describe('the payment of a simulation', () => {
  const bodyOf = (payment: typeof FIRST_PAYMENT) => simulationBody('checkout', definition, payment, true);

  it('omits empty fields', () => {
    expect(bodyOf({ ...FIRST_PAYMENT, country: '' })).toEqual({
      flow_name: 'checkout',
      definition,
      explain: true,
      amount: 100,
      currency: 'EUR',
    });
  });

  it('returns no body for metadata that are not an object', () => {
    expect(bodyOf({ ...FIRST_PAYMENT, metadata: '[1]' })).toBeUndefined();
  });

  it('drops assumptions about shops that were removed from the flow', () => {
    const overrides = { shops: { 1: { healthy: false }, 9: { enabled: false } } };
    expect(bodyOf({ ...FIRST_PAYMENT, overrides })?.overrides).toEqual({ shops: { 1: { healthy: false } } });
  });

  it.each<[field: string, to: unknown, expected: object]>([
    ['amount', 500, { amount: 500 }],
    ['country', null, { country: '' }],
    ['customer_id', 7, { customerId: 7 }],
    ['at_counter', 3, { atCounter: 3 }],
    ['payment_method.type', 'card', { method: { ...NO_METHOD, type: 'card' } }],
    [
      'payment_method.options',
      [{ provider: 'sandbox', account: 'eu' }],
      { method: { ...NO_METHOD, options: [{ key: expect.any(String), provider: 'sandbox', account: 'eu' }] } },
    ],
    ['payment_method.card.scheme', 'visa', { method: { ...NO_METHOD, scheme: 'visa' } }],
    ['metadata.order.tier', 'gold', { metadata: '{"order":{"tier":"gold"}}' }],
    ['overrides.shops.1.enabled', false, { overrides: { shops: { 1: { enabled: false } } } }],
  ])('applies a change of %s', (field, to, expected) => {
    expect(withChange(FIRST_PAYMENT, field, to)).toEqual({ ...FIRST_PAYMENT, ...expected });
  });
});

it('counterexampleOf reads the payment from the message about an assertion', () => {
  const message = 'must never go to shop 1, but {"amount":1,"metadata":{"a":"}"}} can (max_attempts is {1})';
  expect(counterexampleOf(message)).toEqual({ amount: 1, metadata: { a: '}' } });
  expect(counterexampleOf('must be an integer')).toBeUndefined();
});

describe('violationOf', () => {
  const nameOf = (id: number): string => `Shop ${id} of Berlin`;

  it('names the shop and the fields of the payment', () => {
    const payment = '{"amount":1,"currency":"EUR","payment_method":{"card":{"bin":"41"},"options":[{"provider":"x"}]}}';
    expect(violationOf(`must never go to shop 1, but ${payment} can`, nameOf)).toMatchObject({
      claim: 'must never go to Shop 1 of Berlin, but a payment can',
      facts: ['amount 1', 'currency EUR', 'payment_method.card.bin 41', 'payment_method.options [{"provider":"x"}]'],
      payment: { amount: 1, currency: 'EUR' },
    });
  });

  it('keeps a message without a payment', () => {
    const message = 'could not be checked within 1000 steps';
    expect(violationOf(message, nameOf)).toEqual({ claim: message, facts: [], payment: undefined });
  });
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

  it('stay for each version until they are saved', () => {
    const kept = { draft: definition, base: 1 };
    keepDraft(storage, 1, 2, kept);
    expect(readDraft(storage, 1, 2)).toEqual(kept);
    expect(readDraft(storage, 1, 3)).toBeUndefined();
    keepDraft(storage, 11, 4, kept);
    expect(keptVersions(storage, 1)).toEqual([2]);
    keepDraft(storage, 1, 2, undefined);
    expect(readDraft(storage, 1, 2)).toBeUndefined();
  });

  it('get lost without an error when the storage is full', () => {
    const full = {
      ...storage,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    expect(() => keepDraft(full, 1, 2, { draft: definition, base: 1 })).not.toThrow();
  });
});
