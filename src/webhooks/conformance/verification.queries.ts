import type { Statement } from '../../platform/database/database.js';

/** $1 payment, $2 shop, $3 address or null for any, $4 limit → the bodies that were sent, newest first. */
export const SENT_BODIES: Statement = {
  name: 'webhooks.sent_bodies',
  text: `SELECT request_body AS body FROM all_deliveries
    WHERE payment_id = $1 AND shop_id = $2 AND ($3::text IS NULL OR webhook_endpoint = $3) ORDER BY id DESC LIMIT $4`,
};
