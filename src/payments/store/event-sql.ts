import type { Statement } from '../../platform/database/database.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';

/**
 * Records an event of a payment, which is locked in the transaction: $1 payment, $2 attempt whose shop it is of, $3 type, $4 data. The
 * payment keeps the position, so that its later events come after this one (docs/decisions/033-events.md).
 */
export const RECORD_EVENT: Statement = {
  name: 'payments.record_event',
  text: `WITH placed AS (
      UPDATE payments SET event_position = greatest(${EVENT_POSITION}, event_position) WHERE id = $1
      RETURNING id, merchant_id, shop_id, event_position
    ), ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT p.event_position, p.merchant_id, coalesce(a.shop_id, p.shop_id), p.id, $3::text, $4::json
        FROM placed p LEFT JOIN payment_attempts a ON a.payment_id = p.id AND a.number = $2`,
    )}
    SELECT id FROM new_events`,
};

/**
 * Selects the `payment.amounts_changed` events of payments whose amounts differ, from a relation with the payment's `id`,
 * `merchant_id`, `shop_id`, `status`, `currency`, `event_position` and amounts after the change, and `was_authorized` and
 * `was_refunded`. A captured amount changes only with the status. `cause` and `refundId` are SQL.
 */
export const amountsChangedFrom = (
  relation: string,
  { cause, refundId }: { cause: string; refundId: string },
): string =>
  `SELECT c.event_position, c.merchant_id, c.shop_id, c.id, 'payment.amounts_changed',
        json_build_object('payment_id', c.id, 'status', c.status, 'currency', c.currency, 'cause', ${cause},
          'refund_id', ${refundId},
          'before', ${amounts('c.was_authorized', 'c.was_refunded')},
          'after', ${amounts('c.amount_authorized', 'c.amount_refunded')})
      FROM ${relation} c WHERE (c.was_authorized, c.was_refunded) <> (c.amount_authorized, c.amount_refunded)`;

const amounts = (authorized: string, refunded: string): string =>
  `json_build_object('amount_authorized', trim_scale(${authorized}), 'amount_captured', trim_scale(c.amount_captured),
            'amount_refunded', trim_scale(${refunded}))`;
