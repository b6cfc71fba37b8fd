import type { Statement } from '../../platform/database/database.js';
import { newestByStatus } from '../../platform/database/newest-by-status.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { isoTime } from '../../platform/database/iso-time.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import { amountsChangedFrom } from './event-sql.js';

const FACTS = `id, merchant_id, shop_id, payment_id, attempt, amount, currency, status, origin, provider_refund_id,
  failure_code, client_id, created_at, updated_at`;
const COLUMNS = `${FACTS}, reason, metadata`;

/** Data of an event: the refund `r` as in the API. Reason and metadata may be personal, and events outlive an erasure. */
const EVENT_DATA = `json_build_object('id', r.id, 'payment_id', r.payment_id, 'amount', trim_scale(r.amount),
        'currency', r.currency, 'status', r.status, 'origin', r.origin, 'provider_refund_id', r.provider_refund_id,
        'failure_code', r.failure_code, 'created_at', ${isoTime('r.created_at')}, 'updated_at', ${isoTime('r.updated_at')})`;

interface Counting {
  /** SQL: what the payment counts in addition. */
  amount: string;
  now: string;
  type: string;
  cause: string;
}

/**
 * CTEs that add an amount to the payment of a refund in `relation`, and write the events of the refund and of the
 * payment's amounts. The payment's `updated_at` changes, so that no writer that has read the payment before overwrites
 * the amount.
 */
const countAndReport = (relation: string, { amount, now, type, cause }: Counting): string => `counted AS (
      UPDATE payments p SET amount_refunded = p.amount_refunded + ${amount},
        updated_at = CASE WHEN ${amount} = 0 THEN p.updated_at ELSE greatest(${now}, p.updated_at + interval '1 ms') END,
        event_position = greatest(${EVENT_POSITION}, p.event_position)
      FROM ${relation} r WHERE p.id = r.payment_id
      RETURNING p.id, p.merchant_id, p.shop_id, p.status, p.currency, p.amount_authorized, p.amount_captured,
        p.amount_refunded, p.updated_at, p.event_position, p.amount_authorized AS was_authorized,
        p.amount_refunded - ${amount} AS was_refunded, r.id AS refund_id
    ), ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT c.event_position, r.merchant_id, r.shop_id, r.payment_id, '${type}', ${EVENT_DATA}
        FROM ${relation} r CROSS JOIN counted c
        UNION ALL
        ${amountsChangedFrom('counted', { cause: `'${cause}'`, refundId: 'c.refund_id' })}`,
    )}
    SELECT ${COLUMNS}, (SELECT amount_refunded FROM counted) AS payment_amount_refunded,
      (SELECT updated_at FROM counted) AS payment_updated_at
    FROM ${relation}`;

/**
 * Creates a refund of a locked payment: $1 payment, $2 amount, $3 status, $4 reason, $5 metadata, $6 origin, $7 the
 * provider's id, $8 client, $9 idempotency key, $10 hash of the request, $11 now, $12 how much of the amount is new for
 * the payment, $13 attempt.
 */
export const CREATE_REFUND: Statement = {
  name: 'refunds.create',
  text: `WITH created AS (
      INSERT INTO refunds (merchant_id, shop_id, payment_id, attempt, amount, currency, status, reason, metadata, origin,
        provider_refund_id, client_id, idempotency_key, request_hash, created_at, updated_at)
      SELECT p.merchant_id, a.shop_id, p.id, a.number, $2, p.currency, $3, $4, $5::json, $6, $7, $8, $9, $10::bytea, $11, $11
      FROM payments p JOIN payment_attempts a ON a.payment_id = p.id AND a.number = $13 WHERE p.id = $1
      RETURNING *
    ), ${countAndReport('created', {
      ...{ amount: '$12::numeric', now: '$11::timestamptz', type: 'refund.created', cause: 'refund_created' },
    })}`,
};

/** A free id of the provider: `$id` unless another refund of the payment $1 has it. */
const freeId = (id: string): string =>
  `coalesce(provider_refund_id, CASE WHEN NOT EXISTS (
        SELECT FROM refunds o WHERE o.payment_id = $1 AND o.provider_refund_id = ${id}) THEN ${id} END)`;

/**
 * Ends a refund of a locked payment: $1 payment, $2 refund, $3 status, $4 failure code, $5 the provider's id if it gave
 * one, $6 now. A failure takes the amount off the payment, also after a success. Returns no row if it had ended so.
 */
export const END_REFUND: Statement = {
  name: 'refunds.end',
  text: `WITH ended AS (
      UPDATE refunds SET status = $3, failure_code = $4, provider_refund_id = ${freeId('$5::text')},
        updated_at = greatest($6::timestamptz, updated_at + interval '1 ms')
      WHERE payment_id = $1 AND id = $2 AND (status = 'pending' OR (status = 'succeeded' AND $3 = 'failed'))
      RETURNING *
    ), ${countAndReport('ended', {
      amount: `CASE r.status WHEN 'failed' THEN -r.amount ELSE 0 END`,
      ...{ now: '$6::timestamptz', type: 'refund.updated', cause: 'refund_failed' },
    })}`,
};

/** Stores the provider's id: $1 payment, $2 refund, $3 the id. */
export const SET_PROVIDER_REFUND_ID: Statement = {
  name: 'refunds.set_provider_id',
  text: `UPDATE refunds SET provider_refund_id = ${freeId('$3::text')} WHERE payment_id = $1 AND id = $2`,
};

/** $1 merchant, $2 refund. */
export const FIND_REFUND: Statement = {
  name: 'refunds.find',
  text: `SELECT ${COLUMNS} FROM refunds WHERE id = $2 AND merchant_id = $1`,
};

export const ERASED_KEY_PREFIX = 'sha256:';

/** The remainder of a key after an erasure. `key`: an SQL expression. */
export const erasedKey = (key: string): string =>
  `'${ERASED_KEY_PREFIX}' || encode(sha256(convert_to(${key}, 'UTF8')), 'hex')`;

/** The refund of an earlier request: $1 merchant, $2 idempotency key. */
export const FIND_BY_KEY: Statement = {
  name: 'refunds.find_by_key',
  text: `SELECT ${COLUMNS}, request_hash FROM refunds WHERE merchant_id = $1 AND idempotency_key = ANY (ARRAY[$2::text, ${erasedKey('$2::text')}])`,
};

/** Refunds by the time of their creation: see `firstIdSince`. */
export const REFUNDS_IN_TIME = searchByTime('refunds.in_time', 'refunds');

const CREATED_WITHIN = `r.id >= $5 AND ($6::timestamptz IS NULL OR r.created_at >= $6)
        AND ($7::timestamptz IS NULL OR r.created_at < $7)`;

/**
 * A page of refunds, newest first: $1 merchant, $2 statuses, $3 id to stay below, $4 limit, $5 lowest id, $6 created since
 * or null, $7 created before or null, and $8 shop.
 */
const list = (name: string, owner: string, value: string, ...more: string[]): Statement => ({
  name,
  text: newestByStatus({ table: 'refunds', columns: COLUMNS, owner, value, conditions: [CREATED_WITHIN, ...more] }),
});

export const LIST_REFUNDS = list('refunds.list', 'merchant_id', '$1');
export const LIST_REFUNDS_OF_SHOP = list('refunds.list_of_shop', 'shop_id', '$8', 'r.merchant_id = $1');

/** The same of one payment: $8 payment, $9 shop or null. A payment has few enough refunds to read them all. */
export const LIST_REFUNDS_OF_PAYMENT: Statement = {
  name: 'refunds.list_by_payment',
  text: `SELECT ${COLUMNS} FROM refunds r WHERE r.payment_id = ANY (ARRAY[$8::bigint]) AND r.merchant_id = $1
      AND r.status = ANY ($2::text[]) AND ($9::bigint IS NULL OR r.shop_id = $9) AND r.id < $3
      AND ${CREATED_WITHIN}
    ORDER BY r.payment_id DESC, r.id DESC LIMIT $4`,
};
