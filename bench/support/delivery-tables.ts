// Everything that bench and chaos know about the tables of deliveries; only this file depends on their schema.
import { APPEND_DELIVERIES, appendValues, type NewDelivery } from '../../test/support/app/append-deliveries.js';
import { RECEIPT_DIGITS } from './receipt-number.js';

/** Runs one statement. */
type Query = (text: string, values?: unknown[]) => Promise<unknown[]>;

export interface DeliveryTables {
  /** Emptied together between rounds. */
  names: string[];
  /** A relation of deliveries with pending attempts: `id, attempts, webhook_endpoint`. */
  pending: string;
  /**
   * A relation of every delivery: `id, payment_id, payment_status, webhook_endpoint, status, attempts, attempts_in_run,
   * last_status_code, created_at, delivered_at`, and of the service `endpoint_id`.
   */
  all: string;
  /** An SQL expression for the `receiptNumber` of a row `d` of `all`. */
  receiptNumber: string;
  /** An SQL expression for the body of a row `d` of `all`. */
  body: string;
  /** Postpones pending deliveries above id $1 by an hour, as after a first failed attempt. */
  postpone: string;
  /** Inserts due deliveries; their ids grow in this order. */
  append(query: Query, deliveries: NewDelivery[]): Promise<void>;
}

const HEADER = `id, payment_id, payment_status, webhook_endpoint, status, attempts, attempts_in_run, last_status_code,
  created_at, delivered_at`;

/** One table for pending and ended deliveries, and one for attempts. */
export const oneTable = (deliveries: string, attempts: string, append: DeliveryTables['append']): DeliveryTables => ({
  names: [deliveries, attempts],
  pending: `(SELECT id, attempts, webhook_endpoint FROM ${deliveries} WHERE status = 'pending')`,
  all: `(SELECT ${HEADER} FROM ${deliveries})`,
  receiptNumber: 'd.id',
  body: `(SELECT b.request_body FROM ${deliveries} b WHERE b.id = d.id)`,
  postpone: `UPDATE ${deliveries} SET attempts = 1, attempts_in_run = 1, last_status_code = 500,
      next_attempt_at = now() + interval '1 hour'
    WHERE status = 'pending' AND id > $1`,
  append,
});

/** Uses the service's statement. */
const appendToOutbox: DeliveryTables['append'] = async (query, deliveries) => {
  await query(APPEND_DELIVERIES.text, appendValues(deliveries));
};

/** The service's tables: a queue of pending deliveries, headers of ended ones, bodies by day, and a view of all. */
export const SERVICE_TABLES: DeliveryTables = {
  names: ['pending_deliveries', 'webhook_bodies', 'webhook_deliveries', 'webhook_attempts'],
  pending: 'pending_deliveries',
  all: 'all_deliveries',
  receiptNumber: `('x' || right(replace(webhook_id(d.id, d.created_at), '-', ''), ${RECEIPT_DIGITS}))::bit(52)::bigint`,
  body: 'd.request_body',
  postpone: `UPDATE pending_deliveries SET attempts = 1, attempts_in_run = 1, last_status_code = 500,
      due_at = now() + interval '1 hour'
    WHERE id > $1`,
  append: appendToOutbox,
};
