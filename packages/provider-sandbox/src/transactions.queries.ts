import type { Statement } from '@payment-orchestrator/provider-kit';

export type SandboxStatus = 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';

/** The sandbox's row of a reference. */
export interface SandboxTransaction {
  id: number;
  reference: string;
  transaction_id: string;
  payment_id: number;
  shop_id: number;
  status: SandboxStatus;
  /** The status that it will have soon. */
  becomes: SandboxStatus | null;
  /** Decimal text. */
  amount: string;
  currency: string;
  /** Key of the charge; `null` while only a void has come under the reference. */
  idempotency_key: string | null;
  /** Fingerprint of the charge's request. */
  fingerprint: string | null;
  /** The answer to the charge. */
  outcome: 'approved' | 'authorized' | 'processing' | 'declined' | 'soft_declined';
  decline_code: string | null;
  /** The answer to a refund. */
  refunds: 'confirmed' | 'pending' | 'refused';
  /** When the authorisation of a manual charge ends; `null`: the charge captures. */
  capture_before: Date | null;
  /** The answer to a capture; `null`: confirmed. */
  captures: 'pending' | 'refused' | null;
  /** Operations that were accepted, and fail a little later. */
  fails: 'capture' | 'refund' | null;
  refuses_voids: boolean;
  /** The captured amount, decimal text. */
  captured_amount: string;
  /** The sum of done refunds, decimal text. */
  refunded_amount: string;
  /** The sum of all refunds, pending ones included, decimal text. */
  reserved_amount: string;
  /** Names the payer's step; `null`: the payer does not decide. */
  page: string | null;
  /** The address of that step; `null`: it takes place in the merchant's page. */
  page_url: string | null;
  /** Removed when the transaction has its outcome. */
  return_url: string | null;
  /** Number of charges under the reference and its key. */
  calls: number;
  created_at: Date;
  updated_at: Date;
}

/** A charge to insert; times in ms from now. */
export interface NewSandboxTransaction extends Pick<
  SandboxTransaction,
  | 'reference'
  | 'transaction_id'
  | 'payment_id'
  | 'shop_id'
  | 'status'
  | 'amount'
  | 'currency'
  | 'outcome'
  | 'refunds'
  | 'capture_before'
  | 'captures'
  | 'fails'
  | 'refuses_voids'
> {
  idempotency_key: string;
  fingerprint: string;
  decline_code: string | null;
  settles_as: 'captured' | 'declined' | null;
  settles_in_ms: number | null;
  /** `null`: it is not authorised yet, or the charge captures. */
  authorized_in_ms: number | null;
  page: string | null;
  page_url: string | null;
  return_url: string | null;
  settled_by: string | null;
  notifications: NewSandboxNotification[];
}

export interface NewSandboxNotification {
  id: string;
  body: string;
  signature: string;
  /** `null`: not before the payer's choice. */
  due_in_ms: number | null;
  choice: 'approve' | 'decline' | null;
}

/**
 * A delayed status applies from its due time on, whether or not it is stored, so no timer can be late. A capture that
 * fails has none: the authorisation stays.
 */
const IS_DUE = `t.settles_at <= clock_timestamp()`;
const IS_SETTLED = `(${IS_DUE} AND t.fails IS DISTINCT FROM 'capture')`;
const IS_UNDER_WAY = `t.settles_at > clock_timestamp()`;

/** An authorisation that waits for its capture is stored as `open`; one that has lapsed is voided. */
const STATUS = `CASE WHEN ${IS_SETTLED} THEN t.settles_as
    WHEN t.status = 'open' AND t.authorized_at <= clock_timestamp() THEN
      CASE WHEN (${IS_UNDER_WAY}) IS NOT TRUE AND t.capture_before <= clock_timestamp() THEN 'voided' ELSE 'authorized' END
    ELSE t.status END`;

/** A refund by the version before has no row: it was of the whole amount. */
const refundsOf = (which: string): string =>
  `(SELECT COALESCE(sum(r.amount), 0) FROM sandbox_refunds r WHERE r.reference = t.reference ${which})`;

const DONE_REFUNDS = refundsOf(
  'AND (r.settles_at <= clock_timestamp()) IS NOT FALSE AND (r.fails_at <= clock_timestamp()) IS NOT TRUE',
);

/** If its refunds may fail, a transaction is never stored as `refunded`. */
const STATUS_AFTER_REFUNDS = `CASE WHEN t.fails = 'refund' AND ${STATUS} = 'captured'
    AND ${DONE_REFUNDS} >= COALESCE(t.captured, t.amount) THEN 'refunded' ELSE ${STATUS} END`;

const TRANSACTION = `t.id, t.reference, t.transaction_id, t.payment_id, t.shop_id, ${STATUS_AFTER_REFUNDS} AS status,
  t.capture_before, t.captures, t.fails, t.refuses_voids,
  CASE WHEN ${STATUS} IN ('captured', 'refunded') THEN COALESCE(t.captured, t.amount) ELSE 0 END AS captured_amount,
  CASE ${STATUS} WHEN 'refunded' THEN COALESCE(t.captured, t.amount)
    WHEN 'captured' THEN ${DONE_REFUNDS}
    ELSE 0 END AS refunded_amount,
  CASE WHEN 'refunded' IN (t.status, t.settles_as) THEN COALESCE(t.captured, t.amount)
    ELSE ${refundsOf('AND (r.fails_at <= clock_timestamp()) IS NOT TRUE')} END AS reserved_amount,
  CASE WHEN ${IS_DUE} THEN NULL ELSE t.settles_as END AS becomes,
  t.amount, t.currency, t.idempotency_key, t.fingerprint, t.outcome, t.decline_code, t.refunds, t.page, t.page_url, t.return_url,
  t.calls, t.created_at, CASE WHEN ${IS_DUE} THEN t.settles_at ELSE t.updated_at END AS updated_at`;

const CHARGE: Readonly<Record<keyof NewSandboxTransaction, string>> = {
  reference: 'text',
  transaction_id: 'text',
  payment_id: 'bigint',
  shop_id: 'bigint',
  status: 'text',
  settles_as: 'text',
  settles_in_ms: 'integer',
  authorized_in_ms: 'integer',
  capture_before: 'timestamptz',
  captures: 'text',
  amount: 'numeric',
  currency: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  outcome: 'text',
  decline_code: 'text',
  refunds: 'text',
  fails: 'text',
  refuses_voids: 'boolean',
  page: 'text',
  page_url: 'text',
  return_url: 'text',
  settled_by: 'text',
  notifications: 'json',
};

/**
 * Inserts charges whose reference and key are both new, with their notifications, and returns their keys and
 * fingerprints: $1 JSON array of `NewSandboxTransaction`. The shop's merchant is looked up here. Sorted, so that two of
 * these statements lock keys in the same order. A key of an operation is looked up and not joined: the planner would
 * read the whole index.
 */
export const INSERT_CHARGES: Statement = {
  name: 'sandbox.insert_charges',
  text: `WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS r (${Object.entries(CHARGE)
        .map((field) => field.join(' '))
        .join(', ')})
    ), inserted AS (
      INSERT INTO sandbox_transactions (reference, transaction_id, merchant_id, shop_id, payment_id, status, settles_as,
        settles_at, amount, currency, idempotency_key, fingerprint, outcome, decline_code, refunds, page, page_url,
        return_url, settled_by, authorized_at, capture_before, captures, fails, refuses_voids, calls)
      SELECT i.reference, i.transaction_id, (SELECT s.merchant_id FROM shops s WHERE s.id = i.shop_id), i.shop_id,
        i.payment_id, i.status, i.settles_as, clock_timestamp() + i.settles_in_ms * interval '1 ms', i.amount, i.currency,
        i.idempotency_key, i.fingerprint, i.outcome, i.decline_code, i.refunds, i.page, i.page_url, i.return_url,
        i.settled_by, clock_timestamp() + i.authorized_in_ms * interval '1 ms', i.capture_before, i.captures,
        i.fails, i.refuses_voids, 1
      FROM input i
      WHERE (SELECT o.idempotency_key FROM sandbox_operations o WHERE o.idempotency_key = i.idempotency_key) IS NULL
      ORDER BY i.reference
      ON CONFLICT DO NOTHING
      RETURNING reference, idempotency_key, fingerprint, settles_at
    ), notified AS (
      INSERT INTO sandbox_notifications (id, reference, shop_id, choice, body, signature, due_at)
      SELECT n.id, i.reference, i.shop_id, n.choice, n.body, n.signature,
        CASE WHEN n.due_in_ms IS NOT NULL THEN COALESCE(t.settles_at, clock_timestamp() + n.due_in_ms * interval '1 ms') END
      FROM input i JOIN inserted t ON t.reference = i.reference
      CROSS JOIN json_to_recordset(i.notifications) AS n (id text, choice text, body text, signature text, due_in_ms integer)
    )
    SELECT idempotency_key, fingerprint FROM inserted`,
};

/** Counts a repeated charge: $1 key, $2 fingerprint. Returns no row if the key is new or belongs to another request. */
export const COUNT_REPEAT: Statement = {
  name: 'sandbox.count_repeat',
  text: `UPDATE sandbox_transactions t SET calls = t.calls + 1 WHERE t.idempotency_key = $1 AND t.fingerprint = $2
    RETURNING ${TRANSACTION}`,
};

/** Counts a charge that comes after its void: $1 reference. Returns no row if no void came first. */
export const COUNT_LATE_CHARGE: Statement = {
  name: 'sandbox.count_late_charge',
  text: `UPDATE sandbox_transactions t SET calls = t.calls + 1 WHERE t.reference = $1 AND t.idempotency_key IS NULL
    RETURNING ${TRANSACTION}`,
};

/** Whether any request has used the key $1. */
export const IS_KEY_USED: Statement = {
  name: 'sandbox.is_key_used',
  text: `SELECT EXISTS (SELECT FROM sandbox_transactions WHERE idempotency_key = $1)
    OR EXISTS (SELECT FROM sandbox_operations WHERE idempotency_key = $1) AS used`,
};

/**
 * The transaction with the reference $1. Waits for a concurrent change: a void that was in time, but is committed after
 * the due time, must not be returned as captured.
 */
export const FIND_TRANSACTION: Statement = {
  name: 'sandbox.find',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t WHERE t.reference = $1 FOR SHARE`,
};

/** A merchant's transaction: $1 merchant, $2 transaction id. */
export const FIND_OWN: Statement = {
  name: 'sandbox.find_own',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t WHERE t.merchant_id = $1 AND t.transaction_id = $2
    ORDER BY t.id LIMIT 1`,
};

/** The transaction of the page $1. */
export const FIND_BY_PAGE: Statement = {
  name: 'sandbox.find_by_page',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t WHERE t.page = $1`,
};

/**
 * Ends an open transaction, and releases the notification of the payer's choice: $1 page, $2 choice, $3 status after
 * the choice. The return address may belong to a customer, so it is deleted.
 */
export const CHOOSE: Statement = {
  name: 'sandbox.choose',
  text: `WITH settled AS (
      UPDATE sandbox_transactions t SET return_url = NULL, updated_at = clock_timestamp(),
        status = CASE WHEN $3 = 'captured' AND t.capture_before IS NOT NULL THEN t.status ELSE $3 END,
        authorized_at = CASE WHEN $3 = 'captured' AND t.capture_before IS NOT NULL THEN clock_timestamp() END
      WHERE t.page = $1 AND t.status = 'open' AND t.authorized_at IS NULL
      RETURNING t.reference
    ), released AS (
      UPDATE sandbox_notifications n SET due_at = clock_timestamp() FROM settled s
      WHERE n.reference = s.reference AND n.choice = $2
    ), dropped AS (
      DELETE FROM sandbox_notifications n USING settled s WHERE n.reference = s.reference AND n.choice <> $2
    )
    SELECT reference FROM settled`,
};

/**
 * Applies a notification of the shop's secret owner to a transaction that waits for one: $1 transaction id, $2
 * reference, one may be null; $3 account, $4 status, $5 amount and $6 currency, or null. Of a manual charge a part may be
 * captured.
 */
export const FOLLOW: Statement = {
  name: 'sandbox.follow',
  text: `UPDATE sandbox_transactions t SET updated_at = clock_timestamp(),
      status = CASE $4 WHEN 'authorized' THEN t.status ELSE $4 END,
      authorized_at = CASE $4 WHEN 'authorized' THEN clock_timestamp() ELSE t.authorized_at END,
      captured = CASE $4 WHEN 'captured' THEN $5::numeric ELSE t.captured END
    WHERE t.transaction_id = COALESCE($1, (SELECT r.transaction_id FROM sandbox_transactions r WHERE r.reference = $2))
      AND t.settled_by = $3
      AND t.status = CASE $4 WHEN 'refunded' THEN 'captured' ELSE 'open' END
      AND ($4 <> 'authorized' OR t.capture_before IS NOT NULL)
      AND ($5::numeric IS NULL OR COALESCE(t.captured, t.amount) = $5::numeric
        OR $4 = 'captured' AND t.capture_before IS NOT NULL AND $5::numeric < t.amount)
      AND ($6::text IS NULL OR t.currency = $6)`,
};

/** A page of a merchant's transactions, newest first: $1 merchant, $2 cursor, $3 limit. */
export const LIST_TRANSACTIONS: Statement = {
  name: 'sandbox.list',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t WHERE t.merchant_id = ANY (ARRAY[$1::bigint]) AND t.id < $2
    ORDER BY t.merchant_id DESC, t.id DESC LIMIT $3`,
};

/** The same of one payment, which has few: $4 payment, $5 shop or null. */
export const LIST_TRANSACTIONS_OF_PAYMENT: Statement = {
  name: 'sandbox.list_of_payment',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t
    WHERE t.merchant_id = $1 AND t.id < $2 AND t.payment_id = ANY (ARRAY[$4::bigint])
      AND ($5::bigint IS NULL OR t.shop_id = $5)
    ORDER BY t.payment_id DESC, t.id DESC LIMIT $3`,
};

/**
 * The same of one shop, which no index has: $4 shop, $5 the number of transactions to look at. Each row has that number and
 * the last id looked at.
 */
export const WALK_TRANSACTIONS_OF_SHOP: Statement = {
  name: 'sandbox.walk_of_shop',
  text: `WITH walked AS MATERIALIZED (
      SELECT t.id FROM sandbox_transactions t WHERE t.merchant_id = ANY (ARRAY[$1::bigint]) AND t.id < $2
      ORDER BY t.merchant_id DESC, t.id DESC LIMIT $5
    ), page AS MATERIALIZED (
      SELECT q.* FROM (SELECT id FROM walked ORDER BY id DESC) w CROSS JOIN LATERAL (
        SELECT ${TRANSACTION} FROM sandbox_transactions t
        WHERE t.merchant_id = ANY (ARRAY[$1::bigint]) AND t.id = w.id AND t.shop_id = $4 OFFSET 0
      ) q
      ORDER BY w.id DESC LIMIT $3
    )
    SELECT w.walked_to, w.walked, p.* FROM (SELECT min(id) AS walked_to, count(*)::integer AS walked FROM walked) w
    LEFT JOIN page p ON true ORDER BY p.id DESC`,
};

/** A shop's transactions, oldest first: $1 shop, $2 created since, $3 id to start after, $4 limit. */
export const LIST_SINCE: Statement = {
  name: 'sandbox.list_since',
  text: `SELECT ${TRANSACTION} FROM sandbox_transactions t
    WHERE t.merchant_id = (SELECT s.merchant_id FROM shops s WHERE s.id = $1) AND t.id > $3
      AND t.shop_id = $1 AND t.created_at >= $2::timestamptz
    ORDER BY t.id LIMIT $4`,
};
