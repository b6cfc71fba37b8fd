/**
 * How long a statement may run or wait for a lock, and a transaction for its next statement, before PostgreSQL ends them:
 * a request fails in time, and no lock outlives a process that the network has cut off. Whoever waits for a row waits on
 * one of few connections, so not for long. An idle transaction ends sooner than the statements of others do. What takes
 * longer does so in batches.
 */
export const BOUNDS = { statement_timeout: 10_000, lock_timeout: 500, idle_in_transaction_session_timeout: 5_000 };

/**
 * Keeps the connections of serving processes to plans that hold whatever the statistics say. A queue is often analysed
 * while it is empty; the planner then reads it from end to end, or gathers all of it into a bitmap, when it is full. All
 * that requests and deliveries read goes by an index; where there is none, PostgreSQL still reads the table. Never
 * `enable_sort`: grouped inserts need it. One plan of a prepared statement does for all values: by itself PostgreSQL plans
 * five times with the values at hand before it keeps one, on each connection, at up to 3 ms for the longest statements.
 */
export const PINS = { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' };

const UNPINNED = { enable_seqscan: 'on', enable_bitmapscan: 'on', plan_cache_mode: 'auto' } satisfies typeof PINS;

/** What holds for every statement of the processes that serve; as `pg_settings` shows it. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(BOUNDS).map(([name, ms]) => [name, String(ms)])),
  ...PINS,
};

/**
 * As startup options: a session without bounds and with all plans, also as a role that has them (`role-settings.ts`). For what
 * takes the time it needs, on connections of its own. A pooler in transaction mode refuses them, and so whatever needs a session.
 */
export const UNBOUNDED_OPTIONS = [
  ...Object.keys(BOUNDS).map((name) => `-c ${name}=0`),
  ...Object.entries(UNPINNED).map(([name, value]) => `-c ${name}=${value}`),
].join(' ');
