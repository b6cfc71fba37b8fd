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
const PLANNER_SETTINGS = { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' };

/**
 * What statements and answers mean: times are read as ISO has them, whoever waited for a row reads it as it is then, and a
 * backslash in a literal, which functions of the schema hold, is one. A database or role that somebody else set up may have
 * it otherwise.
 */
const SEMANTICS = {
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
};

const DEFAULT_PLANNER_SETTINGS = {
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
  plan_cache_mode: 'auto',
} satisfies typeof PLANNER_SETTINGS;

/** What holds for every statement of the processes that serve; as `pg_settings` shows it. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(BOUNDS).map(([name, ms]) => [name, String(ms)])),
  ...PLANNER_SETTINGS,
  ...SEMANTICS,
};

/** As SET and ALTER ROLE take it. */
export const assignment = ([name, value]: [string, string]): string =>
  `SET ${name} = ${/^\w+$/.test(value) ? value : `'${value}'`}`;

/** For each new connection that serves. Not as startup options, which a pooler refuses. */
export const SESSION_SETUP = Object.entries({ ...PLANNER_SETTINGS, ...SEMANTICS, idle_session_timeout: '0' })
  .map(assignment)
  .join('; ');

const asOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

export const SEMANTICS_OPTIONS = asOptions(SEMANTICS);

/**
 * As startup options: a session without bounds and with all plans, also as a role that has them (`role-settings.ts`). For what
 * takes the time it needs, on connections of its own. A pooler in transaction mode refuses them, and so whatever needs a session.
 * No `transaction_timeout`: a server before version 17 refuses a session that asks for what it does not know.
 */
export const UNBOUNDED_OPTIONS = asOptions({
  ...Object.fromEntries(Object.keys(BOUNDS).map((name) => [name, '0'])),
  idle_session_timeout: '0',
  ...DEFAULT_PLANNER_SETTINGS,
  ...SEMANTICS,
});
