import type { Statement } from '../../platform/database/database.js';
import { dueAtOf, isDue, isDueWorkOf, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import { LOOK_UP_KIND, LOOK_UP_WORK } from '../store/payment.queries.js';
import { expediteOperations } from '../store/operation.queries.js';

/** The time of the next look-up of an attempt `a` that is asked about now. */
const NEXT = `greatest(clock_timestamp(), a.looked_up_at + interval '1 s')`;

/**
 * Makes a look-up of an attempt due: at once, or a second after the last one began. $1 payment, $2 attempt. Writes
 * nothing if it is due by then: that look-up begins after this statement, so it shows what the provider reported.
 */
export const ASK: Statement = {
  name: 'asked_attempts.ask',
  text: `WITH asked AS (
      UPDATE payment_attempts a SET asked_at = clock_timestamp()
      WHERE a.payment_id = $1 AND a.number = $2
        AND coalesce(${dueAtOf(LOOK_UP_WORK('a.payment_id', 'a.number'))} > ${NEXT}, true)
      RETURNING a.payment_id, a.number, ${NEXT} AS next_at
    )
    ${setDueWorkFrom('asked', LOOK_UP_WORK('payment_id', 'number'), 'next_at')}`,
};

/** Due look-ups, the longest due first, without locks: $1 limit, $2 limit per shop. */
export const LIST_DUE_LOOK_UPS: Statement = {
  name: 'asked_attempts.list_due',
  text: `WITH due AS MATERIALIZED (
      SELECT subject_id, part, due_at FROM due_work
      WHERE ${isDue(`'${LOOK_UP_KIND}'`)} ORDER BY due_at LIMIT $1
    ), numbered AS (
      SELECT a.*, due.due_at, row_number() OVER (PARTITION BY a.shop_id ORDER BY due.due_at) AS position
      FROM due CROSS JOIN LATERAL (
        SELECT payment_id, number AS attempt, shop_id, provider FROM payment_attempts
        WHERE payment_id = due.subject_id AND number = due.part OFFSET 0
      ) a
    )
    SELECT payment_id, attempt, shop_id, provider FROM numbered WHERE position <= $2 ORDER BY due_at`,
};

/**
 * Claims those look-ups that are still due: $1 payments and $2 their attempts, $3 for how many ms. Without a result each is
 * due again after that, later the longer ago it was asked for, at most an hour. `amount_refunded`: as it was before the
 * look-up.
 */
export const CLAIM_LOOK_UPS: Statement = {
  name: 'asked_attempts.claim',
  text: `WITH due AS MATERIALIZED (
      SELECT a.payment_id, a.number FROM unnest($1::bigint[], $2::smallint[]) AS picked (id, attempt) CROSS JOIN LATERAL (
        SELECT a.payment_id, a.number FROM payment_attempts a WHERE a.payment_id = picked.id AND a.number = picked.attempt
        FOR NO KEY UPDATE SKIP LOCKED
      ) a CROSS JOIN LATERAL (
        SELECT FROM due_work d WHERE ${isDueWorkOf(LOOK_UP_WORK('a.payment_id', 'a.number'))}
          AND d.due_at <= clock_timestamp() FOR UPDATE SKIP LOCKED
      ) d
    ), begun AS (
      UPDATE payment_attempts a SET looked_up_at = clock_timestamp() FROM due
      WHERE a.payment_id = ANY (ARRAY(SELECT payment_id FROM due)) AND a.payment_id = due.payment_id AND a.number = due.number
      RETURNING a.*
    ), claimed AS (
      UPDATE due_work d SET due_at = clock_timestamp()
        + greatest($3 * interval '1 ms', least(interval '1 hour', clock_timestamp() - a.asked_at))
      FROM begun a WHERE d.subject_id = ANY (ARRAY(SELECT payment_id FROM due))
        AND ${isDueWorkOf(LOOK_UP_WORK('a.payment_id', 'a.number'))}
      RETURNING d.due_at AS look_up_at, a.payment_id, a.number AS attempt, a.shop_id, a.provider, a.provider_transaction_id,
        a.reference, (extract(epoch FROM clock_timestamp() - a.asked_at) * 1000)::float8 AS asked_ms
    )
    SELECT c.*, p.amount_refunded FROM claimed c JOIN payments p ON p.id = c.payment_id`,
};

/**
 * Ends the look-up, unless a notification has asked again since its claim: $1 payment, $2 attempt, $3 the due time that
 * the claim set.
 */
export const END_LOOK_UP: Statement = {
  name: 'asked_attempts.end',
  text: `DELETE FROM due_work d WHERE ${isDueWorkOf(LOOK_UP_WORK('$1', '$2'))} AND d.due_at = $3`,
};

/** Makes the payment's accepted refunds due now, so that recovery asks for their outcomes: $1 payment. */
export const EXPEDITE_REFUNDS: Statement = {
  name: 'asked_attempts.expedite_refunds',
  text: expediteOperations(`o.kind = 'refund' AND o.state = 'pending'`),
};
