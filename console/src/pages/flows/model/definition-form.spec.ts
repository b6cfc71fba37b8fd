import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conditionForm, conditionOf, group, newTest } from './condition-form';
import { definitionForm, definitionOf } from './definition-form';
import type { Definition } from './form';

/** Every definition in the examples of the API document. */
function examples(): [name: string, definition: Definition][] {
  const found: [string, Definition][] = [];
  const search = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('strategy' in value && 'shops' in value && Array.isArray(value.shops)) {
      const { name: _, flow_name: __, ...definition } = value as Definition & { name?: string; flow_name?: string };
      if (typeof (value.shops as unknown[])[0] === 'object') found.push([path, definition]);
    }
    for (const [key, inner] of Object.entries(value)) search(inner, `${path}/${key}`);
  };
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, object> };
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { requestBody } = operation as { requestBody?: { content: Record<string, { examples?: object }> } };
      search(requestBody?.content['application/json']?.examples ?? {}, `${method} ${path}`);
    }
  }
  return found;
}

describe('the form of a definition', () => {
  const all = examples();

  it('covers the examples of all operations that take a definition', () => {
    expect(all.length).toBeGreaterThanOrEqual(5);
  });

  it.each(all)('converts the example of %s to a form and back', (_, definition) => {
    expect(definitionOf(definitionForm(definition))).toEqual(definition);
  });

  it('converts a definition with every field and back', () => {
    const definition: Definition = {
      strategy: 'rules',
      shops: [
        {
          shop_id: 1,
          priority: 0,
          weight: 7,
          enabled: false,
          conditions: { currencies: ['EUR'], countries: ['DE', 'FR'], min_amount: 0, max_amount: 9.5 },
        },
      ],
      rules: [
        { when: {}, use: { shops: [1], strategy: 'sticky' } },
        { when: {}, use: { shops: [1], strategy: 'sticky' }, otherwise: 'refuse' },
        { name: 'Euro', when: { currency: { equals: 'EUR' } }, decline: { code: 'blocked', message: 'Not in euros.' } },
        { when: { country: { exists: false } }, decline: { code: 'no_country' } },
      ],
      default: { shops: [1], strategy: 'priority' },
      max_attempts: 3,
      capture: 'manual',
      assertions: [
        { when: { country: { exists: false } }, never: 4 },
        { when: { 'card.bin': { starts_with: ['4111', '51'] } }, at_least: 2 },
        { when: {}, payment_method: { options: [{ provider: 'sandbox', account: 'eu' }] }, at_least: 2 },
        { when: {}, at_least_tries: 2 },
      ],
    };
    expect(definitionOf(definitionForm(definition))).toEqual(definition);
  });

  it('converts the options of success_rate and back, and sends them only with this strategy', () => {
    const use = { shops: [1], strategy: 'success_rate' as const, success_rate: { by: ['country' as const] } };
    const definition: Definition = {
      strategy: 'rules',
      shops: [{ shop_id: 1 }],
      rules: [{ when: {}, use }],
      default: use,
    };
    const form = definitionForm(definition);
    expect(definitionOf(form)).toEqual(definition);
    expect(definitionOf({ ...form, otherwise: { ...use, strategy: 'weighted' } }).default).toEqual({
      shops: [1],
      strategy: 'weighted',
    });
    const flat: Definition = {
      strategy: 'success_rate',
      shops: [{ shop_id: 1 }],
      success_rate: { by: ['card.scheme', 'country'], objective: 'margin' },
    };
    expect(definitionOf(definitionForm(flat))).toEqual(flat);
    expect(definitionOf({ ...definitionForm(flat), strategy: 'priority' })).toEqual({
      ...flat,
      strategy: 'priority',
      success_rate: undefined,
    });
  });

  it('keeps rules, but does not send them with another strategy', () => {
    const rules = { rules: [{ when: {}, use: { shops: [1], strategy: 'sticky' as const } }] };
    const form = definitionForm({ strategy: 'rules', shops: [{ shop_id: 1 }], ...rules });
    expect(definitionOf({ ...form, strategy: 'weighted' })).toEqual({ strategy: 'weighted', shops: [{ shop_id: 1 }] });
    expect(definitionOf(form)).toMatchObject(rules);
  });

  it('sends an invalid number as a text', () => {
    const form = definitionForm({ strategy: 'weighted', shops: [{ shop_id: 1, weight: 2 }] });
    const typed = { ...form, shops: [{ ...form.shops[0]!, weight: 'many' }] };
    expect(definitionOf(typed).shops).toEqual([{ shop_id: 1, weight: 'many' }]);
  });
});

describe('the form of a condition', () => {
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const some = fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 });
  const test = fc
    .record({ equals: scalar, in: some, not: fc.oneof(scalar, some), exists: fc.boolean() }, { requiredKeys: [] })
    .filter((tests) => Object.keys(tests).length > 0);
  const conditions = (levels: number): fc.Arbitrary<object> => {
    const tests = { currency: test, 'metadata.order.tier': test };
    if (levels === 0) return fc.record(tests, { requiredKeys: [] });
    const inner = conditions(levels - 1);
    const some = fc.array(inner, { minLength: 1, maxLength: 3 });
    return fc.record({ ...tests, all: some, any: some, not: inner }, { requiredKeys: [] });
  };

  it('converts any condition and back', () => {
    fc.assert(
      fc.property(conditions(2), (any) => {
        expect(conditionOf(conditionForm(any as never))).toEqual(any);
      }),
    );
  });

  it('puts repeated tests and groups into a list', () => {
    const equals = (value: string) => ({ ...newTest('currency'), value });
    expect(conditionOf(group('every', [equals('EUR'), equals('CHF')]))).toEqual({
      currency: { equals: 'EUR' },
      all: [{ currency: { equals: 'CHF' } }],
    });
    const any = () => group('any', [equals('EUR')]);
    expect(conditionOf(group('every', [any(), any()]))).toEqual({
      any: [{ currency: { equals: 'EUR' } }],
      all: [{ any: [{ currency: { equals: 'EUR' } }] }],
    });
  });
});
