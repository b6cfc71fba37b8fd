import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import fc from 'fast-check';
import { acceptedDefinition, anyCondition } from '../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../test/support/fuzz/runs.js';
import { conditionErrors } from '@payment-orchestrator/routing/definition/condition-errors';
import { AssertionDto, FlowDefinitionDto, RuleDto, RuleUseDto } from './definition.dto.js';
import { FlowShopDto, ShopConditionsDto } from './flow-shop.dto.js';
import { ProviderAccountDto } from './payment-method.dto.js';
import { RuleDeclineDto } from './rule-decline.dto.js';
import { SuccessRateDto } from './success-rate.dto.js';
import { ValidationPipe } from '../../platform/http/validation/validation.pipe.js';
import { formatFlowFile, parseFlowFile } from '@payment-orchestrator/client/cli/flows/flow-file';
import {
  canonical,
  type Fields,
  isFields,
  named,
  withIds,
} from '@payment-orchestrator/client/cli/flows/named-definition';

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
    { when: { amount: { min: 5000 } }, name: 'Large', decline: { message: 'too much', code: 'limit' } },
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
      - name: Large
        when:
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
    ['flow:\n  a: {}\n', /^f\.yaml:1: unknown field flow, takes flows, shops, examples$/],
    ['# nothing\n', /^f\.yaml:1: takes a map/],
    ['flows: [a]\n', /^f\.yaml:1: flows takes a map/],
    ['flows:\n  a: {}\n  b: 7\n', /^f\.yaml:3: flow b takes a map/],
    ['a: &a [1]\nflows: *b\n', /^f\.yaml: Unresolved alias/],
  ])('needs to be valid: %j', (text, message) => {
    expect(() => parseFlowFile(text, 'f.yaml')).toThrow(message);
  });

  it('keeps names as they are written, and takes no numbers that JSON does not have', () => {
    const use = '{ shops: [0123, 1e3], strategy: priority }';
    const text = `flows:
  007:
    shops: [{ shop: 0123, priority: -0 }, { shop: 0x10 }, { shop: true }]
    rules:
      - { when: { 'metadata.n': { equals: 0123 } }, use: &use ${use} }
      - { when: {}, use: *use }
    default: ${use}
    assertions: [{ when: {}, never: 1.0 }]
`;
    const { flows } = parseFlowFile(text, 'f.yaml');
    expect(Object.fromEntries(flows)).toEqual({
      '007': {
        shops: [{ shop: '0123', priority: 0 }, { shop: '0x10' }, { shop: 'true' }],
        rules: [
          { when: { 'metadata.n': { equals: 123 } }, use: { shops: ['0123', '1e3'], strategy: 'priority' } },
          { when: {}, use: { shops: ['0123', '1e3'], strategy: 'priority' } },
        ],
        default: { shops: ['0123', '1e3'], strategy: 'priority' },
        assertions: [{ when: {}, never: '1.0' }],
      },
    });
    const infinite = 'flows:\n  a:\n    max_attempts: .inf\n';
    expect(() => parseFlowFile(infinite, 'f.yaml')).toThrow(/^f\.yaml:3: takes a finite number$/);
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

const SHOP_NAMES = ['Berlin', '123', '0123', '1e3', 'NO', 'true', 'null', '~', 'a: b # c', '- d', '\'"', '{e}', 'f\\n'];
const shopNameOf = (id: number): string => `${SHOP_NAMES[id % SHOP_NAMES.length]!}${id < SHOP_NAMES.length ? '' : id}`;
const SHOP_IDS = new Map(Array.from({ length: 1_001 }, (_, id) => [shopNameOf(id), id] as const));

/** The classes that the API reads fields as. */
const CLASSES: Record<string, new () => object> = {
  shops: FlowShopDto,
  conditions: ShopConditionsDto,
  rules: RuleDto,
  use: RuleUseDto,
  default: RuleUseDto,
  decline: RuleDeclineDto,
  success_rate: SuccessRateDto,
  assertions: AssertionDto,
  options: ProviderAccountDto,
};
const fieldsOf = (dto: new () => object): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .map(({ propertyName }) => propertyName);

/** The same definition with every omitted field as `null`. */
function withNulls(value: unknown, dto: (new () => object) | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withNulls(item, dto));
  if (!isFields(value)) return value;
  const absent = dto ? fieldsOf(dto).filter((name) => name !== 'shop_id' && !(name in value)) : [];
  const given = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'when' ? { country: null, ...(inner as object) } : withNulls(inner, CLASSES[name]),
  ]);
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...Object.fromEntries(given) } as Fields;
}

const withDefaults = (definition: Fields): Fields => ({
  max_attempts: 1,
  capture: 'automatic',
  assertions: [],
  ...definition,
  shops: (definition['shops'] as Fields[]).map((shop) => ({
    priority: 1,
    weight: 1,
    enabled: true,
    conditions: {},
    ...shop,
  })),
});

const withRuleDefaults = (definition: Fields): Fields => ({
  ...definition,
  ...('rules' in definition && {
    rules: (definition['rules'] as Fields[]).map((rule) => ('use' in rule ? { otherwise: 'next', ...rule } : rule)),
  }),
});

/** The definition that the API answers after it got this one. */
function served(definition: Fields): Fields {
  const body = JSON.parse(JSON.stringify(definition)) as Fields;
  const dto = new ValidationPipe().transform(body, { type: 'body', metatype: FlowDefinitionDto }) as FlowDefinitionDto;
  return withDefaults(JSON.parse(JSON.stringify(definitionOf(dto))) as Fields);
}

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...SHOP_NAMES, '', ' ', '\r\n'));
const anyMetadataTest = fc
  .record({
    path: anyText,
    value: fc.oneof(anyText, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.constant(null)),
  })
  .map(({ path, value }) => ({ [`metadata.${path}`]: { equals: value } }))
  .filter((condition) => conditionErrors(condition, 'when').length === 0);
const anyAssertion = fc.record(
  {
    when: fc.oneof(anyCondition, anyMetadataTest),
    payment_method: fc.constantFrom({ options: [{ provider: 'stripe' }, { provider: 'sandbox', account: '007' }] }),
    never: fc.integer({ min: 1, max: 1_000 }),
  },
  { requiredKeys: ['when', 'never'] },
);
const anyServed = fc
  .tuple(
    acceptedDefinition(1_000),
    fc.record(
      {
        max_attempts: fc.integer({ min: 1, max: 10 }),
        capture: fc.constantFrom('automatic', 'manual'),
        assertions: fc.array(anyAssertion, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([definition, rest]) => served({ ...definition, ...rest }));

it('a flow of any kind is unchanged after its file was applied, as YAML and as JSON, with nulls and with defaults', () => {
  fc.assert(
    fc.property(anyServed, (stored) => {
      const exported = named(stored, shopNameOf);
      const files = [
        exported,
        withNulls(exported, FlowDefinitionDto) as Fields,
        withRuleDefaults(withDefaults(exported)),
      ];
      for (const file of files) {
        for (const text of [formatFlowFile(new Map([['007', file]])), JSON.stringify({ flows: { '007': file } })]) {
          const read = parseFlowFile(text, 'f').flows.get('007')!;
          const applied = served(withIds(read, (name) => SHOP_IDS.get(name as string)));
          expect(applied).toEqual(stored);
          expect(canonical(read)).toStrictEqual(named(applied, shopNameOf));
        }
      }
    }),
    { numRuns: runs(25) },
  );
});
