import type { Statement } from '../platform/database/database.js';

/** $1 client id → no row unless the client exists and is not revoked. */
export const ACTIVE_CLIENT: Statement = {
  name: 'auth_active_client',
  text: `SELECT merchant_id FROM api_clients WHERE client_id = $1 AND revoked_at IS NULL`,
};

/** $1 merchant id */
export const MERCHANT_EXISTS: Statement = {
  name: 'auth_merchant_exists',
  text: `SELECT id FROM merchants WHERE id = $1`,
};
