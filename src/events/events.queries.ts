import { everyRow } from '../platform/database/session-settings.js';
import type { Statement } from '../platform/database/database.js';
import type { EventType } from '../webhooks/event-types/event-catalogue.js';
import { PAYMENTS, STATUS_CHANGES, WEBHOOK_EVENTS } from '../shared/relations.js';

export interface EventRow {
  /** Decimal text. */
  position: string;
  id: number;
  type: EventType;
  created_at: Date;
  /** `null`: the event is about no single shop. */
  shop_id: number | null;
  payment_id: number | null;
  /** The payment's new status, for a status change. */
  payment_status: string | null;
  /** JSON text of any other event. */
  data: string | null;
}

/** A row of an outer join: without events there is still one row. */
export type ScannedRow = { horizon: string } & (EventRow | { id: null });

/**
 * No more events can be committed below this position: all transactions with smaller ids have ended, and this statement
 * sees their commits. Ids are compared within one epoch. An epoch is one start of PostgreSQL that wrote events;
 * transactions of earlier epochs ended with it. If nothing was written since the start, the epoch is the next one.
 */
const HORIZON = `horizon AS MATERIALIZED (
      SELECT (coalesce((SELECT epoch FROM event_epochs WHERE postmaster_started_at = pg_postmaster_start_time()),
          (SELECT coalesce(max(epoch), 0) + 1 FROM event_epochs)) << 44)
        + pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS position
    )`;

const STATUS_CHANGE = `c.event_position AS place, c.id, 'payment.status_changed' AS type, c.at AS created_at, c.shop_id,
        c.payment_id, c.to_status AS payment_status, NULL::json AS data FROM ${STATUS_CHANGES} c`;

const WEBHOOK_EVENT = `w.event_position AS place, w.id, w.type, w.created_at, w.shop_id, w.payment_id,
        NULL AS payment_status, w.data FROM ${WEBHOOK_EVENTS} w`;

const COLUMNS = `e.place::text AS position, e.id, e.type, e.created_at, e.shop_id, e.payment_id, e.payment_status,
      e.data::text AS data`;

/**
 * The events of `k` after its position and below the horizon `h`, in one order, at most $limit: with the types
 * `k.types`, of the shop `k.shop_id` or, if that is NULL, of all shops. Each kind, with and without a shop, has an
 * index with exactly its rows in this order. So no filter makes a statement read more rows than it returns. All columns
 * of the index are compared and ordered. Otherwise the planner uses the index without the filter's column if its
 * statistics show few distinct values.
 */
const events = (order: 'ASC' | 'DESC', limit: string): string => {
  const by = (...columns: string[]): string => columns.map((column) => `${column} ${order}`).join(', ');
  return `SELECT * FROM (
        (SELECT ${STATUS_CHANGE}
          WHERE k.shop_id IS NULL AND 'payment.status_changed' = ANY (k.types) AND c.merchant_id = k.merchant_id
            AND (c.event_position, c.id) > (k.position, k.id) AND c.event_position < h.position
          ORDER BY ${by('c.merchant_id', 'c.event_position', 'c.id')} LIMIT ${limit})
        UNION ALL
        (SELECT ${STATUS_CHANGE}
          WHERE 'payment.status_changed' = ANY (k.types) AND c.merchant_id = k.merchant_id
            AND (c.shop_id, c.event_position, c.id) > (k.shop_id, k.position, k.id)
            AND (c.shop_id, c.event_position) < (k.shop_id, h.position) AND c.event_position < h.position
          ORDER BY ${by('c.merchant_id', 'c.shop_id', 'c.event_position', 'c.id')} LIMIT ${limit})
        UNION ALL
        (SELECT typed.* FROM unnest(k.types) t (type) CROSS JOIN LATERAL (SELECT ${WEBHOOK_EVENT}
          WHERE k.shop_id IS NULL AND w.merchant_id = k.merchant_id
            AND (w.type, w.event_position, w.id) > (t.type, k.position, k.id)
            AND (w.type, w.event_position) < (t.type, h.position)
          ORDER BY ${by('w.merchant_id', 'w.type', 'w.event_position', 'w.id')} LIMIT ${limit}) typed)
        UNION ALL
        (SELECT typed.* FROM unnest(k.types) t (type) CROSS JOIN LATERAL (SELECT ${WEBHOOK_EVENT}
          WHERE w.merchant_id = k.merchant_id
            AND (w.shop_id, w.type, w.event_position, w.id) > (k.shop_id, t.type, k.position, k.id)
            AND (w.shop_id, w.type, w.event_position) < (k.shop_id, t.type, h.position)
          ORDER BY ${by('w.merchant_id', 'w.shop_id', 'w.type', 'w.event_position', 'w.id')} LIMIT ${limit}) typed)
      ) all_kinds ORDER BY ${by('place', 'id')} LIMIT ${limit}`;
};

/**
 * The next events of readers, oldest first: $1 their merchants, $2 and $3 position and id to start after, $4 shop or
 * NULL, $5 comma-separated types, $6 maximum per reader. `scan`: the number of the reader, from 1.
 */
export const NEXT_EVENTS: Statement = {
  name: 'events.look',
  text: `WITH ${HORIZON}, readers AS (
      SELECT merchant_id, position, id, shop_id, string_to_array(types, ',') AS types, scan
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
        WITH ORDINALITY AS r (merchant_id, position, id, shop_id, types, scan)
    )
    SELECT k.scan::int AS scan, h.position::text AS horizon, ${COLUMNS}
    FROM readers k CROSS JOIN horizon h LEFT JOIN LATERAL (${events('ASC', '$6')}) e ON true
    ORDER BY k.scan, e.place, e.id`,
};

/** The latest events of merchant $1, of shop $2 or NULL, of the types $3, newest first, at most $4. */
export const LATEST: Statement = {
  name: 'events.latest',
  text: `WITH ${HORIZON}, readers AS MATERIALIZED (
      SELECT $1::bigint AS merchant_id, 0::bigint AS position, 0::bigint AS id, $2::bigint AS shop_id, $3::text[] AS types
    )
    SELECT h.position::text AS horizon, ${COLUMNS}
    FROM readers k CROSS JOIN horizon h LEFT JOIN LATERAL (${events('DESC', '$4')}) e ON true
    ORDER BY e.place DESC, e.id DESC`,
};

/** Same as `ScannedRow`, with the id of the last scanned row of any merchant; `null`: there was none. */
export type UnplacedRow = { last_id: number | null } & (EventRow | { id: null });

/**
 * Events from before positions existed, by id. Only a database that has such events has their index, and only there they are
 * looked for: $1 merchant, $2 id to start after, $3 the number of them to scan, of all
 * merchants.
 */
export const UNPLACED_EVENTS: Statement = {
  name: 'events.look_at_unplaced',
  text: `WITH scanned AS MATERIALIZED (
      SELECT c.* FROM (SELECT last_unplaced_id AS last_id FROM event_log e WHERE ${everyRow('e')} AND last_unplaced_id > $2) e CROSS JOIN LATERAL (
        SELECT c.id, c.payment_id, c.from_status, c.to_status, c.at FROM ${STATUS_CHANGES} c
        WHERE c.event_position IS NULL AND c.id > $2 AND c.id <= e.last_id ORDER BY c.id LIMIT $3
      ) c
    ), own AS (
      SELECT 0 AS place, l.id, 'payment.status_changed' AS type, l.at AS created_at, p.shop_id, l.payment_id,
        l.to_status AS payment_status, NULL::json AS data
      FROM scanned l JOIN ${PAYMENTS} p ON p.id = l.payment_id
      WHERE p.merchant_id = $1 AND l.from_status <> l.to_status
    )
    SELECT (SELECT max(id) FROM scanned) AS last_id, ${COLUMNS} FROM (SELECT) always LEFT JOIN own e ON true ORDER BY e.id`,
};

/** The value that makes event ids unique to this database. */
export const FIND_INSTALLATION: Statement = {
  name: 'events.find_installation',
  text: `SELECT installation FROM event_log e WHERE ${everyRow('e')}`,
};
