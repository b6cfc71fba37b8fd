import type { Statement } from '../../platform/database/database.js';
import { addDueWorkFrom, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import type { Agreement } from '../../shared/agreement.js';
import type { CardFacts, PaymentMethodOption } from '../../shared/payment-method.js';
import { SHOPS } from '../../shared/relations.js';

/** A saved payment method, without its tokens. */
export interface SavedMethodRow {
  id: number;
  customer_id: number;
  type: string | null;
  card: CardFacts | null;
  options: PaymentMethodOption[];
  agreement: Agreement | null;
  network_transaction_id: string | null;
  created_at: Date;
}

/** With the tokens of its options, encrypted. */
export interface SealedMethodRow extends SavedMethodRow {
  merchant_id: number;
  sealed_tokens: Buffer;
  /** The provider's id of the charge that saved it; set only when it is to be charged. */
  transaction_id?: string | null;
}

/** One that is not removed; `is_usable`: it can be charged. */
export interface KeptMethodRow extends SealedMethodRow {
  payment_id: number | null;
  is_usable: boolean;
}

const COLUMNS = 'id, customer_id, type, card, options, agreement, network_transaction_id, created_at';

/** Locks the customer $2 of the merchant $1, so that its limit holds and its erasure waits. */
export const LOCK_CUSTOMER: Statement = {
  name: 'saved_methods.lock_customer',
  text: 'SELECT erased_at FROM customers WHERE id = $2 AND merchant_id = $1 FOR NO KEY UPDATE',
};

/** The customer $2 of the merchant $1. */
export const FIND_OWNER: Statement = {
  name: 'saved_methods.find_owner',
  text: 'SELECT id FROM customers WHERE id = $2 AND merchant_id = $1',
};

/** The payment method that an earlier request with a key saved: $1 merchant, $2 key. */
export const FIND_BY_KEY: Statement = {
  name: 'saved_methods.find_by_key',
  text: `SELECT ${COLUMNS}, request_hash FROM saved_payment_methods WHERE merchant_id = $1 AND idempotency_key = $2`,
};

/** Reserves an id, which the tokens are bound to. */
export const TAKE_METHOD_ID: Statement = {
  name: 'saved_methods.take_id',
  text: `SELECT nextval(pg_get_serial_sequence('saved_payment_methods', 'id')) AS id`,
};

/** $1 id, $2 merchant, $3 customer, $4 type, $5 card, $6 options, $7 encrypted tokens, $8 client, $9 key, $10 its hash, $11 agreement, $12 the card network's id. */
export const INSERT_METHOD: Statement = {
  name: 'saved_methods.insert',
  text: `INSERT INTO saved_payment_methods (id, merchant_id, customer_id, type, card, options, sealed_tokens, client_id,
      idempotency_key, request_hash, agreement, network_transaction_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING ${COLUMNS}`,
};

/** The payment $1 whose payment method is to be saved, if its customer is $2; `null`: any. With the account of the shop $3. */
export const FIND_SAVING: Statement = {
  name: 'saved_methods.find_saving',
  text: `SELECT p.merchant_id, p.customer_id, s.provider, s.provider_account AS account
    FROM payments p JOIN ${SHOPS} s ON s.id = $3
    WHERE p.id = $1 AND p.customer_id = coalesce($2, p.customer_id) AND p.payment_method->'save' = 'true'`,
};

/** Work about a saved payment method: to look at the outcome of the charge that saved it, or to detach it. */
export const METHOD_WORK = 'saved_method';
const WORK = { kind: METHOD_WORK, id: 'id' };
/** How long the outcome of a charge that saved a payment method is awaited until it is looked at again. */
export const OUTCOME_WAIT_MS = 3_600_000;

/**
 * Inserts the payment method that a charge saved, once: $1 id, $2 payment, $3 shop, $4 attempt, $5 encrypted tokens, $6 the
 * card network's id of the charge, $7 the provider's facts about the card, $8 the provider's id of the charge. Facts of the request are only for those that the
 * provider does not tell. A later report only adds what the provider tells then. The shop is
 * locked, so that a change of its account's label waits and includes the method.
 */
export const KEEP_METHOD: Statement = {
  name: 'saved_methods.keep',
  text: `WITH kept AS (
    INSERT INTO saved_payment_methods AS m (id, merchant_id, customer_id, payment_id, type, card, options, sealed_tokens,
      network_transaction_id, agreement, transaction_id)
    SELECT $1, p.merchant_id, p.customer_id, p.id, p.payment_method->>'type',
      nullif(coalesce(p.payment_method->'card', '{}') || coalesce(a.card, '{}') || coalesce($7::jsonb, '{}'), '{}'),
      jsonb_build_array(jsonb_build_object('provider', s.provider, 'account', s.provider_account)), $5, $6, p.agreement, $8
    FROM payments p JOIN ${SHOPS} s ON s.id = $3
      LEFT JOIN payment_attempts a ON a.payment_id = p.id AND a.number = $4 WHERE p.id = $2 FOR SHARE OF s
    ON CONFLICT (payment_id) WHERE payment_id IS NOT NULL
    DO UPDATE SET card = CASE WHEN $7::jsonb IS NULL THEN m.card ELSE coalesce(m.card, '{}') || $7::jsonb END,
      network_transaction_id = coalesce(m.network_transaction_id, $6), transaction_id = coalesce(m.transaction_id, $8)
    WHERE m.removed_at IS NULL AND ($6 IS NOT NULL OR $7::jsonb IS NOT NULL OR $8 IS NOT NULL) RETURNING id
    ) ${addDueWorkFrom('kept', WORK, `clock_timestamp() + interval '${OUTCOME_WAIT_MS} ms'`)} WHERE id = $1`,
};

/**
 * A payment method that a charge saved is usable as soon as the charge has succeeded. A scalar subquery: for EXISTS,
 * PostgreSQL 18 hashes all payments in a plan that it makes while the table is small.
 */
const IS_USABLE = `removed_at IS NULL AND (payment_id IS NULL
      OR coalesce((SELECT p.amount_authorized > 0 FROM payments p WHERE p.id = payment_id), false))`;

/** A page of a customer's payment methods, newest first: $1 customer, $2 id to end before, $3 limit. */
export const LIST_METHODS: Statement = {
  name: 'saved_methods.list',
  text: `SELECT ${COLUMNS} FROM saved_payment_methods WHERE customer_id = $1 AND id < $2 AND ${IS_USABLE}
    ORDER BY id DESC LIMIT $3`,
};

/** $1 merchant, $2 customer, $3 id. */
export const FIND_METHOD: Statement = {
  name: 'saved_methods.find',
  text: `SELECT ${COLUMNS}, merchant_id, sealed_tokens, transaction_id FROM saved_payment_methods
    WHERE id = $3 AND customer_id = $2 AND merchant_id = $1 AND ${IS_USABLE}`,
};

/** The payment methods of the customer $1 that are not removed, with their tokens, oldest first. */
export const LIST_KEPT: Statement = {
  name: 'saved_methods.list_kept',
  text: `SELECT ${COLUMNS}, merchant_id, sealed_tokens, payment_id, ${IS_USABLE} AS is_usable FROM saved_payment_methods
    WHERE customer_id = $1 AND removed_at IS NULL ORDER BY id`,
};

/** Removes payment methods. Only the tokens are kept, because they are needed to detach them, which is due now. */
const remove = (which: string): string =>
  `WITH removed AS (
      UPDATE saved_payment_methods SET removed_at = clock_timestamp(), type = NULL, card = NULL, network_transaction_id = NULL, transaction_id = NULL,
        client_id = NULL, idempotency_key = NULL, request_hash = NULL
      WHERE ${which} RETURNING id
    ), work AS (
      ${setDueWorkFrom('removed', WORK, 'clock_timestamp()')}
    )
    SELECT id FROM removed`;

/** $1 merchant, $2 customer, $3 id. */
export const REMOVE_METHOD: Statement = {
  name: 'saved_methods.remove',
  text: remove(`id = $3 AND customer_id = $2 AND merchant_id = $1 AND ${IS_USABLE}`),
};

/** Removes all of the customer $1. */
export const REMOVE_METHODS: Statement = {
  name: 'saved_methods.remove_all',
  text: remove('customer_id = $1 AND removed_at IS NULL'),
};

/** Removes the payment method $1, whose payment has failed. */
export const REMOVE_UNCHARGED: Statement = {
  name: 'saved_methods.remove_uncharged',
  text: remove('id = $1 AND removed_at IS NULL'),
};

/** How many rows of the customer $1 are left, removed ones included. */
export const COUNT_LEFT: Statement = {
  name: 'saved_methods.count_left',
  text: 'SELECT count(*)::int AS count FROM saved_payment_methods WHERE customer_id = $1',
};

/** A payment method whose work is due. */
export interface DueMethod extends SealedMethodRow {
  /** How long ago it was removed, in ms; `null`: it is not. */
  removed_ms: number | null;
  /** The payment that saved it has taken money; `null`: no payment did. */
  is_charged: boolean | null;
  has_failed: boolean | null;
}

/** The payment method $1. */
export const FIND_DUE_METHOD: Statement = {
  name: 'saved_methods.find_due',
  text: `SELECT ${COLUMNS.split(', ')
    .map((column) => `m.${column}`)
    .join(', ')}, m.merchant_id, m.sealed_tokens,
      (extract(epoch FROM clock_timestamp() - m.removed_at) * 1000)::float8 AS removed_ms,
      p.amount_authorized > 0 AS is_charged, p.status IN ('failed', 'cancelled') AS has_failed
    FROM saved_payment_methods m LEFT JOIN payments p ON p.id = m.payment_id WHERE m.id = $1`,
};

/** A shop of each account that an option is about: $1 merchant, $2 provider, $3 account, `null`: all. */
export const SHOPS_OF_ACCOUNTS: Statement = {
  name: 'saved_methods.shops_of_accounts',
  text: `SELECT DISTINCT ON (provider_account) id FROM ${SHOPS} shop
    WHERE merchant_id = $1 AND provider = $2 AND ($3::text IS NULL OR provider_account = $3)
    ORDER BY provider_account, enabled DESC, id DESC`,
};

/** $1 id. A later report about its charge stores nothing again. */
export const DELETE_REMOVED: Statement = {
  name: 'saved_methods.delete_removed',
  text: `WITH removed AS (DELETE FROM saved_payment_methods WHERE id = $1 AND removed_at IS NOT NULL RETURNING payment_id)
    UPDATE payments SET payment_method = payment_method - 'save' FROM removed WHERE payments.id = removed.payment_id`,
};
