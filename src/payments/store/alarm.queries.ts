import type { Statement } from '../../platform/database/database.js';

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
