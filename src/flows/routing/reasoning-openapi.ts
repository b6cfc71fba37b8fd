import { schemaRef } from '../../openapi/schemas.js';
import type { Reasoning } from '@payment-orchestrator/routing/decision/decision-trace';

type Strategy = Reasoning['by'];
type Fields<Name extends Strategy> = Record<Exclude<keyof Extract<Reasoning, { by: Name }>, 'by'>, object>;

const integer = { type: 'integer' };
const decimal = { type: 'number', format: 'double' };
const counter = { ...integer, description: 'The number of payments that the flow had routed before.' };
const position = { ...integer, description: 'The position of the pick among the alternating shops, from 0.' };
const of = { ...integer, description: 'The number of alternating shops.' };

const SCORE = { type: 'object', required: ['shop_id', 'score'], properties: { shop_id: integer, score: decimal } };

const reasoning = <Name extends Strategy>(
  by: Name,
  fields: Fields<Name>,
  optional: (keyof Fields<Name>)[] = [],
): object => ({
  type: 'object',
  required: ['by', ...Object.keys(fields).filter((field) => !optional.includes(field as keyof Fields<Name>))],
  properties: { by: { type: 'string', const: by }, ...(fields as Record<string, object>) },
});

const NAMES: Record<Strategy, string> = {
  round_robin: 'RoundRobinReasoning',
  weighted: 'WeightedReasoning',
  priority: 'PriorityReasoning',
  sticky: 'StickyReasoning',
  success_rate: 'SuccessRateReasoning',
  lowest_cost: 'LowestCostReasoning',
};

/** The schemas of `Reasoning` in the OpenAPI document: one for each strategy. */
export const REASONING_SCHEMAS: Record<string, object> = {
  Reasoning: {
    description: "The inputs of the strategy's choice; `by` is the strategy's name.",
    oneOf: Object.values(NAMES).map(schemaRef),
    discriminator: {
      propertyName: 'by',
      mapping: Object.fromEntries(Object.entries(NAMES).map(([by, name]) => [by, schemaRef(name).$ref])),
    },
  },
  [NAMES.round_robin]: reasoning('round_robin', { counter, position, of }),
  [NAMES.weighted]: reasoning('weighted', {
    counter,
    cycle_position: {
      ...integer,
      description: 'The position in a cycle, in which each shop is picked as often as its weight.',
    },
    cycle_length: { ...integer, description: 'The sum of the weights.' },
  }),
  [NAMES.priority]: reasoning('priority', {
    counter,
    priority: { ...integer, description: 'The lowest number; shops with the same number alternate.' },
    position,
    of,
  }),
  [NAMES.sticky]: reasoning('sticky', {
    customer_id: integer,
    hash: { ...decimal, description: 'Hash of customer and shop, between 0 and 1.' },
    score: { ...decimal, description: 'weight / -ln(hash): the highest score wins.' },
    runner_up: { description: 'The second highest score.', oneOf: [SCORE, { type: 'null' }] },
  }),
  [NAMES.success_rate]: reasoning(
    'success_rate',
    {
      draw: { ...decimal, description: 'The only random number of the decision, 0 ≤ draw < 1.' },
      floor: { ...decimal, description: 'The share of payments that each shop gets regardless of its rate.' },
      explored: { type: 'boolean', description: 'Whether the shop was picked for its minimum share.' },
      sampled: {
        type: 'array',
        description:
          'Shop id, approved, declined, failed, and the sampled rate; highest rate first. For a token whose account is ' +
          'not named, declined includes payments whose payment method the account lacks. With the objective margin also the fee, null if unknown, and the highest ' +
          'margin first. Includes recovering shops that were passed over.',
        items: { type: 'array', items: { type: ['number', 'null'], format: 'double' }, minItems: 5, maxItems: 6 },
      },
      segment: {
        type: 'object',
        description: 'Only in a flow that divides payments into segments.',
        required: ['values', 'rates'],
        properties: {
          values: {
            type: 'object',
            description: "The payment's value of each field; null: unknown, so coarser rates decide.",
            additionalProperties: { type: ['string', 'null'] },
          },
          rates: {
            type: 'array',
            description:
              'For each shop of sampled: shop id, level, approved and other outcomes at this level, and a and b of the Beta ' +
              'distribution that the rate was sampled from. The level is the number of fields whose own outcomes count for ' +
              'more than the coarser rate; 0: the whole shop. Older outcomes count for less.',
            items: { type: 'array', items: decimal, minItems: 6, maxItems: 6 },
          },
        },
      },
    },
    ['segment'],
  ),
  [NAMES.lowest_cost]: reasoning(
    'lowest_cost',
    {
      costs: {
        type: 'array',
        description:
          'Shop id and its fee for the payment in major units, not rounded, null if unknown; lowest fee first. ' +
          'Includes recovering shops that were passed over.',
        items: { type: 'array', items: { type: ['number', 'null'], format: 'double' }, minItems: 2, maxItems: 2 },
      },
      draw: {
        ...decimal,
        description:
          'The random number that decided whether a recovering shop kept the payment; absent: the pick needed none.',
      },
    },
    ['draw'],
  ),
};
