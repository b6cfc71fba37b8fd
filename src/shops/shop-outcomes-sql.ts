// What other features put into a statement of their own, so that an outcome commits with what it came of.

/** The row of a shop and minute that this connection counts on: no two write the same one, so counting waits for nobody. */
export const OWN_SLOT = 'pg_backend_pid()';

/**
 * A CTE that counts outcomes which are no faults, from a relation with `shop_id, shop_outcome` (`approved`, `declined`, or
 * null for what says nothing of the shop).
 */
export const countSuccessesFrom = (relation: string, minute: string): string =>
  `outcomes_counted AS (
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined)
      SELECT shop_id, ${minute}::timestamptz, ${OWN_SLOT}, count(*) FILTER (WHERE shop_outcome = 'approved'),
        count(*) FILTER (WHERE shop_outcome = 'declined')
      FROM ${relation} WHERE shop_outcome IS NOT NULL GROUP BY shop_id
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined
    )`;

/** The shop of `outcome`, a row of such a relation, if it shows an outage to be over whose latest fault was before then. */
export const recoveredShopOf = (outcome: string, coolDownBefore: string): string =>
  `CASE WHEN ${outcome}.shop_outcome IS NOT NULL THEN (SELECT x.shop_id FROM shop_outages x
      WHERE x.shop_id = ${outcome}.shop_id AND x.ended_at IS NULL AND x.last_fault_at <= ${coolDownBefore}) END`;
