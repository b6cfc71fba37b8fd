/**
 * Time-outs in ms: a statement, a wait for a lock, and a transaction that waits for its next statement. So a request
 * fails in time, and no lock outlives a process whose network is lost. `lock_timeout` is short because a session that
 * waits for a row occupies one of few connections. An idle transaction ends before the statements that wait for its
 * locks do. Work that takes longer is done in batches.
 */
export const BOUNDS = { statement_timeout: 10_000, lock_timeout: 500, idle_in_transaction_session_timeout: 5_000 };

/**
 * Planner settings of serving processes: plans that stay good with any statistics.
 * - A queue is often analysed while it is empty. When it is full, the planner would then read all of it, by a
 *   sequential or a bitmap scan. Requests and deliveries read only by index; without an index PostgreSQL still reads
 *   the table.
 * - Never `enable_sort`: grouped inserts need it.
 * - One generic plan per prepared statement is enough. By default PostgreSQL plans five times with the given values
 *   before it keeps a plan, on each connection, at up to 3 ms for the longest statements.
 */
const PLANNER_SETTINGS = { enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_generic_plan' };

/**
 * A condition of a statement that reads a small table as a whole: every row of `table` fulfils it, and the plan reads by
 * `ctid`. Serving sessions have sequential scans off, which adds 10,000,000,000 to the cost of one: a server with a JIT
 * compiler then compiles the plan at each run, in a session that leaves the compiler on.
 */
export const everyRow = (table: string): string => `${table}.ctid >= '(0,0)'`;

/**
 * Settings that change the meaning of statements and results, in case a database or role has other defaults: ISO times,
 * READ COMMITTED (a session that waited for a row reads its latest version), and plain backslashes in literals, which
 * functions of the schema contain.
 */
const SEMANTICS = {
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
};

/**
 * For every session, also those of migrations and of the queue. A server's default compiles plans above a cost of
 * 100,000, which plans on tables without statistics often have, at each run: 0.1 to 0.7 s of CPU time for statements
 * that take 1 ms.
 */
const NO_COMPILER = { jit: 'off' };

const DEFAULT_PLANNER_SETTINGS = {
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
  plan_cache_mode: 'auto',
} satisfies typeof PLANNER_SETTINGS;

/** Settings of every session of a serving process, with values as `pg_settings` shows them. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(BOUNDS).map(([name, ms]) => [name, String(ms)])),
  ...PLANNER_SETTINGS,
  ...NO_COMPILER,
  ...SEMANTICS,
};

/** In the syntax of SET and ALTER ROLE. */
export const assignment = ([name, value]: [string, string]): string =>
  `SET ${name} = ${/^\w+$/.test(value) ? value : `'${value}'`}`;

/** Runs on each new connection of a serving process. Not sent as startup options, because a pooler refuses those. */
export const SESSION_SETUP = Object.entries({
  ...PLANNER_SETTINGS,
  ...NO_COMPILER,
  ...SEMANTICS,
  idle_session_timeout: '0',
})
  .map(assignment)
  .join('; ');

const asOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

/** Startup options of a session that needs no others. */
export const COMMON_OPTIONS = asOptions({ ...NO_COMPILER, ...SEMANTICS });

/**
 * Startup options of a session without time-outs and with all kinds of plans, also for a role that has them
 * (`role-settings.ts`). For work that takes the time it needs, on connections of its own. A pooler in transaction mode
 * refuses startup options, and everything else that needs a session. `transaction_timeout` is left out: a server before
 * version 17 refuses a session with a setting that it does not know.
 */
export const UNBOUNDED_OPTIONS = asOptions({
  ...Object.fromEntries(Object.keys(BOUNDS).map((name) => [name, '0'])),
  idle_session_timeout: '0',
  ...DEFAULT_PLANNER_SETTINGS,
  ...NO_COMPILER,
  ...SEMANTICS,
});
