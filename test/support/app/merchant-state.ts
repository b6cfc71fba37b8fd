import type { Pool } from 'pg';

/** Everything that is stored of one merchant, a line per row, such that two merchants with the same history have equal lines. */
export type MerchantState = string[];

interface Table {
  name: string;
  columns: string[];
  key: string[];
}

type Row = Record<string, unknown>;

/** How a table's rows are known to be a merchant's ($1), by the first of these columns that it has. */
const OWNERS: [string, string][] = [
  ['merchant_id', '= $1'],
  ['shop_id', 'IN (SELECT id FROM shops WHERE merchant_id = $1)'],
  ['flow_id', 'IN (SELECT id FROM flows WHERE merchant_id = $1)'],
  ['payment_id', 'IN (SELECT id FROM payments WHERE merchant_id = $1)'],
  ['delivery_id', 'IN (SELECT id FROM all_deliveries WHERE merchant_id = $1)'],
  ['client_id', 'IN (SELECT client_id FROM api_clients WHERE merchant_id = $1)'],
];
/**
 * Held or made ahead of the thing itself, and nothing without it: the key of a request, the address of a lane. They come
 * last in a state, so that the names of ids in the other lines do not depend on them.
 */
const AHEAD = ['idempotency_keys', 'webhook_lanes'];
/** What is written of a request, also of one that changes nothing; last for the same reason. */
const RECORDS = ['audit_entries'];
/** Of nobody. */
const COMMON_TABLES = [
  'merchants',
  'migrations',
  'rate_limits',
  'event_epochs',
  'event_log',
  'ended_sessions',
  'worker_beats',
  'scheduled_tasks',
];
/**
 * The books of the sandbox, which is another company; what recovery brings to an end (test/e2e/kill-money.spec.ts); and what
 * workers count behind what happened.
 */
const SETTLED_LATER = /^(sandbox_|provider_operations$|endpoint_hours$|endpoint_errors$|delivery_minutes$)/;
/** Also of what lies in JSON. */
const ID_COLUMN = /^(id|shops|picked|fallbacks)$|_id$/;
/** Chosen at random or made of what is, the length of what holds ids, counted also by what did not come about, or an id of now one table and now another. */
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
    // a record more must not give the ids behind it other names
    const known = RECORDS.includes(table.name) ? new Map(names) : names;
    const lines = read[index]!.map((row) => normalised({ ...row, ...idOf(table.name, row) }, '', known) as Row);
    const told = table.columns.includes('slot') ? merged(lines) : lines;
    state.push(...told.map((row) => `${table.name} ${JSON.stringify(row)}`));
  }
  return state;
}

/** By table, as of one moment. One statement that is planned once: this is read thousands of times. */
async function rowsOf(pool: Pool, tables: Table[], merchantId: number): Promise<Row[][]> {
  const ofEach = tables.map(
    (
      table,
    ) => `(SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY ${table.key.map((column) => `t.${column}`).join(', ')}), '[]')
      FROM ${table.name} t WHERE ${ownership(table)})`,
  );
  const text = `SELECT ${ofEach.join(', ')}`;
  const { rows } = await pool.query<Row[][]>({ name: 'test.state', text, rowMode: 'array', values: [merchantId] });
  return rows[0]!;
}

/** `state` but for what is made ahead. */
export const withoutAhead = (state: MerchantState): MerchantState => without(state, AHEAD);

/** `state` but for the records of who did what. */
export const withoutRecords = (state: MerchantState): MerchantState => without(state, RECORDS);

const without = (state: MerchantState, tables: string[]): MerchantState =>
  state.filter((line) => !tables.some((table) => line.startsWith(`${table} `)));

const known = new WeakMap<Pool, Promise<Table[]>>();

/** Tables come with migrations alone: they are looked up once. */
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
    [[...RECORDS, ...AHEAD]],
  );
  return rows.filter(({ name }) => !COMMON_TABLES.includes(name) && !SETTLED_LATER.test(name));
}

function ownership({ name, columns }: Table): string {
  const owner = OWNERS.find(([column]) => columns.includes(column));
  if (owner === undefined) throw new Error(`nothing tells whose the rows of ${name} are`);
  return `t.${owner[0]} ${owner[1]}`;
}

/** Ids become numbers in order of appearance; times, random texts and what is sealed lose their value. */
function normalised(value: unknown, column: string, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => normalised(item, column.replace(/_ids$/, '_id'), names));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([key]) => !INCIDENTAL.includes(key));
    // within another object: the ids of a payment and of its shop may be equal
    const columnOf = (key: string): string => (key === 'id' && column !== '' ? `${column}_id` : key);
    return Object.fromEntries(fields.map(([key, inner]) => [key, normalised(inner, columnOf(key), names)]));
  }
  if (value !== null && ID_COLUMN.test(column)) return nameOf(`${column} ${JSON.stringify(value)}`, names);
  if (typeof value !== 'string') return value;
  if (/^[{[]/.test(value)) return normalised(JSON.parse(value), '', names);
  return value
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-][\d:]+)/g, 'time')
    .replace(/^\d{4}-\d\d-\d\d$/, 'day')
    .replace(/^\\x[0-9a-f]*$/, 'bytes')
    .replace(/[\w+/=-]*[0-9a-f]{8}-[0-9a-f-]{27}|whsec_[\w+/=-]+|\$scrypt\S+/g, 'random')
    .replace(/\/\d+/g, '/id');
}

/** Ids of two tables may be equal. */
const idOf = (table: string, { id }: Row): Row => (id === undefined ? {} : { id: `${table} ${JSON.stringify(id)}` });

function nameOf(id: string, names: Map<string, string>): string {
  const name = names.get(id) ?? `#${names.size + 1}`;
  names.set(id, name);
  return name;
}

/** Counts that are shared out over slots, and over the minutes that a test takes, become one row. */
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
