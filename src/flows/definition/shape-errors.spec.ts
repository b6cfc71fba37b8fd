import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { shapeErrors, withoutNullFields } from '@payment-orchestrator/routing/definition/shape-errors';
import type { FieldError } from '@payment-orchestrator/routing/field-error';
import fc from 'fast-check';
import { acceptedDefinition } from '../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../test/support/fuzz/runs.js';
import { ValidationPipe } from '../../platform/http/validation/validation.pipe.js';
import { Problem } from '../../shared/problem.js';
import { FlowDefinitionDto } from './definition.dto.js';

type Json = Record<string, unknown>;

/** The DTO of a body, or the errors of the API. */
function answerOf(body: object): { dto: FlowDefinitionDto } | { errors: FieldError[] } {
  try {
    const dto = new ValidationPipe().transform(body, { type: 'body', metatype: FlowDefinitionDto });
    return { dto: dto as FlowDefinitionDto };
  } catch (error) {
    return { errors: (error as Problem).errors! };
  }
}

const byField = (errors: readonly FieldError[]): FieldError[] =>
  [...errors].sort((one, other) => (one.field < other.field ? -1 : 1));

/** The API also reports the fields of an object that is given in place of a list. */
const withoutFieldsOfLists = (errors: readonly FieldError[]): FieldError[] =>
  errors.filter(
    ({ field }) =>
      !errors.some(
        ({ field: list, message }) => message.startsWith('must be an array') && field.startsWith(`${list}.`),
      ),
  );

/** Every place of a value that is not part of a condition. */
function placesIn(value: unknown, place: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null || place.at(-1) === 'when') return [place];
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key]))];
}

const ABSENT = Symbol('absent');

function changed(definition: object, place: readonly (string | number)[], to: unknown): Json {
  const copy = JSON.parse(JSON.stringify(definition)) as Json;
  let parent: Json = copy;
  for (const step of place.slice(0, -1)) parent = parent[step] as Json;
  const last = place.at(-1)!;
  if (to === ABSENT) delete parent[last];
  else parent[last] = to;
  return copy;
}

const FULL = {
  strategy: 'rules',
  shops: [
    { shop_id: 1, priority: 2, weight: 3, enabled: false, conditions: { currencies: ['EUR'], min_amount: 1 } },
    { shop_id: 2, conditions: { countries: ['DE'], max_amount: 9.5 } },
  ],
  rules: [
    {
      when: {},
      use: { shops: [1, 2], strategy: 'success_rate', success_rate: { objective: 'margin', by: ['currency'] } },
      otherwise: 'refuse',
    },
    { when: { country: { equals: 'NO' } }, decline: { code: 'blocked', message: 'No.' } },
  ],
  default: { shops: [2], strategy: 'weighted' },
  success_rate: { by: ['country', 'card.bin'] },
  max_attempts: 3,
  capture: 'manual',
  assertions: [
    { when: {}, payment_method: { options: [{ provider: 'stripe', account: 'eu' }] }, at_least: 1 },
    { when: {}, never: 2 },
    { when: {}, at_least_tries: 1 },
  ],
};

// the first is not tried for items of lists
const VALUES: unknown[] = [
  ...[ABSENT, null, true, 0, 1, -1, 1.5, 11, 301, 1e6 + 1, 2 ** 53, '', 'EUR', 'x'.repeat(60), 'x'.repeat(201)],
  ...['a text 🙂', {}, { unknown: 1 }, [], ['EUR', 'EUR'], ['ABC'], [1, 1], ['x'], [1, 2, 3], ['currency'], [{}]],
  ...[Array.from({ length: 11 }, () => ({ provider: 'p' })), Array.from({ length: 301 }, (_, index) => index + 1)],
];

const cases = placesIn(FULL)
  .filter((place) => place.length > 0)
  .map((place) => [place.join('.'), place] as const);

describe('shapeErrors', () => {
  it.each(cases)('%s has the errors of the API for any value', (_, place) => {
    const isItem = /^\d+$/.test(String(place.at(-1)));
    for (const value of isItem ? VALUES.slice(1) : VALUES) {
      const body = changed(FULL, place, value);
      const answer = answerOf(body);
      const expected = 'errors' in answer ? byField(withoutFieldsOfLists(answer.errors)) : [];
      expect([value, byField(shapeErrors(body))]).toEqual([value, expected]);
    }
  });

  it('accepts what the API accepts, as the same definition', () => {
    fc.assert(
      fc.property(acceptedDefinition(10_000), (definition) => {
        expect(shapeErrors(definition)).toEqual([]);
        const answer = answerOf(definition);
        if ('errors' in answer) throw new Error(JSON.stringify(answer.errors));
        expect(definitionOf(withoutNullFields(definition))).toEqual(
          JSON.parse(JSON.stringify(definitionOf(answer.dto))),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes null as absent', () => {
    const definition = {
      strategy: 'weighted',
      shops: [{ shop_id: 1, weight: null, conditions: { currencies: null } }],
    };
    expect(shapeErrors({ ...definition, rules: null })).toEqual([]);
    expect(definitionOf(withoutNullFields({ ...definition, rules: null }))).toEqual({
      strategy: 'weighted',
      shops: [{ shop_id: 1, priority: 1, weight: 1, enabled: true, conditions: {} }],
    });
  });
});
