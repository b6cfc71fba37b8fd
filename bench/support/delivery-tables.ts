// All that bench and chaos know of the tables in which deliveries are kept: when the schema changes, this file does.
import { APPEND_DELIVERIES, appendValues, type NewDelivery } from '../../test/support/app/append-deliveries.js';
import { RECEIPT_DIGITS } from './receipt-number.js';

/** Runs one statement. */
type Query = (text: string, values?: unknown[]) => Promise<unknown[]>;

export interface DeliveryTables {
  /** Emptied together between rounds. */
  names: string[];
  /** A relation of what has attempts to come: `id, attempts, webhook_endpoint`. */
  pending: string;
  /**
   * A relation of every delivery: `id, payment_id, payment_status, webhook_endpoint, status, attempts, attempts_in_run,
   * last_status_code, created_at, delivered_at`.
   */
  all: string;
  /** An expression for the number that `receiptNumber` makes of the webhook-id of a row `d` of `all`. */
  receiptNumber: string;
  /** An expression for the body of a row `d` of `all`. */
  body: string;
  /** $1: what is pending above this id waits for an hour, as after a first attempt that failed. */
  putOff: string;
  /** Inserts deliveries that are due; their ids grow in this order. */
  append(query: Query, deliveries: NewDelivery[]): Promise<void>;
}

const HEADER = `id, payment_id, payment_status, webhook_endpoint, status, attempts, attempts_in_run, last_status_code,
  created_at, delivered_at`;

/** One table for what is pending and what has ended, and one for attempts. */
export const oneTable = (deliveries: string, attempts: string, append: DeliveryTables['append']): DeliveryTables => ({
  names: [deliveries, attempts],
  pending: `(SELECT id, attempts, webhook_endpoint FROM ${deliveries} WHERE status = 'pending')`,
  all: `(SELECT ${HEADER} FROM ${deliveries})`,
  receiptNumber: 'd.id',
  body: `(SELECT b.request_body FROM ${deliveries} b WHERE b.id = d.id)`,
  putOff: `UPDATE ${deliveries} SET attempts = 1, attempts_in_run = 1, last_status_code = 500,
      next_attempt_at = now() + interval '1 hour'
    WHERE status = 'pending' AND id > $1`,
  append,
});

/** By the service's own statement. */
const appendToOutbox: DeliveryTables['append'] = async (query, deliveries) => {
  await query(APPEND_DELIVERIES.text, appendValues(deliveries));
};

/** The service's: a queue table for what is pending, headers of what has ended, bodies by day, and a view of all. */
export const SERVICE_TABLES: DeliveryTables = {
  names: ['pending_deliveries', 'webhook_bodies', 'webhook_deliveries', 'webhook_attempts'],
  pending: 'pending_deliveries',
  all: 'all_deliveries',
  receiptNumber: `('x' || right(replace(webhook_id(d.id, d.created_at), '-', ''), ${RECEIPT_DIGITS}))::bit(52)::bigint`,
  body: 'd.request_body',
  putOff: `UPDATE pending_deliveries SET attempts = 1, attempts_in_run = 1, last_status_code = 500,
      due_at = now() + interval '1 hour'
    WHERE id > $1`,
  append: appendToOutbox,
};
