import type { Counter } from '../../../platform/counters/counter.js';

const KEPT_MS = 48 * 3_600_000;

/** Sum of two lists, position by position. The lists may have different lengths. */
const SUM_OF_TIMES = `ARRAY(SELECT coalesce(one, 0) + coalesce(other, 0)
          FROM unnest(c.answer_times, excluded.answer_times) WITH ORDINALITY AS t (one, other, place) ORDER BY place)`;

/** `delivered` and `failed` are finished deliveries, `answer_times` has counts by the classes of answer-times.ts. */
export const ENDPOINT_ANSWERS: Counter = {
  counts: 'attempts at an endpoint',
  table: 'endpoint_hours',
  by: ['lane_id', 'hour'],
  measures: ['attempts', 'delivered', 'failed'],
  merged: { answer_times: SUM_OF_TIMES },
  period: { column: 'hour', keptMs: KEPT_MS },
};

const latest = (column: string): string =>
  `CASE WHEN excluded.last_at >= c.last_at THEN excluded.${column} ELSE c.${column} END`;

export const ENDPOINT_ERRORS: Counter = {
  counts: 'failed attempts at an endpoint, with the latest one',
  table: 'endpoint_errors',
  by: ['lane_id', 'hour', 'code'],
  measures: ['attempts'],
  merged: {
    last_at: 'greatest(c.last_at, excluded.last_at)',
    last_delivery_id: latest('last_delivery_id'),
    last_message: latest('last_message'),
  },
  period: { column: 'hour', keptMs: KEPT_MS },
};

export const DELIVERIES_BY_MINUTE: Counter = {
  counts: 'attempts to send deliveries of a merchant',
  table: 'delivery_minutes',
  by: ['merchant_id', 'minute'],
  measures: ['delivered', 'retried', 'failed'],
  period: { column: 'minute', keptMs: KEPT_MS },
};
