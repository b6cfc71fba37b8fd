import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The value of an erased body. Other bodies are never empty. */
export const ERASED_BODY = '';

/** A delivery without its body. */
export interface DeliveryRow {
  id: number;
  webhook_id: string;
  /** `null`: the event is of no shop. */
  shop_id: number | null;
  payment_id: number | null;
  event: string;
  payment_status: string | null;
  /** The standing endpoint; `null`: the payment's own address. */
  endpoint_id: number | null;
  webhook_endpoint: string;
  status: DeliveryStatus;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
  created_at: Date;
  last_attempt_at: Date | null;
  /** `null` also for a parked delivery, which waits until its endpoint is resumed. */
  next_attempt_at: Date | null;
  delivered_at: Date | null;
}

export interface DeliveryDetailRow extends DeliveryRow {
  request_body: string;
}

export interface DeliveryAttemptRow {
  number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  error_message: string | null;
  response_body: string | null;
}

const COMMON = `id, webhook_id(id, created_at) AS webhook_id, shop_id, payment_id, event, payment_status,
  nullif(endpoint_id, 0) AS endpoint_id, webhook_endpoint`;
/** Columns of a `DeliveryRow` from `pending_deliveries`. */
export const PENDING = `${COMMON}, 'pending' AS status, attempts, last_status_code, last_error, created_at, last_attempt_at,
  nullif(due_at, 'infinity') AS next_attempt_at, NULL::timestamptz AS delivered_at`;
/** Columns of a `DeliveryRow` from `webhook_deliveries`. */
export const ENDED = `${COMMON}, status, attempts, last_status_code, last_error, created_at, last_attempt_at, next_attempt_at,
  delivered_at`;

/** The delivery $1 of the merchant $2. */
export const FIND_DELIVERY: Statement = {
  name: 'webhooks.find_delivery',
  text: `SELECT ${COMMON}, status, attempts, last_status_code, last_error,
      created_at, last_attempt_at, nullif(next_attempt_at, 'infinity') AS next_attempt_at, delivered_at, request_body
    FROM all_deliveries WHERE id = $1 AND merchant_id = $2`,
};

/** Attempts of the delivery $1, oldest first. */
export const LIST_ATTEMPTS: Statement = {
  name: 'webhooks.list_attempts',
  text: `SELECT number, started_at, duration_ms, status_code, error, error_message, response_body FROM webhook_attempts
    WHERE delivery_id = $1 ORDER BY number`,
};

/** Finished deliveries by the time of their creation: see `firstIdSince`. */
export const ENDED_IN_TIME = searchByTime('webhooks.ended_in_time', 'webhook_deliveries');
