import type { Queryable, Statement } from '../database/database.js';

/** A table of counts that are added up: what it counts, by what, and for how long. */
export interface Counter {
  /** One count, in words. */
  counts: string;
  table: string;
  /** The columns by which it counts: the primary key, without `slot`. */
  by: readonly string[];
  /** The columns that are added up. */
  measures: readonly string[];
  /** How further columns of a row `c` and of what is added, `excluded`, become one. */
  merged?: Readonly<Record<string, string>>;
  /**
   * Each connection counts in rows of its own, of which `slot` is the last column of the key. Two transactions never write
   * the same row, so counting never waits. The sums of rows are exact, a row may be negative.
   */
  isSharded?: boolean;
  /** The column of `by` with the beginning of the minute, hour or day, and how long its rows are kept. Absent: for ever. */
  period?: { column: string; keptMs: number };
}

const HOUR = 'extract(epoch FROM now())::bigint / 3600';
const SLOT_BITS = 22; // PID_MAX_LIMIT of Linux

/** No transaction writes slots below this one, because none takes an hour. */
const FIRST_OPEN_SLOT = `((${HOUR} - 1) << ${SLOT_BITS})`;

/** The server process, with the hour since 1970 if no period closes the row: rows of past hours are compacted. */
const slotOf = ({ period }: Counter): string =>
  period ? 'pg_backend_pid()' : `((${HOUR}) << ${SLOT_BITS}) + pg_backend_pid()`;

const keyOf = ({ by, isSharded = false }: Counter): string[] => [...by, ...(isSharded ? ['slot'] : [])];

/** How a statement adds to a counter. */
interface Addition {
  /** FROM, and what follows. */
  from?: string;
  /** SQL of columns; a column that is absent has its name in `from`. If any measure is given, only the given ones grow. */
  columns?: Readonly<Record<string, string>>;
  /** Groups the rows by the key, in its order: transactions that add to the same rows do so in one order. */
  isGrouped?: boolean;
}

/** A statement that adds to a counter. */
export function addTo(counter: Counter, { from = '', columns = {}, isGrouped = false }: Addition): string {
  const { table, by, measures, merged = {} } = counter;
  const given = measures.filter((name) => name in columns);
  const growing = given.length > 0 ? given : measures;
  const sqlOf = (name: string): string => columns[name] ?? (name === 'slot' ? slotOf(counter) : name);
  const names = [...keyOf(counter), ...growing, ...Object.keys(merged)];
  const key = by.map(sqlOf).join(', ');
  const changes = [
    ...growing.map((name) => `${name} = c.${name} + excluded.${name}`),
    ...Object.entries(merged).map(([name, sql]) => `${name} = ${sql}`),
  ];
  return `INSERT INTO ${table} AS c (${names.join(', ')})
      SELECT ${names.map(sqlOf).join(', ')} ${from}${isGrouped ? ` GROUP BY ${key} ORDER BY ${key}` : ''}
      ON CONFLICT (${keyOf(counter).join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
}

/** For `addTo`: the measures of rows that are put together. */
export const summed = ({ measures }: Counter): Record<string, string> =>
  Object.fromEntries(measures.map((name) => [name, `sum(${name})`]));

/** The sums of all measures, as columns of a SELECT without or with GROUP BY. */
export const sumsOf = ({ measures }: Counter): string =>
  measures.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`).join(', ');

/** Deletes at most $1 rows. `ctid`: the rows are chosen once, in any plan. */
const deleted = ({ table }: Counter, which: string): string => `WITH gone AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${which})) RETURNING *
    )`;

/** Rows of past hours. Two workers take different ones. */
const IS_PAST = `slot > 0 AND slot < ${FIRST_OPEN_SLOT} LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** Sums rows of past hours in slot 0. */
const compacting = (counter: Counter): string => `${deleted(counter, IS_PAST)}, kept AS (
      ${addTo(counter, { columns: { slot: '0', ...summed(counter) }, from: 'FROM gone', isGrouped: true })}
    )`;

/** Deletes periods that began before $2. */
const expiring = (counter: Counter, column: string): string =>
  deleted(counter, `${column} < $2::timestamptz ORDER BY ${column} LIMIT $1`);

/** The statement of `tidy`: $1 limit of rows, $2 the beginning of the first period to keep. Returns `rows`. */
export const tidying = (counter: Counter): Statement => ({
  name: `counters.tidy_${counter.table}`,
  text: `${counter.period ? expiring(counter, counter.period.column) : compacting(counter)}
    SELECT count(*)::integer AS rows FROM gone`,
});

/** Compacts a counter, or deletes what is too old: at most `limit` rows. Returns their number. */
export async function tidy(on: Queryable, counter: Counter, limit: number, now: Date): Promise<number> {
  const { period } = counter;
  const values = period ? [limit, new Date(now.getTime() - period.keptMs)] : [limit];
  const [tidied] = await on.query<{ rows: number }>(tidying(counter), values);
  return tidied!.rows;
}
