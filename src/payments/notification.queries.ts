import type { Statement } from '../platform/database/database.js';

/**
 * Takes a notification once: $1 provider, $2 shop, $3 notification id, $4 transaction id, $5 payment, $6 status,
 * $7 data, $8 received at. No row comes back for one that came before.
 */
export const INSERT_NOTIFICATION: Statement = {
  name: 'notifications.insert',
  text: `INSERT INTO provider_notifications
      (provider, shop_id, notification_id, provider_transaction_id, payment_id, status, data, received_at, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'applied')
    ON CONFLICT ON CONSTRAINT provider_notifications_key DO NOTHING RETURNING id`,
};

/** $1 notification, $2 reason. */
export const IGNORE_NOTIFICATION: Statement = {
  name: 'notifications.ignore',
  text: `UPDATE provider_notifications SET outcome = 'ignored', reason = $2 WHERE id = $1`,
};
