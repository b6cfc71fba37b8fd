import { eventIdOf } from '../fan-out/fan-out-sql.js';
import { BODY_START } from './webhook-body.js';

// SQL that other features include in their statements, so that writes that must commit together are one statement.

/**
 * SQL: the body of a change of status with the public id of its event. `rest`: what follows `BODY_START`. PostgreSQL would
 * count the characters of the whole body to cut its start off.
 */
export const withEventIdOf = (id: string, rest: string): string =>
  `'${BODY_START}"id":"' || ${eventIdOf(id)} || '",' || ${rest}`;

/**
 * A sharded counter: each connection counts a shop's payments in its own row, identified by the hour since 1970 and the
 * server process. No two connections write the same row, so counting never waits. The hour lets a job compact the rows of
 * past hours.
 */
const HOUR = 'extract(epoch FROM now())::bigint / 3600';
const SLOT_BITS = 22; // PID_MAX_LIMIT of Linux
export const CONNECTION_SLOT = `((${HOUR}) << ${SLOT_BITS}) + pg_backend_pid()`;
/** No transaction writes slots below this one, because none takes an hour. */
export const FIRST_OPEN_SLOT = `((${HOUR} - 1) << ${SLOT_BITS})`;

/** Returns a statement that counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`; `isOne`: of one row. */
export const countPaymentsFrom = (relation: string, isOne = false): string =>
  `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ${CONNECTION_SLOT}, ${isOne ? '1, num_nonnulls(webhook_endpoint)' : 'count(*), count(webhook_endpoint)'}
    FROM ${relation} ${isOne ? '' : 'GROUP BY shop_id'}
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`;
