import { describe, expect, it } from '@jest/globals';
import { formatFlowFile, parseFlowFile } from './flow-file.js';
import { canonical, named, withIds } from './named-definition.js';

const NAMES = new Map([
  [1, 'Berlin'],
  [2, 'Paris'],
]);
/** As the API answers it, with all defaults. */
const SERVED = {
  strategy: 'rules',
  shops: [
    { shop_id: 1, priority: 1, weight: 3, enabled: true, conditions: { currencies: ['EUR'] } },
    { shop_id: 2, priority: 1, weight: 1, enabled: true, conditions: {} },
  ],
  rules: [
    { when: { country: { equals: 'NO' } }, use: { shops: [2], strategy: 'priority' } },
    { when: { amount: { min: 5000 } }, decline: { message: 'too much', code: 'limit' } },
  ],
  default: { shops: [1, 2], strategy: 'weighted' },
  max_attempts: 1,
  assertions: [{ when: {}, never: 2 }],
};
const TEXT = `flows:
  checkout:
    strategy: rules
    shops:
      - shop: Berlin
        weight: 3
        conditions:
          currencies:
            - EUR
      - shop: Paris
    rules:
      - when:
          country:
            equals: NO
        use:
          strategy: priority
          shops:
            - Paris
      - when:
          amount:
            min: 5000
        decline:
          code: limit
          message: too much
    default:
      strategy: weighted
      shops:
        - Berlin
        - Paris
    assertions:
      - when: {}
        never: Paris
`;

const nameOf = (id: number): string => NAMES.get(id)!;
const idOf = (name: unknown): unknown => [...NAMES].find(([, each]) => each === name)?.[0];

describe('a file of flows', () => {
  it('names shops, omits defaults, and gives each value its line', () => {
    const text = formatFlowFile(new Map([['checkout', named(SERVED, nameOf)]]));
    expect(text.replace(/^#.*\n/gm, '')).toBe(TEXT);
  });

  it('comes back as the definition that was written', () => {
    const { flows } = parseFlowFile(TEXT, 'flows.yaml');
    expect(canonical(flows.get('checkout')!)).toEqual(named(SERVED, nameOf));
    expect(withIds(flows.get('checkout')!, idOf)).toMatchObject({
      shops: [{ shop_id: 1, weight: 3 }, { shop_id: 2 }],
      rules: [{ use: { shops: [2] } }, { decline: { code: 'limit' } }],
      default: { shops: [1, 2] },
      assertions: [{ never: 2 }],
    });
  });

  it('lists flows by name, regardless of their order', () => {
    const [one, other] = [named(SERVED, nameOf), { strategy: 'sticky' }];
    const text = formatFlowFile(
      new Map<string, object>([
        ['b', one],
        ['10', other],
        ['a', other],
      ]) as never,
    );
    expect([...parseFlowFile(text, 'x').flows.keys()].sort()).toEqual(['10', 'a', 'b']);
    expect(text).toBe(
      formatFlowFile(
        new Map<string, object>([
          ['a', other],
          ['b', one],
          ['10', other],
        ]) as never,
      ),
    );
  });

  it.each([
    ['flows:\n  a:\n    strategy: [', /^f\.yaml:\d: .+/],
    ['flows:\n  a: {}\n  a: {}\n', /^f\.yaml:3: Map keys must be unique/],
    ['flow:\n  a: {}\n', /^f\.yaml:1: unknown field flow, takes flows$/],
    ['# nothing\n', /^f\.yaml:1: takes a map/],
    ['flows: [a]\n', /^f\.yaml:1: flows takes a map/],
    ['flows:\n  a: {}\n  b: 7\n', /^f\.yaml:3: flow b takes a map/],
    ['a: &a [1]\nflows: *b\n', /^f\.yaml: Unresolved alias/],
  ])('needs to be valid: %j', (text, message) => {
    expect(() => parseFlowFile(text, 'f.yaml')).toThrow(message);
  });

  it('names the line of a value, or of what should contain it', () => {
    const { errorAt } = parseFlowFile(TEXT, 'f.yaml');
    const lineOf = (...place: (string | number)[]) => errorAt(['flows', 'checkout', ...place], 'x').message;
    expect(lineOf('shops', 1, 'shop')).toBe('f.yaml:10: x');
    expect(lineOf('shops', 1, 'weight')).toBe('f.yaml:10: x');
    expect(lineOf('rules', 0, 'use', 'shops', 0)).toBe('f.yaml:18: x');
    expect(lineOf('max_attempts')).toBe('f.yaml:2: x');
  });

  it('passes on what is no definition, for the API to refuse', () => {
    const odd = { shops: 'all', rules: [7, { use: 'x' }], default: null, assertions: [null] };
    expect(withIds(odd, idOf)).toEqual(odd);
    expect(canonical(odd)).toMatchObject({ rules: [7, { use: 'x' }] });
  });
});
