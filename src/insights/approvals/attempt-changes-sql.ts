// SQL that logs changes of attempts for the cells of approvals (docs/decisions/087-approval-rates-by-segment.md).

/** Assignment of an UPDATE of attempts `a`, whose rows {@link logFirstOutcomesFrom} reads. The trigger logs all other changes. */
export const IS_FIRST_OUTCOME = 'is_logged = a.outcome IS NULL';

/** Columns that the UPDATE returns. */
export const LOGGED_COLUMNS =
  'a.payment_id, a.shop_id, a.started_at, a.ended_at, a.outcome, a.decline_code, a.card, a.is_logged';

/**
 * A CTE that logs the first outcomes of attempts, from the rows that the UPDATE returns: a third of the trigger's time. The
 * rows are those of the trigger `payment_attempts_log_change`. The answer's time is null if there was none in time.
 */
export const logFirstOutcomesFrom = (relation: string): string =>
  `outcomes_logged AS (
      INSERT INTO attempt_changes (payment_id, shop_id, started_at, sign, answered_ms, outcome, decline_code, card)
      SELECT payment_id, shop_id, started_at, 1, CASE WHEN outcome <> 'unknown' AND ended_at < started_at + interval '2 minutes'
          THEN greatest(0, extract(epoch FROM ended_at - started_at) * 1000) END,
        outcome, decline_code, card - '{last4,expiry_month,expiry_year}'::text[]
      FROM ${relation} WHERE is_logged
    )`;
