import { schemaRef } from '../../openapi/schemas.js';
import type { Reasoning } from './decision-trace.js';

type Strategy = Reasoning['by'];
type Fields<Name extends Strategy> = Record<Exclude<keyof Extract<Reasoning, { by: Name }>, 'by'>, object>;

const integer = { type: 'integer' };
const decimal = { type: 'number', format: 'double' };
const counter = { ...integer, description: 'How many payments the flow had routed before.' };
const position = { ...integer, description: 'The pick among the shops that take turns, from 0.' };
const of = { ...integer, description: 'How many shops take turns.' };

const SCORE = { type: 'object', required: ['shop_id', 'score'], properties: { shop_id: integer, score: decimal } };

const reasoning = <Name extends Strategy>(by: Name, fields: Fields<Name>): object => ({
  type: 'object',
  required: ['by', ...Object.keys(fields)],
  properties: { by: { type: 'string', const: by }, ...(fields as Record<string, object>) },
});

const NAMES: Record<Strategy, string> = {
  round_robin: 'RoundRobinReasoning',
  weighted: 'WeightedReasoning',
  priority: 'PriorityReasoning',
  sticky: 'StickyReasoning',
  success_rate: 'SuccessRateReasoning',
};

/** What the document says of `Reasoning`: one schema for each strategy. */
export const REASONING_SCHEMAS: Record<string, object> = {
  Reasoning: {
    description: 'What the strategy chose by; `by` is its name.',
    oneOf: Object.values(NAMES).map(schemaRef),
    discriminator: {
      propertyName: 'by',
      mapping: Object.fromEntries(Object.entries(NAMES).map(([by, name]) => [by, schemaRef(name).$ref])),
    },
  },
  [NAMES.round_robin]: reasoning('round_robin', { counter, position, of }),
  [NAMES.weighted]: reasoning('weighted', {
    counter,
    cycle_position: { ...integer, description: 'Of a cycle in which each shop has its weight in turns.' },
    cycle_length: { ...integer, description: 'The sum of the weights.' },
  }),
  [NAMES.priority]: reasoning('priority', {
    counter,
    priority: { ...integer, description: 'The lowest number; shops that share it take turns.' },
    position,
    of,
  }),
  [NAMES.sticky]: reasoning('sticky', {
    customer_id: integer,
    hash: { ...decimal, description: 'Of customer and shop, between 0 and 1.' },
    score: { ...decimal, description: 'weight / -ln(hash): the best one wins.' },
    runner_up: { description: 'The second best.', oneOf: [SCORE, { type: 'null' }] },
  }),
  [NAMES.success_rate]: reasoning('success_rate', {
    draw: { ...decimal, description: 'All the chance of the decision, 0 ≤ draw < 1.' },
    floor: { ...decimal, description: 'The share of payments that each shop gets, whatever its rate.' },
    explored: { type: 'boolean', description: "Whether the pick is the floor's." },
    sampled: {
      type: 'array',
      description:
        'Shop id, approved, declined, failed, and the rate that was drawn for it; best rate first. Shops on their way back that did not get their turn are among them.',
      items: { type: 'array', items: decimal, minItems: 5, maxItems: 5 },
    },
  }),
};
