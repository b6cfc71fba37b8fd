// What other features put into a statement of their own, so that an outcome commits with what it came of.

/** Expressions for the values of `ShopOutcomesService.countingNow`. */
interface CountingSql {
  minute: string;
  now: string;
  coolDownBefore: string;
}

/** The row of a shop and minute that this connection counts on: no two write the same one, so counting waits for nobody. */
export const OWN_SLOT = 'pg_backend_pid()';

/**
 * Two CTEs that count outcomes which are no faults, from a relation with `shop_id, shop_outcome` (`approved`, `declined`,
 * or null for what says nothing of the shop), and end the outages that they show to be over. An outage that somebody else
 * is writing to is left to them, or to the next success: many shops' payments never wait for the row of one.
 */
export const countSuccessesFrom = (relation: string, { minute, now, coolDownBefore }: CountingSql): string =>
  `outages_over AS (
      SELECT shop_id FROM shop_outages
      WHERE shop_id = ANY (ARRAY(SELECT shop_id FROM ${relation} WHERE shop_outcome IS NOT NULL)) AND ended_at IS NULL
        AND last_fault_at <= ${coolDownBefore}
      FOR NO KEY UPDATE SKIP LOCKED
    ), outages_ended AS (
      UPDATE shop_outages SET ended_at = ${now}
      WHERE shop_id = ANY (ARRAY(SELECT shop_id FROM outages_over)) AND ended_at IS NULL
        AND last_fault_at <= ${coolDownBefore}
    ), outcomes_counted AS (
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined)
      SELECT shop_id, ${minute}, ${OWN_SLOT}, count(*) FILTER (WHERE shop_outcome = 'approved'),
        count(*) FILTER (WHERE shop_outcome = 'declined')
      FROM ${relation} WHERE shop_outcome IS NOT NULL GROUP BY shop_id
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined
    )`;
