import type { Pool } from 'pg';

/** All stored data of one merchant, one line per row. Two merchants with the same history have equal lines. */
export type MerchantState = string[];

interface Table {
  name: string;
  columns: string[];
  key: string[];
}

type Row = Record<string, unknown>;

/** How the rows of a merchant ($1) are found, by the first of these columns that the table has. */
const OWNERS: [string, string][] = [
  ['merchant_id', '= $1'],
  ['shop_id', 'IN (SELECT id FROM shops WHERE merchant_id = $1)'],
  ['flow_id', 'IN (SELECT id FROM flows WHERE merchant_id = $1)'],
  ['rollout_id', 'IN (SELECT id FROM flow_rollouts WHERE merchant_id = $1)'],
  ['payment_id', 'IN (SELECT id FROM payments WHERE merchant_id = $1)'],
  ['delivery_id', 'IN (SELECT id FROM all_deliveries WHERE merchant_id = $1)'],
  ['client_id', 'IN (SELECT client_id FROM api_clients WHERE merchant_id = $1)'],
];
/**
 * Rows that may be written before the object itself, and mean nothing without it: the key of a request, the address of
 * a lane. They come last in a state, so that ids in the other lines have the same names with and without them.
 */
const PRELIMINARY = ['idempotency_keys', 'webhook_lanes'];
/** Records of requests, including those that change nothing; last for the same reason. */
const RECORDS = ['audit_entries'];
/** Tables without a merchant. */
const COMMON_TABLES = [
  'merchants',
  'migrations',
  'rate_limits',
  'event_epochs',
  'event_log',
  'ended_sessions',
  'worker_beats',
  'scheduled_tasks',
  'approval_counting',
];
/**
 * The books of the sandbox, which is another company; rows that recovery completes later (test/long/kill-money.spec.ts);
 * and counts that workers add later.
 */
const SETTLED_LATER =
  /^(sandbox_|provider_operations$|due_work$|endpoint_hours$|endpoint_errors$|delivery_minutes$|attempt_changes$|approval_cells$)/;
/** Also applies within JSON. */
const ID_COLUMN = /^(id|shops|picked|fallbacks)$|_id$/;
/**
 * Columns with random values or values derived from ids, such as a hash of a rule, the length of texts with ids, counters that also count aborted
 * attempts, and ids of varying tables.
 */
const INCIDENTAL = [
  'slot',
  'event_position',
  'fingerprint',
  'body_bytes',
  'counter',
  'lock_version',
  'object_id',
  'filter_hash',
];

export async function stateOf(pool: Pool, merchantId: number): Promise<MerchantState> {
  const state: MerchantState = [];
  const names = new Map<string, string>();
  const found = await tablesOf(pool);
  const read = await rowsOf(pool, found, merchantId);
  for (const [index, table] of found.entries()) {
    // an additional record must not change the names of later ids
    const known = RECORDS.includes(table.name) ? new Map(names) : names;
    const lines = read[index]!.map((row) => normalised({ ...row, ...idOf(table.name, row) }, '', known) as Row);
    const shown = table.columns.includes('slot') ? merged(lines) : lines;
    state.push(...shown.map((row) => `${table.name} ${JSON.stringify(row)}`));
  }
  return state;
}

/**
 * The rows of all tables at the same time. A single statement that is planned once, because this is read thousands of
 * times.
 */
async function rowsOf(pool: Pool, tables: Table[], merchantId: number): Promise<Row[][]> {
  const subqueries = tables.map(
    (
      table,
    ) => `(SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY ${table.key.map((column) => `t.${column}`).join(', ')}), '[]')
      FROM ${table.name} t WHERE ${ownership(table)})`,
  );
  const text = `SELECT ${subqueries.join(', ')}`;
  const { rows } = await pool.query<Row[][]>({ name: 'test.state', text, rowMode: 'array', values: [merchantId] });
  return rows[0]!;
}

/** `state` without the rows that may be written before the object itself. */
export const withoutPreliminary = (state: MerchantState): MerchantState => without(state, PRELIMINARY);

/** `state` without the records of requests. */
export const withoutRecords = (state: MerchantState): MerchantState => without(state, RECORDS);

const without = (state: MerchantState, tables: string[]): MerchantState =>
  state.filter((line) => !tables.some((table) => line.startsWith(`${table} `)));

const known = new WeakMap<Pool, Promise<Table[]>>();

/** Looked up once, because only migrations create tables. */
function tablesOf(pool: Pool): Promise<Table[]> {
  const found = known.get(pool) ?? tables(pool);
  known.set(pool, found);
  return found;
}

async function tables(pool: Pool): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `SELECT c.relname AS name,
       (SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns,
       (SELECT array_agg(attname::text ORDER BY array_position(i.indkey, attnum)) FROM pg_attribute
        JOIN pg_index i ON i.indrelid = attrelid AND i.indisprimary AND attnum = ANY (i.indkey) WHERE attrelid = c.oid) AS key
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     ORDER BY coalesce(array_position($1::text[], c.relname::text), 0), c.relname`,
    [[...RECORDS, ...PRELIMINARY]],
  );
  return rows.filter(({ name }) => !COMMON_TABLES.includes(name) && !SETTLED_LATER.test(name));
}

function ownership({ name, columns }: Table): string {
  const owner = OWNERS.find(([column]) => columns.includes(column));
  if (owner === undefined) throw new Error(`no column of ${name} identifies its merchant`);
  return `t.${owner[0]} ${owner[1]}`;
}

/** Replaces ids by numbers in order of appearance; times, random texts and encrypted values by fixed texts. */
function normalised(value: unknown, column: string, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => normalised(item, column.replace(/_ids$/, '_id'), names));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([key]) => !INCIDENTAL.includes(key));
    // within another object, because the ids of a payment and of its shop may be equal
    const columnOf = (key: string): string => (key === 'id' && column !== '' ? `${column}_id` : key);
    return Object.fromEntries(fields.map(([key, inner]) => [key, normalised(inner, columnOf(key), names)]));
  }
  if (value !== null && ID_COLUMN.test(column)) return nameOf(`${column} ${JSON.stringify(value)}`, names);
  if (column === 'value_hash') return 'random';
  if (typeof value !== 'string') return value;
  if (/^[{[]/.test(value)) return normalised(JSON.parse(value), '', names);
  return value
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-][\d:]+)/g, 'time')
    .replace(/^\d{4}-\d\d-\d\d$/, 'day')
    .replace(/^\\x[0-9a-f]*$/, 'bytes')
    .replace(/[\w+/=-]*[0-9a-f]{8}-[0-9a-f-]{27}|whsec_[\w+/=-]+|\$scrypt\S+/g, 'random')
    .replace(/\/\d+/g, '/id');
}

/** Includes the table's name, because ids of two tables may be equal. */
const idOf = (table: string, { id }: Row): Row => (id === undefined ? {} : { id: `${table} ${JSON.stringify(id)}` });

function nameOf(id: string, names: Map<string, string>): string {
  const name = names.get(id) ?? `#${names.size + 1}`;
  names.set(id, name);
  return name;
}

/** Merges counts that are split over slots, and over the minutes of a test, into one row. */
function merged(rows: Row[]): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const isCount = (value: unknown) => typeof value === 'number';
    const key = JSON.stringify(Object.entries(row).filter(([, value]) => !isCount(value)));
    const sum = byKey.get(key);
    if (sum === undefined) byKey.set(key, row);
    else
      for (const [name, value] of Object.entries(row))
        if (isCount(value)) sum[name] = Number(sum[name]) + Number(value);
  }
  return [...byKey.values()];
}
