import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';

const TABLES = ['pending_deliveries', 'webhook_deliveries'];
const fromBothTables = (select: (table: string) => string): string =>
  TABLES.map((table) => `(${select(table)})`).join(' UNION ALL ');

/** Pending and finished deliveries by the time of their creation: see `firstIdSince`. */
export const DELIVERIES_IN_TIME = searchByTime('webhooks.in_time', ...TABLES);

/** The delivery with the webhook-id $1 of the merchant $2: $3 lowest id, $4 id to stay below, $5 created from, $6 created before. */
export const FIND_BY_WEBHOOK_ID: Statement = {
  name: 'webhooks.find_by_webhook_id',
  text: fromBothTables(
    (table) => `SELECT id FROM ${table} WHERE id >= $3 AND id < $4 AND created_at >= $5 AND created_at < $6
      AND merchant_id = $2 AND webhook_id(id, created_at) = $1`,
  ),
};
