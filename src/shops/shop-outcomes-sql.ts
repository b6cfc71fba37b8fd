// SQL parts that other features include in their statements, so that an outcome commits together with its cause.

/**
 * The counter row of a shop and minute for this connection (a sharded counter): two connections never write the same
 * row, so counting needs no lock wait.
 */
export const COUNTER_SHARD = 'pg_backend_pid()';

const OUTCOMES = ['approved', 'declined', 'unusable'];
const countOf = (outcome: string): string => `count(*) FILTER (WHERE shop_outcome = '${outcome}')`;
const isOutcome = (outcome: string): string => `(shop_outcome = '${outcome}')::integer`;

/**
 * A CTE that counts successful outcomes from a relation with `shop_id, shop_outcome`. `shop_outcome` is `approved`,
 * `declined`, `unusable`, or null if it is not relevant for the shop. `isOne`: of one row.
 */
export const countSuccessesFrom = (relation: string, minute: string, isOne = false): string =>
  `outcomes_counted AS (
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined, unusable)
      SELECT shop_id, ${minute}::timestamptz, ${COUNTER_SHARD},
        ${OUTCOMES.map((outcome) => (isOne ? isOutcome(outcome) : countOf(outcome))).join(', ')}
      FROM ${relation} WHERE shop_outcome IS NOT NULL ${isOne ? '' : 'GROUP BY shop_id'}
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined, unusable = o.unusable + excluded.unusable
    )`;

/**
 * The shop of `outcome`, a row of such a relation, if the outcome ends an outage whose latest fault was before
 * `coolDownBefore`. An unusable payment method ends none: the adapter may have seen it without a call.
 */
export const recoveredShopOf = (outcome: string, coolDownBefore: string): string =>
  `CASE WHEN ${outcome}.shop_outcome <> 'unusable' THEN (SELECT x.shop_id FROM shop_outages x
      WHERE x.shop_id = ${outcome}.shop_id AND x.ended_at IS NULL AND x.last_fault_at <= ${coolDownBefore}) END`;
