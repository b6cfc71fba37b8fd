import type { Statement } from '../../platform/database/database.js';
import { type Fields, recordFrom, recordsFrom, valuesOf } from '../../platform/database/writes.js';
import { encryptedCredentialsOf } from '../../shops/shop-summary.js';
import { countPaymentsFrom } from '../../webhooks/outbox/outbox-sql.js';
import type { NewCustomer } from '../store/customer.js';
import { addOperationWorkFrom } from '../store/open-operation.queries.js';
import type { PaymentRow } from '../money/state/payment.js';
import { customerIn, FIELDS, FIELDS_OF_C } from './customers.queries.js';

/** Columns of a new payment that are stored unchanged, and their types in JSON. */
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
  capture: 'text',
  payment_method: 'jsonb',
  initiator: 'text',
  agreement: 'text',
  traceparent: 'text',
  attempt: 'smallint',
  max_attempts: 'smallint',
  fallback_shop_ids: 'bigint[]',
} as const;

/** A payment to insert, times in ISO 8601. */
export interface NewPaymentRecord extends Pick<PaymentRow, keyof typeof STORED> {
  flow_version: number;
  /** The rollout that chose the version, and its stage; absent: none was running. */
  rollout_id?: number;
  rollout_stage?: number;
  /** An existing customer; otherwise `customer`, if any. */
  known_customer_id: number | null;
  /** The id for `customer`; `null`: any. */
  new_customer_id: number | null;
  customer: NewCustomer | null;
  created_at: string;
  expires_at: string;
  decision: object;
  /** Reference and key of the first attempt's charge; `null`: a rule declined the payment, so there is no attempt. */
  reference: string | null;
  charge_key: string | null;
  /** Hex; `null`: none, or the provider has a look-up by reference. */
  sealed_payment_token: string | null;
  /** The idempotency key that the payment is created under: all three fields or none. */
  key_client_id: string | null;
  key: string | null;
  key_lock_version: number | null;
}

/** The fields that the database adds to a record. */
export interface InsertedPayment {
  /** Index of the record, from 0. */
  position: number;
  id: number;
  customer_id: number | null;
  /** Decimal text with the column's decimals. */
  amount: string;
  /** Account of its shop, for the call that follows. */
  encrypted_account: Buffer;
}

const COLUMNS = Object.keys(STORED).join(', ');

const FIELDS_OF_RECORD: Fields<NewPaymentRecord> = {
  ...STORED,
  flow_version: 'integer',
  rollout_id: 'bigint',
  rollout_stage: 'smallint',
  known_customer_id: 'bigint',
  new_customer_id: 'bigint',
  customer: 'json',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  decision: 'json',
  reference: 'text',
  charge_key: 'text',
  sealed_payment_token: 'text',
  key_client_id: 'text',
  key: 'text',
  key_lock_version: 'integer',
};

/** Ids of a record `r`. */
const NEW_IDS = `nextval('payments_id_seq') AS id, CASE WHEN r.customer IS NULL THEN r.known_customer_id
        ELSE coalesce(r.new_customer_id, nextval('customers_id_seq')) END AS customer_id`;

/** CTEs, of which `input` has the records with their ids. JSON keeps the text of columns of type `json`. */
const MANY = `input AS MATERIALIZED (
      SELECT r.*, ${NEW_IDS} FROM ${recordsFrom('$2', { position: 'integer', ...FIELDS_OF_RECORD })}
    )`;
const ONE = `r AS NOT MATERIALIZED (SELECT 0 AS position, one.* FROM (${recordFrom(2, FIELDS_OF_RECORD)}) one),
    ids AS MATERIALIZED (SELECT ${NEW_IDS} FROM r),
    input AS NOT MATERIALIZED (SELECT r.*, ids.id, ids.customer_id FROM r CROSS JOIN ids)`;

const ALL_ACCEPTED = 'accepted AS NOT MATERIALIZED (SELECT * FROM input)';

/**
 * Ties payments to their idempotency keys, which are the only rows locked here, looked up by `= ANY (ARRAY(…))` regardless
 * of the planner's estimate of the table's size.
 */
const acceptedByKeys = (ifLocked: 'SKIP LOCKED' | ''): string => `held AS MATERIALIZED (
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
    )`;

/**
 * Transaction 1 of payments: each with its first attempt and the operation of its charge, which are thus committed
 * before the provider is called, and tied to its idempotency key. A payment of attempt 0 has neither. A payment whose key another request has taken over is
 * not inserted, and has no row in the result. $1: in how
 * many ms recovery may claim the charges; then the records.
 */
const insertPayments = (input: string, accepted: string): string => `WITH ${input}, ${accepted}, customers_inserted AS (
      INSERT INTO customers (id, merchant_id, ${FIELDS})
      SELECT a.customer_id, a.merchant_id, ${FIELDS_OF_C}
      FROM accepted a CROSS JOIN LATERAL ${customerIn('a.customer')}
      WHERE a.customer IS NOT NULL
    ), payments_inserted AS (
      INSERT INTO payments (id, ${COLUMNS}, flow_version, rollout_id, rollout_stage, customer_id, created_at, updated_at, expires_at, decision)
      SELECT id, ${COLUMNS}, flow_version, rollout_id, rollout_stage, customer_id, created_at, created_at, expires_at, decision
      FROM accepted
    ), attempts_begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at, reference)
      SELECT id, 1, shop_id, payment_provider, provider_transaction_id, created_at, reference FROM accepted WHERE attempt > 0
    ), charges_opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
        amount, currency, state, sealed_payment_token)
      SELECT merchant_id, shop_id, id, 1, 'charge', 'payment', charge_key, reference, amount, currency, 'open',
        decode(sealed_payment_token, 'hex') FROM accepted WHERE attempt > 0
      RETURNING payment_id, id, merchant_id
    ), ${addOperationWorkFrom('charges_opened', '$1::float8')}, counted AS (
      ${countPaymentsFrom('accepted WHERE attempt > 0', input === ONE)}
    )
    SELECT a.position, a.id, a.customer_id, a.amount::numeric(19, 4) AS amount,
      ${encryptedCredentialsOf('a.merchant_id', 'a.shop_id')} AS encrypted_account
    FROM accepted a`;

/** Many: $2 JSON array of `NewPaymentRecord` with their `position`. Skips payments whose keys are locked: a group waits for none of its members. */
export const INSERT_PAYMENTS: Statement = {
  name: 'payments.insert_many',
  text: insertPayments(MANY, acceptedByKeys('SKIP LOCKED')),
};

/** For payments without idempotency keys: a sixth less time. */
export const INSERT_PAYMENTS_WITHOUT_KEYS: Statement = {
  name: 'payments.insert_many_without_keys',
  text: insertPayments(MANY, ALL_ACCEPTED),
};

/** One, as the following: `valuesOfPayment` from $2 on. A fourth less time than one by {@link INSERT_PAYMENTS}. */
export const INSERT_PAYMENT: Statement = {
  name: 'payments.insert_one',
  text: insertPayments(ONE, acceptedByKeys('SKIP LOCKED')),
};

export const INSERT_PAYMENT_WITHOUT_KEY: Statement = {
  name: 'payments.insert_one_without_key',
  text: insertPayments(ONE, ALL_ACCEPTED),
};

/** Waits for its key. */
export const INSERT_PAYMENT_WAITING: Statement = {
  name: 'payments.insert_one_waiting',
  text: insertPayments(ONE, acceptedByKeys('')),
};

export const valuesOfPayment = (record: NewPaymentRecord): unknown[] => valuesOf(record, FIELDS_OF_RECORD);
