import type { Statement } from '../../platform/database/database.js';
import { sealedAccountOf } from '../../shops/shop-summary.js';
import { countPaymentsFrom } from '../../webhooks/outbox/outbox-sql.js';
import type { NewCustomer } from '../ledger/customer.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { customerIn, FIELDS, FIELDS_OF_C } from './customers.queries.js';

/** What a new payment is stored with as it stands, and the type that it is read as. */
const STORED = {
  merchant_id: 'bigint',
  shop_id: 'bigint',
  flow_id: 'bigint',
  payment_session_id: 'text',
  provider_transaction_id: 'text',
  payment_provider: 'text',
  amount: 'numeric',
  currency: 'text',
  country: 'text',
  webhook_endpoint: 'text',
  webhook_lane_id: 'bigint',
  metadata: 'json',
  return_url: 'text',
  traceparent: 'text',
  max_attempts: 'smallint',
  fallback_shop_ids: 'bigint[]',
} as const;

/** A payment to insert, times in ISO 8601. */
export interface NewPaymentRecord extends Pick<PaymentRow, keyof typeof STORED> {
  flow_version: number;
  /** A customer that is there already; or else `customer`, if any. */
  known_customer_id: number | null;
  /** The id that `customer` gets; `null`: any. */
  new_customer_id: number | null;
  customer: NewCustomer | null;
  created_at: string;
  expires_at: string;
  decision: object;
  /** Of the first attempt's charge. */
  reference: string;
  charge_key: string;
  /** Hex; `null`: none, or the provider can be asked without. */
  sealed_payment_token: string | null;
  /** The idempotency key that the payment is made under, if any: all three or none. */
  key_client_id: string | null;
  key: string | null;
  key_lock_version: number | null;
}

/** What the database adds to a record. */
export interface InsertedPayment {
  /** Index of the record, from 0. */
  position: number;
  id: number;
  customer_id: number | null;
  /** Decimal text with the column's decimals. */
  amount: string;
  /** Of its shop, for the call that follows. */
  sealed_account: Buffer;
}

const COLUMNS = Object.keys(STORED).join(', ');
const TYPED_COLUMNS = Object.entries(STORED)
  .map((column) => column.join(' '))
  .join(', ');

/**
 * Transaction 1 of many payments: $1 JSON array of `NewPaymentRecord` with their `position`, $2 in how many ms somebody else
 * may look at their charges. Each with its first attempt and the operation of its charge, which thereby are committed before
 * the provider hears of it, and tied to its idempotency key. A payment whose key
 * somebody else has taken over is not inserted, and no row comes back for it. Keys are all that is locked here.
 * JSON and not arrays: a new field is one more line, and `json` keeps the text of what is stored as `json`.
 * `= ANY (ARRAY(…))`: whatever the planner thinks of the table's size, it looks the keys up.
 */
const insertPayments = (ifLocked: 'SKIP LOCKED' | ''): string => `WITH input AS MATERIALIZED (
      SELECT i.*, nextval('payments_id_seq') AS id,
        CASE WHEN i.customer IS NULL THEN i.known_customer_id
          ELSE COALESCE(i.new_customer_id, nextval('customers_id_seq')) END AS customer_id
      FROM json_to_recordset($1) AS i (position integer, ${TYPED_COLUMNS},
        flow_version integer, known_customer_id bigint, new_customer_id bigint, customer json,
        created_at timestamptz, expires_at timestamptz, decision json, reference text, charge_key text,
        sealed_payment_token text, key_client_id text, key text, key_lock_version integer)
    ), held AS MATERIALIZED (
      SELECT k.client_id, k.key FROM idempotency_keys k
      WHERE k.client_id = ANY (ARRAY(SELECT key_client_id FROM input)) AND k.key = ANY (ARRAY(SELECT key FROM input))
        AND (k.client_id, k.key, k.lock_version) IN (SELECT key_client_id, key, key_lock_version FROM input)
      FOR NO KEY UPDATE OF k ${ifLocked}
    ), attached AS (
      UPDATE idempotency_keys k SET payment_id = i.id FROM held h JOIN input i ON i.key_client_id = h.client_id AND i.key = h.key
      WHERE k.client_id = ANY (ARRAY(SELECT client_id FROM held)) AND k.key = ANY (ARRAY(SELECT key FROM held))
        AND k.client_id = h.client_id AND k.key = h.key
      RETURNING i.id
    ), accepted AS MATERIALIZED (
      SELECT * FROM input WHERE key IS NULL OR id IN (SELECT id FROM attached)
    ), customers_inserted AS (
      INSERT INTO customers (id, merchant_id, ${FIELDS})
      SELECT a.customer_id, a.merchant_id, ${FIELDS_OF_C}
      FROM accepted a CROSS JOIN LATERAL ${customerIn('a.customer')}
      WHERE a.customer IS NOT NULL
    ), payments_inserted AS (
      INSERT INTO payments (id, ${COLUMNS}, flow_version, customer_id, created_at, updated_at, expires_at, decision)
      SELECT id, ${COLUMNS}, flow_version, customer_id, created_at, created_at, expires_at, decision FROM accepted
      RETURNING id, amount
    ), attempts_begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at, reference)
      SELECT id, 1, shop_id, payment_provider, provider_transaction_id, created_at, reference FROM accepted
    ), charges_opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
        amount, currency, state, next_try_at, sealed_payment_token)
      SELECT merchant_id, shop_id, id, 1, 'charge', 'payment', charge_key, reference, amount, currency, 'open',
        clock_timestamp() + $2 * interval '1 ms', decode(sealed_payment_token, 'hex') FROM accepted
    ), counted AS (
      ${countPaymentsFrom('accepted')}
    )
    SELECT a.position, a.id, a.customer_id, p.amount, ${sealedAccountOf('a.merchant_id', 'a.shop_id')} AS sealed_account
    FROM accepted a JOIN payments_inserted p USING (id)`;

/** For a group: leaves out the payments whose keys are locked at the moment. */
export const INSERT_PAYMENTS: Statement = { name: 'payments.insert_many', text: insertPayments('SKIP LOCKED') };

/** For a payment by itself: waits for its key. */
export const INSERT_PAYMENT: Statement = { name: 'payments.insert', text: insertPayments('') };
