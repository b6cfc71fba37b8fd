import type { Statement } from '../../platform/database/database.js';
import { CUSTOMER_COLUMNS } from '../ledger/customer.js';

export interface ErasureRow {
  /** `null`: nobody has asked for it. */
  erased_at: Date | null;
  /** When the rest is to be blanked; `null`: nothing is left. */
  erasure_due_at: Date | null;
}

/** $1 customer, $2 merchant. */
export const FIND_ERASURE: Statement = {
  name: 'erasure.find',
  text: 'SELECT erased_at, erasure_due_at FROM customers WHERE id = $1 AND merchant_id = $2',
};

/** Blanks the customer itself, and says that the rest is to follow: $1 customer, $2 merchant, $3 in how many ms. */
export const ERASE_CUSTOMER: Statement = {
  name: 'erasure.erase_customer',
  text: `UPDATE customers SET ${CUSTOMER_COLUMNS.map((column) => `${column} = NULL`).join(', ')},
      erased_at = now(), erasure_due_at = now() + $3 * interval '1 ms'
    WHERE id = $1 AND merchant_id = $2 AND erased_at IS NULL RETURNING id`,
};

/** The customer whose turn it is. */
export const NEXT_ERASURE: Statement = {
  name: 'erasure.next',
  text: `SELECT id, erasure_due_at FROM customers WHERE erasure_due_at <= now() ORDER BY erasure_due_at LIMIT 1`,
};

/** $1 customer, $2 due at, $3 in how many ms again, `null`: nothing is left. Nothing when it was reopened meanwhile. */
export const END_ERASURE: Statement = {
  name: 'erasure.end',
  text: `UPDATE customers SET erasure_due_at = now() + $3 * interval '1 ms' WHERE id = $1 AND erasure_due_at = $2`,
};

const ORIGIN = `substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+')`;
/** Nothing will be sent of such a payment any more. */
const IS_FINAL = `status IN ('failed', 'cancelled', 'refunded')`;
/** No charge is made or repeated for such a payment: its payer needs no way back. */
const IS_CHARGED = `(status = 'completed' OR ${IS_FINAL})`;

/**
 * Blanks a batch of a customer's payments: $1 customer, $2 id to start after, $3 how many. Answers their ids. Of the
 * address of a payment that is over, where query and path may name the customer, the origin stays.
 */
export const ERASE_PAYMENTS: Statement = {
  name: 'erasure.erase_payments',
  text: `WITH batch AS MATERIALIZED (
      SELECT id FROM payments WHERE customer_id = $1 AND id > $2 ORDER BY id LIMIT $3
    ), erased AS (
      UPDATE payments SET metadata = NULL, provider_metadata = '{}',
        webhook_endpoint = CASE WHEN ${IS_FINAL} THEN ${ORIGIN} ELSE webhook_endpoint END,
        return_url = CASE WHEN ${IS_CHARGED} THEN NULL ELSE return_url END
      WHERE id = ANY (ARRAY(SELECT id FROM batch)) AND (metadata IS NOT NULL OR provider_metadata::text <> '{}'
        OR (${IS_FINAL} AND webhook_endpoint <> ${ORIGIN}) OR (${IS_CHARGED} AND return_url IS NOT NULL))
    )
    SELECT id FROM batch ORDER BY id`,
};

/** What merchants gave as reasons of refunds of these payments: $1. Not of one that is still being asked for. */
export const ERASE_OPERATIONS: Statement = {
  name: 'erasure.erase_operations',
  text: `UPDATE provider_operations SET refund_reason = NULL
    WHERE payment_id = ANY ($1::bigint[]) AND refund_reason IS NOT NULL AND state IN ('confirmed', 'refused')`,
};

/** What providers told about these payments: $1. */
export const ERASE_NOTIFICATIONS: Statement = {
  name: 'erasure.erase_notifications',
  text: `UPDATE provider_notifications SET data = '{}' WHERE payment_id = ANY ($1::bigint[]) AND data::text <> '{}'`,
};

/** And what they told before we knew of the payment. */
export const ERASE_EARLY_NOTIFICATIONS: Statement = {
  name: 'erasure.erase_early_notifications',
  text: `UPDATE provider_notifications SET data = '{}' WHERE id = ANY (ARRAY(
      SELECT n.id FROM payment_attempts a JOIN provider_notifications n
        ON n.shop_id = a.shop_id AND n.provider_transaction_id = a.provider_transaction_id AND n.payment_id IS NULL
      WHERE a.payment_id = ANY ($1::bigint[]) AND n.data::text <> '{}'))`,
};
