import type { Statement } from '../../platform/database/database.js';

const TABLES = ['pending_deliveries', 'webhook_deliveries'];
const ofBoth = (select: (table: string) => string): string =>
  TABLES.map((table) => `(${select(table)})`).join(' UNION ALL ');

/** Deliveries, pending or not, by the time of their creation: see `firstIdSince`. */
export const DELIVERIES_IN_TIME = {
  /** $1 id → the first from there on. */
  firstFrom: {
    name: 'webhooks.first_from',
    text: `SELECT id, created_at FROM (
      ${ofBoth((table) => `SELECT id, created_at FROM ${table} WHERE id >= $1 ORDER BY id LIMIT 1`)}
    ) first ORDER BY id LIMIT 1`,
  },
  /** 0 when there is none. */
  last: {
    name: 'webhooks.last_id',
    text: `SELECT coalesce(max(id), 0)::bigint AS id FROM (${ofBoth((table) => `SELECT max(id) AS id FROM ${table}`)}) last`,
  },
} satisfies Record<string, Statement>;

/** $1 webhook-id, $2 merchant, $3 lowest id, $4 id to stay below, $5 created from here on, $6 and before. */
export const FIND_BY_WEBHOOK_ID: Statement = {
  name: 'webhooks.find_by_webhook_id',
  text: ofBoth(
    (table) => `SELECT id FROM ${table} WHERE id >= $3 AND id < $4 AND created_at >= $5 AND created_at < $6
      AND merchant_id = $2 AND webhook_id(id, created_at) = $1`,
  ),
};
