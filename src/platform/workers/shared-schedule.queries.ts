import type { Statement } from '../database/database.js';
import { LAZY_COMMIT } from '../database/writes.js';

export interface HeartbeatRow {
  /** Time of the statement by the clock of the database, in ms since 1970. */
  clock_ms: number;
  /** Number of live workers, this one included. */
  live: number;
  /** This worker's index among them, from 0. */
  place: number;
  /** Tasks that this worker has just claimed. */
  claimed: string[];
}

/** Also true of a time further ahead than any worker sets: the clock was set back, which may happen at a failover. */
const isDue = (everyMs: string): string => `(s.next_run_at <= statement_timestamp()
        OR s.next_run_at > statement_timestamp() + (${everyMs} + $5::float8) * interval '1 ms')`;

/**
 * Records that a worker is alive, counts the live workers, and claims the tasks that are due. $1 worker, $2 ms for
 * which a heartbeat is valid, $3 tasks, $4 interval of each task in ms, $5 the longest postponement in ms.
 * - Of concurrent workers only one claims a task: the upsert waits for the other's row and checks it again. All write
 *   in the order of names, so that they cannot deadlock.
 * - The commit does not wait for the disk: if a crash of the server loses it, the next heartbeat writes it again.
 */
export const HEARTBEAT: Statement = {
  name: 'workers.heartbeat',
  text: `WITH ${LAZY_COMMIT}, heartbeat AS (
      INSERT INTO worker_beats (worker, until) VALUES ($1, statement_timestamp() + $2 * interval '1 millisecond')
    ), live AS MATERIALIZED (
      SELECT worker FROM worker_beats WHERE until > statement_timestamp() UNION SELECT $1::uuid
    ), due AS MATERIALIZED (
      SELECT name, every_ms FROM lazy, unnest($3::text[], $4::float8[]) AS task (name, every_ms)
        LEFT JOIN scheduled_tasks s USING (name) WHERE s.name IS NULL OR ${isDue('every_ms')}
    ), claimed AS (
      INSERT INTO scheduled_tasks AS s (name, next_run_at)
      SELECT name, statement_timestamp() + every_ms * interval '1 ms' FROM due ORDER BY name
      ON CONFLICT (name) DO UPDATE SET next_run_at = excluded.next_run_at
      WHERE ${isDue('extract(epoch FROM excluded.next_run_at - statement_timestamp()) * 1000')}
      RETURNING s.name
    )
    SELECT (extract(epoch FROM statement_timestamp()) * 1000)::float8 AS clock_ms,
      (SELECT count(*) FROM live)::int AS live, (SELECT count(*) FROM live WHERE worker < $1)::int AS place,
      ARRAY(SELECT name FROM claimed) AS claimed`,
};

/** Deletes expired heartbeats. It scans over dead rows that an old snapshot keeps: 5 ms for each hour of its age. */
export const PRUNE_HEARTBEATS: Statement = {
  name: 'workers.prune_heartbeats',
  text: 'DELETE FROM worker_beats WHERE until <= statement_timestamp()',
};

/** Sets the next run of the task to $2 ms from now: $1 task. */
export const POSTPONE: Statement = {
  name: 'workers.postpone',
  text: `WITH ${LAZY_COMMIT} INSERT INTO scheduled_tasks (name, next_run_at)
    SELECT $1::text, clock_timestamp() + $2::float8 * interval '1 ms' FROM lazy
    ON CONFLICT (name) DO UPDATE SET next_run_at = excluded.next_run_at`,
};

/** Records successful runs, for operators: $1 tasks. Locks them in the order of names, like a heartbeat. */
export const RECORD_SUCCESSES: Statement = {
  name: 'workers.record_successes',
  text: `WITH ${LAZY_COMMIT}, locked AS MATERIALIZED (
      SELECT name FROM scheduled_tasks WHERE name = ANY ($1::text[]) ORDER BY name FOR NO KEY UPDATE
    )
    UPDATE scheduled_tasks SET last_success_at = clock_timestamp() FROM lazy WHERE name = ANY (ARRAY(SELECT name FROM locked))`,
};
