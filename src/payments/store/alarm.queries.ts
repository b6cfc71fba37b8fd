import type { Statement } from '../../platform/database/database.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import { ATTEMPT, ATTEMPT_OF } from '../ledger/operation.queries.js';

/** The note of a person who settled the operation is free text, which no event has. */
const REASON = `CASE WHEN o.reason LIKE 'settled as %' THEN 'settled_by_operator' ELSE coalesce(o.reason, o.last_answer) END`;

/**
 * Reports a capture that has become refused: $1 payment, locked in the transaction, $2 operation. The payment gets the
 * position, so that its later events come after this one (docs/decisions/033-events.md).
 */
export const RECORD_CAPTURE_FAILED: Statement = {
  name: 'operations.record_capture_failed',
  text: `WITH placed AS (
      UPDATE payments SET event_position = greatest(${EVENT_POSITION}, event_position) WHERE id = $1
      RETURNING id, event_position
    ), ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT p.event_position, o.merchant_id, o.shop_id, o.payment_id, 'capture.failed',
          json_build_object('payment_id', o.payment_id, 'operation_id', o.id, 'attempt', ${ATTEMPT_OF}, 'provider', a.provider,
            'amount', trim_scale(o.amount), 'currency', o.currency, 'reason', ${REASON})
        FROM placed p JOIN provider_operations o ON o.payment_id = p.id AND o.id = $2 ${ATTEMPT}`,
    )}
    SELECT id FROM new_events`,
};

/**
 * Stores an alarm that no notification brought, once: $1 payment, locked in the transaction, $2 attempt, $3 its id, $4 status,
 * $5 reason, $6 now, $7 amount or null. Returns no row if it is known.
 */
export const INSERT_ALARM: Statement = {
  name: 'notifications.insert_alarm',
  text: `INSERT INTO provider_notifications (provider, shop_id, notification_id, fingerprint, provider_transaction_id, reference,
      payment_id, attempt, status, amount, data, received_at, outcome, reason)
    SELECT a.provider, a.shop_id, $3, $3, a.provider_transaction_id, a.reference, a.payment_id, a.number, $4, $7::numeric, '{}', $6, 'alarm', $5
    FROM payment_attempts a WHERE a.payment_id = $1 AND a.number = $2
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};
