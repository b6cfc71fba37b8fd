import { everyRow } from '../../platform/database/session-settings.js';
import type { Statement } from '../../platform/database/database.js';
import { UTC_DAY } from '../fan-out/fan-out-sql.js';

/** The next changes to the partitions of the bodies, which are named after their day. */
export interface PartitionPlan {
  /** The first day without a partition, YYYYMMDD; `null` if there is none. */
  missing: string | null;
  /** The day of the oldest expired partition; `null` if there is none. */
  expired: string | null;
}

/**
 * Plans the partitions: $1 days ahead, $2 days to keep. A day that already has bodies in the default partition gets no
 * partition.
 */
export const PLAN_PARTITIONS: Statement = {
  name: 'webhooks.plan_partitions',
  text: `WITH days AS (
      SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'webhook_bodies'::regclass AND c.relname ~ '^webhook_bodies_[0-9]{8}$'
    )
    SELECT (SELECT to_char(min(w.day), 'YYYYMMDD') FROM (SELECT ${UTC_DAY} + n AS day FROM generate_series(0, $1::int) n) w
        WHERE w.day NOT IN (SELECT day FROM days)
          AND NOT EXISTS (SELECT 1 FROM webhook_bodies_default b WHERE b.day = w.day)) AS missing,
      (SELECT to_char(min(day), 'YYYYMMDD') FROM days WHERE day < ${UTC_DAY} - $2::int) AS expired`,
};

/** Whether a pending delivery has its body in the partition of the day $1 (YYYYMMDD) or an older one. */
export const IS_REFERRED_TO: Statement = {
  name: 'webhooks.is_referred_to',
  text: `SELECT EXISTS (SELECT 1 FROM pending_deliveries d WHERE ${everyRow('d')} AND body_day <= to_date($1, 'YYYYMMDD')) AS is_referred_to`,
};

/**
 * Deletes at most $2 expired bodies from the default partition, for days without a partition. $1: days to keep. A pending
 * delivery keeps its own body, which it may share, and no other.
 */
export const PRUNE_DEFAULT: Statement = {
  name: 'webhooks.prune_default_bodies',
  text: `WITH old AS MATERIALIZED (
      SELECT b.ctid AS row FROM webhook_bodies_default b
      WHERE ${everyRow('b')} AND b.day < ${UTC_DAY} - $1::int
        AND NOT EXISTS (SELECT 1 FROM pending_deliveries d
          WHERE ${everyRow('d')} AND d.body_day = b.day AND coalesce(d.body_id, d.id) = b.delivery_id) LIMIT $2
    )
    DELETE FROM webhook_bodies_default WHERE ctid = ANY (ARRAY(SELECT row FROM old)) RETURNING 1`,
};

const nameFor = (day: string): string => {
  if (!/^\d{8}$/.test(day)) throw new Error(`not a day in the format YYYYMMDD: ${day}`);
  return `webhook_bodies_${day}`;
};

/**
 * Creates a table and then attaches it as a partition. CREATE … PARTITION OF would block all readers and writers of
 * bodies; ATTACH locks only the default partition, which is normally not in use.
 */
export const createPartition = (day: string): Statement[] => {
  const name = nameFor(day);
  const range = `FOR VALUES FROM ('${day}') TO (DATE '${day}' + 1)`;
  return [
    { name: '', text: `CREATE TABLE ${name} (LIKE webhook_bodies INCLUDING ALL)` },
    { name: '', text: `ALTER TABLE webhook_bodies ATTACH PARTITION ${name} ${range}` },
  ];
};

export const dropPartition = (day: string): Statement[] => [{ name: '', text: `DROP TABLE ${nameFor(day)}` }];
