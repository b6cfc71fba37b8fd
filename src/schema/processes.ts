/** What processes share. Unlogged tables are empty after a crash: processes fill them again within seconds. */
export const PROCESSES = [
  // Counts of rate limits where there is no Redis. spent_at shows that the clock was set back since. No index on full_at:
  // updates stay on their page, and cleaning reads a small table
  `CREATE UNLOGGED TABLE rate_limits (
    key text PRIMARY KEY,
    full_at timestamptz NOT NULL,
    spent_at timestamptz
  ) WITH (fillfactor = 50)`,
  // workers that live; a beat counts until its time is over
  'CREATE UNLOGGED TABLE worker_beats (until timestamptz NOT NULL, worker uuid NOT NULL)',
  'CREATE INDEX worker_beats_until ON worker_beats (until, worker)',
  // when the next run of each task is due that one worker of all runs (`SharedSchedule`), and when one last succeeded
  `CREATE TABLE scheduled_tasks (
    name text PRIMARY KEY,
    next_run_at timestamptz NOT NULL,
    last_success_at timestamptz
  )`,
];
