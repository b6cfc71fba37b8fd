import { addTo, type Counter } from '../platform/counters/counter.js';
import { MINUTE_MS } from '../shared/clock.js';

// SQL parts that other features include in their statements, so that an outcome commits together with its cause.

/** The period in which outcomes count towards a shop's routing rate, in whole minutes, including the current one. */
export const STATS_WINDOW_MINUTES = 60;

export const SHOP_OUTCOMES: Counter = {
  counts: 'outcomes that shops are responsible for',
  table: 'shop_outcomes',
  by: ['shop_id', 'minute'],
  measures: ['approved', 'declined', 'failed', 'unusable'],
  isSharded: true,
  period: { column: 'minute', keptMs: STATS_WINDOW_MINUTES * MINUTE_MS },
};

const SUCCESSES = ['approved', 'declined', 'unusable'];
const countOf = (outcome: string): string => `count(*) FILTER (WHERE shop_outcome = '${outcome}')`;
const isOutcome = (outcome: string): string => `(shop_outcome = '${outcome}')::integer`;

/**
 * A CTE that counts successful outcomes from a relation with `shop_id, shop_outcome`. `shop_outcome` is `approved`,
 * `declined`, `unusable`, or null if it is not relevant for the shop. `isOne`: of one row.
 */
export const countSuccessesFrom = (relation: string, minute: string, isOne = false): string =>
  `outcomes_counted AS (
      ${addTo(SHOP_OUTCOMES, {
        columns: {
          minute: `${minute}::timestamptz`,
          ...Object.fromEntries(SUCCESSES.map((outcome) => [outcome, isOne ? isOutcome(outcome) : countOf(outcome)])),
        },
        from: `FROM ${relation} WHERE shop_outcome IS NOT NULL`,
        isGrouped: !isOne,
      })}
    )`;

/**
 * The shop of `outcome`, a row of such a relation, if the outcome ends an outage whose latest fault was before
 * `coolDownBefore`. An unusable payment method ends none: the adapter may have seen it without a call.
 */
export const recoveredShopOf = (outcome: string, coolDownBefore: string): string =>
  `CASE WHEN ${outcome}.shop_outcome <> 'unusable' THEN (SELECT x.shop_id FROM shop_outages x
      WHERE x.shop_id = ${outcome}.shop_id AND x.ended_at IS NULL AND x.last_fault_at <= ${coolDownBefore}) END`;
