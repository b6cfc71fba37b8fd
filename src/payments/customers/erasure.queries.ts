import type { Statement } from '../../platform/database/database.js';
import { dueAtOf, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import { completeKeys } from '../../platform/idempotency/idempotency.queries.js';
import { CUSTOMER_COLUMNS, ERASURE_WORK } from '../store/customer.js';
import { ERASED_KEY_PREFIX, erasedKey } from '../store/refund.queries.js';
import { ERASE_AUDITED_DETAILS } from '../../shared/relations.js';

export interface ErasureRow {
  /** `null`: not requested. */
  erased_at: Date | null;
  /** When the remaining data is to be redacted; `null`: none remains. */
  erasure_due_at: Date | null;
}

/** State of a customer's erasure: $1 customer, $2 merchant. */
export const FIND_ERASURE: Statement = {
  name: 'erasure.find',
  text: `SELECT c.erased_at, ${dueAtOf(ERASURE_WORK('c.id'))} AS erasure_due_at FROM customers c
    WHERE c.id = $1 AND c.merchant_id = $2`,
};

/** Redacts the customer's row, and schedules the other data: $1 customer, $2 merchant, $3 in how many ms. */
export const ERASE_CUSTOMER: Statement = {
  name: 'erasure.erase_customer',
  text: `WITH erased AS (
      UPDATE customers SET ${CUSTOMER_COLUMNS.map((column) => `${column} = NULL`).join(', ')}, erased_at = now()
      WHERE id = $1 AND merchant_id = $2 AND erased_at IS NULL RETURNING id
    ), work_added AS (
      ${setDueWorkFrom('erased', ERASURE_WORK('id'), `now() + $3 * interval '1 ms'`)}
    )
    SELECT id FROM erased`,
};

const ORIGIN = `substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+')`;
/** The payment has no further webhooks. The refund of a refunded payment may still fail. */
const IS_FINAL = `status IN ('failed', 'cancelled')`;
/** No charge is made or repeated for the payment, so its payer needs no return address. */
const IS_CHARGED = `status IN ('completed', 'refunded', 'failed', 'cancelled')`;

/** The facts of a card without those of one card only: what remains is equal for many payers. */
const withoutCardId = (card: string): string => `${card} - 'last4' - 'expiry_month' - 'expiry_year'`;

const CARD = `payment_method -> 'card'`;
const NAMES_CARD = `${CARD} ?| ARRAY['last4', 'expiry_month', 'expiry_year']`;

/**
 * Redacts a batch of a customer's payments: $1 customer, $2 id to start after, $3 limit. Returns their ids. The webhook
 * address of an ended payment keeps only its origin, because path and query may name the customer.
 */
export const ERASE_PAYMENTS: Statement = {
  name: 'erasure.erase_payments',
  text: `WITH batch AS MATERIALIZED (
      SELECT id FROM payments WHERE customer_id = $1 AND id > $2 ORDER BY id LIMIT $3
    ), erased AS (
      UPDATE payments SET metadata = NULL, provider_metadata = '{}',
        webhook_endpoint = CASE WHEN ${IS_FINAL} THEN ${ORIGIN} ELSE webhook_endpoint END,
        return_url = CASE WHEN ${IS_CHARGED} THEN NULL ELSE return_url END,
        payment_method = CASE WHEN ${NAMES_CARD}
          THEN jsonb_set(payment_method, '{card}', ${withoutCardId(`(${CARD})`)}) ELSE payment_method END
      WHERE id = ANY (ARRAY(SELECT id FROM batch)) AND (metadata IS NOT NULL OR provider_metadata::text <> '{}'
        OR ${NAMES_CARD} OR (${IS_FINAL} AND webhook_endpoint <> ${ORIGIN}) OR (${IS_CHARGED} AND return_url IS NOT NULL))
    )
    SELECT id FROM batch ORDER BY id`,
};

/** The card that providers reported with the attempts of these payments: $1. */
export const ERASE_ATTEMPTS: Statement = {
  name: 'erasure.erase_attempts',
  text: `UPDATE payment_attempts SET card = ${withoutCardId('card')}
    WHERE payment_id = ANY ($1::bigint[]) AND card ?| ARRAY['last4', 'expiry_month', 'expiry_year']`,
};

/** The outcome of an operation that a person settled, without the person's words. */
const SETTLED = `substring(reason FROM '^settled as [a-z_]+(?=: )')`;

/**
 * Merchants' reasons for refunds and for settling of these payments: $1. An open refund keeps its reason.
 */
export const ERASE_OPERATIONS: Statement = {
  name: 'erasure.erase_operations',
  text: `UPDATE provider_operations SET refund_reason = NULL, reason = coalesce(${SETTLED}, reason)
    WHERE payment_id = ANY ($1::bigint[]) AND (refund_reason IS NOT NULL OR ${SETTLED} IS NOT NULL)
      AND state IN ('confirmed', 'refused')`,
};

/** Merchants' reasons for settling in the audit log: $1 payments. No other change of an entry is possible (its trigger). */
export const ERASE_AUDITED_REASONS: Statement = {
  name: 'erasure.erase_audited_reasons',
  text: `${ERASE_AUDITED_DETAILS} = (
      SELECT json_object_agg(d.key, d.value) FROM json_each(a.details) d WHERE d.key <> 'reason')
    FROM payments p
    WHERE p.id = ANY ($1::bigint[]) AND a.merchant_id = p.merchant_id AND a.object_type = 'payment'
      AND a.object_id = p.id::text AND a.action IN ('operation.settled', 'operation.settlement_requested')
      AND a.details ->> 'reason' IS NOT NULL`,
};

const IS_ERASED_KEY = `coalesce(idempotency_key LIKE '${ERASED_KEY_PREFIX}%', true)`;

/** Merchants' texts in the refunds of these payments: $1. A digest of their key still prevents a second refund. */
export const ERASE_REFUNDS: Statement = {
  name: 'erasure.erase_refunds',
  text: `UPDATE refunds SET reason = NULL, metadata = NULL, idempotency_key = CASE WHEN ${IS_ERASED_KEY} THEN idempotency_key ELSE ${erasedKey('idempotency_key')} END
    WHERE payment_id = ANY ($1::bigint[])
      AND (reason IS NOT NULL OR metadata IS NOT NULL OR NOT ${IS_ERASED_KEY})`,
};

/** Data of providers' notifications about these payments: $1. */
export const ERASE_NOTIFICATIONS: Statement = {
  name: 'erasure.erase_notifications',
  text: `UPDATE provider_notifications SET data = '{}' WHERE payment_id = ANY ($1::bigint[]) AND data::text <> '{}'`,
};

/** Data of notifications that arrived before the payment was known. */
export const ERASE_EARLY_NOTIFICATIONS: Statement = {
  name: 'erasure.erase_early_notifications',
  text: `UPDATE provider_notifications SET data = '{}' WHERE id = ANY (ARRAY(
      SELECT n.id FROM payment_attempts a JOIN provider_notifications n
        ON n.shop_id = a.shop_id AND n.provider_transaction_id = a.provider_transaction_id AND n.payment_id IS NULL
      WHERE a.payment_id = ANY ($1::bigint[]) AND n.data::text <> '{}'))`,
};

/**
 * The customer of the payment of the key `k` is not erased. Customers are looked up and not joined: the planner would find
 * the payment by the index of customers if it assumes that few payments have one.
 */
const IS_NOT_ERASED =
  '(SELECT (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) FROM payments p WHERE p.id = k.payment_id) IS NULL';

/** Skips a key that was lost or is locked, and one whose customer was erased meanwhile. */
export const COMPLETE_KEYS: Statement = {
  name: 'idempotency.complete_many',
  text: completeKeys(IS_NOT_ERASED, 'SKIP LOCKED'),
};

/** For a single answer: waits for its key. */
export const COMPLETE_KEY: Statement = { name: 'idempotency.complete', text: completeKeys(IS_NOT_ERASED, '') };
