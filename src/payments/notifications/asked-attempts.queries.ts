import type { Statement } from '../../platform/database/database.js';
import { expediteOperations } from '../ledger/operation.queries.js';

/**
 * The attempts of a shop's transactions: $1 shop, $2 the provider's transaction ids. Unknown ids are left out. Like
 * `FIND_BY_TRANSACTION`, for many.
 */
export const FIND_ASKED: Statement = {
  name: 'asked_attempts.find',
  text: `SELECT DISTINCT found.* FROM unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT p.id AS payment_id, p.attempt FROM payments p WHERE p.shop_id = $1 AND p.provider_transaction_id = asked.id
      UNION ALL
      SELECT a.payment_id, a.number FROM payment_attempts a
      WHERE a.shop_id = $1 AND a.left_transaction_id = asked.id
      LIMIT 1) found`,
};

/** The time of the next look-up of an attempt `a` that is asked about now. */
const NEXT = `greatest(clock_timestamp(), a.looked_up_at + interval '1 s')`;

/**
 * Makes a look-up of an attempt due: at once, or a second after the last one began. $1 payment, $2 attempt. Writes
 * nothing if it is due by then: that look-up begins after this statement, so it shows what the provider reported.
 */
export const ASK: Statement = {
  name: 'asked_attempts.ask',
  text: `UPDATE payment_attempts a SET asked_at = clock_timestamp(), look_up_at = ${NEXT}
    WHERE a.payment_id = $1 AND a.number = $2 AND (a.look_up_at IS NULL OR a.look_up_at > ${NEXT})`,
};

/** Due look-ups, the longest due first, without locks: $1 limit, $2 limit per shop. */
export const LIST_DUE_LOOK_UPS: Statement = {
  name: 'asked_attempts.list_due',
  text: `WITH due AS MATERIALIZED (
      SELECT payment_id, number AS attempt, shop_id, provider, look_up_at FROM payment_attempts
      WHERE look_up_at <= clock_timestamp() ORDER BY look_up_at LIMIT $1
    ), numbered AS (
      SELECT due.*, row_number() OVER (PARTITION BY shop_id ORDER BY look_up_at) AS position FROM due
    )
    SELECT payment_id, attempt, shop_id, provider FROM numbered WHERE position <= $2 ORDER BY look_up_at`,
};

/**
 * Claims those look-ups that are still due: $1 payments and $2 their attempts, $3 for how many ms. Without a result each is
 * due again after that, later the longer ago it was asked for, at most an hour. `amount_refunded`: as it was before the
 * look-up.
 */
export const CLAIM_LOOK_UPS: Statement = {
  name: 'asked_attempts.claim',
  text: `WITH due AS MATERIALIZED (
      SELECT a.payment_id, a.number FROM payment_attempts a JOIN unnest($1::bigint[], $2::smallint[]) AS picked (id, attempt)
        ON a.payment_id = picked.id AND a.number = picked.attempt
      WHERE a.look_up_at <= clock_timestamp() FOR NO KEY UPDATE OF a SKIP LOCKED
    ), claimed AS (
      UPDATE payment_attempts a SET looked_up_at = clock_timestamp(), look_up_at = clock_timestamp()
        + greatest($3 * interval '1 ms', least(interval '1 hour', clock_timestamp() - a.asked_at))
      FROM due WHERE a.payment_id = due.payment_id AND a.number = due.number RETURNING a.*
    )
    SELECT c.payment_id, c.number AS attempt, c.shop_id, c.provider, c.provider_transaction_id, c.reference, c.look_up_at,
      (extract(epoch FROM clock_timestamp() - c.asked_at) * 1000)::float8 AS asked_ms, p.amount_refunded
    FROM claimed c JOIN payments p ON p.id = c.payment_id`,
};

/**
 * Ends the look-up, unless a notification has asked again since its claim: $1 payment, $2 attempt, $3 the due time that
 * the claim set.
 */
export const END_LOOK_UP: Statement = {
  name: 'asked_attempts.end',
  text: 'UPDATE payment_attempts SET look_up_at = NULL WHERE payment_id = $1 AND number = $2 AND look_up_at = $3',
};

/** Makes the payment's accepted refunds due now, so that recovery asks for their outcomes: $1 payment. */
export const EXPEDITE_REFUNDS: Statement = {
  name: 'asked_attempts.expedite_refunds',
  text: expediteOperations(`o.kind = 'refund' AND o.state = 'pending'`),
};
