import type { Statement } from '../database/database.js';
import { LAZY_COMMIT } from '../database/writes.js';

/** What a worker learns when it tells that it lives. */
export interface BeatRow {
  /** The time of the statement: ms since 1970, by the clock of the database. */
  clock_ms: number;
  /** Workers that live, this one included. */
  live: number;
  /** Its place among them, from 0. */
  place: number;
  /** Sequences of the tasks whose turn is this worker's. */
  turns: string[];
}

/**
 * A worker tells that it lives, learns how many others do, and takes the turns that are due: $1 worker, $2 for how many ms
 * it counts, $3 sequences, $4 ms until the next turn of each, $5 ms that a turn is put off at most.
 * - Turns are sequences and not rows: they leave no dead versions, which an old snapshot would keep and every later turn
 *   would have to read past. Beats are inserted and read by time from now on, for the same reason.
 * - A turn that lies further ahead than anybody sets it is taken: the clock went back, as it may at a failover.
 * - Not flushed to disk before it answers: what a crash of the server loses is told again with the next beat.
 */
export const BEAT: Statement = {
  name: 'workers.beat',
  text: `WITH ${LAZY_COMMIT}, clock AS MATERIALIZED (
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms FROM lazy
    ), beat AS (
      INSERT INTO worker_beats (worker, until) VALUES ($1, statement_timestamp() + $2 * interval '1 millisecond')
    ), live AS MATERIALIZED (
      SELECT worker FROM worker_beats WHERE until > statement_timestamp() UNION SELECT $1::uuid
    ), taken AS MATERIALIZED (
      SELECT t.turn, setval(t.turn::regclass, clock.ms + t.every_ms) AS next
      FROM clock, unnest($3::text[], $4::bigint[]) AS t (turn, every_ms),
        LATERAL (SELECT coalesce(pg_sequence_last_value(t.turn::regclass), 0) OFFSET 0) AS last (due)
      WHERE due <= clock.ms OR due > clock.ms + greatest(t.every_ms, $5)
    )
    SELECT ms AS clock_ms, (SELECT count(*) FROM live)::int AS live,
      (SELECT count(*) FROM live WHERE worker < $1)::int AS place,
      ARRAY(SELECT turn FROM taken WHERE next IS NOT NULL) AS turns
    FROM clock`,
};

/** Beats that count no more. It walks past those that an old snapshot keeps: 5 ms for each hour of its age. */
export const PRUNE_BEATS: Statement = {
  name: 'workers.prune_beats',
  text: 'DELETE FROM worker_beats WHERE until <= statement_timestamp()',
};

/** The next turn is due no sooner than in $2 ms: $1 sequence. */
export const PUT_OFF: Statement = {
  name: 'workers.put_off',
  text: 'SELECT setval($1::regclass, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2)',
};

/** The work of a turn has ended well: $1 another sequence, made for that. */
export const RECORD_END: Statement = {
  name: 'workers.record_end',
  text: 'SELECT setval($1::regclass, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)',
};
