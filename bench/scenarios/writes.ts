import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Scenario } from '../harness/context.js';
import { allDelivered, type PaymentService, startProductService } from '../harness/payment-services.js';
import { openPaymentSetup, type PaymentSetup } from '../harness/payment-setup.js';
import { paymentRequest } from '../support/api-fixtures.js';
import type { BenchDatabase } from '../support/database.js';

/** A payment has two changes of status, and a webhook of each if it has an address. Without one for every second, one each. */
const CASES = [
  { webhooks: 'one', key: 'writes.one' },
  { webhooks: 'two', key: 'writes' },
] as const;
const BARS = {
  one: { entries: { atMost: 60 }, logged: { atMost: 45 }, wal: { atMost: 11_000 } },
  two: { entries: { atMost: 75 }, logged: { atMost: 55 }, wal: { atMost: 13_500 } },
};
/** An idle session of PostgreSQL sends its statistics within ten seconds. */
const SETTLE_MS = 12_000;

/** Counters of one table. */
interface TableWrites {
  inserted: number;
  updated: number;
  /** Updates that wrote no index entry. */
  hot: number;
  deleted: number;
  indexes: number;
}

interface Counters {
  tables: Record<string, TableWrites>;
  /** Bytes of the write-ahead log since the server was made. */
  walBytes: number;
  commits: number;
  payments: number;
  /** The end of the log. */
  lsn: string;
}

export const writes: Scenario = {
  about: 'rows, index entries and WAL bytes per payment with its webhooks: exact on any machine',
  async run(context) {
    const setup = await openPaymentSetup(context, context.args.quick ? 3_000 : 10_000);
    const service = await startProductService(context, 'redis', { SANDBOX_LEDGER: 'false' });
    await service.database.run('CREATE EXTENSION pg_walinspect');
    for (const { webhooks, key } of CASES) {
      const bodies = webhooks === 'two' ? setup.bodies : setup.bodies.flatMap((body) => [body, paymentRequest()]);
      await load({ ...setup, bodies }, service);
      const before = await countersOf(service.database);
      await load({ ...setup, bodies }, service);
      const after = await countersOf(service.database);
      const logged = await service.database.query<LoggedEntries & Record<string, unknown>>(LOGGED_ENTRIES, [
        before.lsn,
        after.lsn,
      ]);
      report(context, { webhooks, key, logged }, before, after);
    }
    await service.stop();
  },
};

async function load({ load: generator, bodies, durationMs }: PaymentSetup, service: PaymentService): Promise<void> {
  await generator.call('closed', { ...service.target, bodies }, durationMs);
  await allDelivered(service);
  await delay(SETTLE_MS);
}

/** Partitions count as their table. A table that another process writes per second, not per payment, is in the sum, too. */
const COUNTERS = `SELECT
    (SELECT json_object_agg(name, counted) FROM (
      SELECT regexp_replace(relname, '_(\\d{8}|default)$', '') AS name, json_build_object('inserted', sum(n_tup_ins),
        'updated', sum(n_tup_upd), 'hot', sum(n_tup_hot_upd), 'deleted', sum(n_tup_del),
        'indexes', max((SELECT count(*) FROM pg_index WHERE indrelid = relid))) AS counted
      FROM pg_stat_user_tables WHERE schemaname = 'public' GROUP BY 1) t) AS tables,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes", pg_current_wal_lsn()::text AS lsn,
    (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
    (SELECT count(*)::float8 FROM payments) AS payments`;

async function countersOf(database: BenchDatabase): Promise<Counters> {
  const [counters] = await database.query<Counters & Record<string, unknown>>(COUNTERS);
  return counters!;
}

/**
 * Entries that B-trees got between the positions $1 and $2 of the log, by table. In a partial index only rows that satisfy its
 * condition have one. No checkpoint removes the log within the scenario.
 */
const LOGGED_ENTRIES = `SELECT regexp_replace(t.relname, '_(\\d{8}|default)$', '') AS name, count(*)::float8 AS entries
    FROM pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn) b
    JOIN pg_class c ON c.relfilenode = b.relfilenode AND c.relnamespace = 'public'::regnamespace
    JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = i.indrelid
    WHERE b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) AND b.resource_manager = 'Btree'
      AND b.record_type IN ('INSERT_LEAF', 'INSERT_POST', 'SPLIT_L', 'SPLIT_R') AND b.block_id = 0
    GROUP BY 1 ORDER BY 2 DESC`;

interface LoggedEntries {
  name: string;
  entries: number;
}

const EMPTY: TableWrites = { inserted: 0, updated: 0, hot: 0, deleted: 0, indexes: 0 };

function report(
  context: Context,
  { webhooks, key, logged }: { webhooks: keyof typeof BARS; key: string; logged: LoggedEntries[] },
  before: Counters,
  after: Counters,
): void {
  const bars = BARS[webhooks];
  const payments = after.payments - before.payments;
  if (payments === 0) throw new Error('no payment succeeded');
  const per = (value: number): number => value / payments;
  const tables = Object.entries(after.tables).map(([name, table]) => {
    const { inserted, updated, hot, deleted } = before.tables[name] ?? EMPTY;
    const written = {
      inserted: table.inserted - inserted,
      updated: table.updated - updated,
      hot: table.hot - hot,
      deleted: table.deleted - deleted,
    };
    return { name, ...written, entries: (written.inserted + written.updated - written.hot) * table.indexes };
  });
  const sum = (count: (table: (typeof tables)[number]) => number): number =>
    per(tables.reduce((total, table) => total + count(table), 0));
  context.report.add(
    `writes, per payment with ${webhooks === 'one' ? 'one webhook' : 'two webhooks'} (${payments} payments)`,
    [
      { label: 'index entries', samples: [sum(({ entries }) => entries)], key: `${key}.entries`, bar: bars.entries },
      {
        label: 'index entries in the log',
        samples: [per(logged.reduce((total, { entries }) => total + entries, 0))],
        key: `${key}.logged`,
        bar: bars.logged,
      },
      { label: 'WAL bytes', samples: [per(after.walBytes - before.walBytes)], key: `${key}.wal`, bar: bars.wal },
      { label: 'commits', samples: [per(after.commits - before.commits)] },
      { label: 'rows inserted', samples: [sum(({ inserted }) => inserted)] },
      { label: 'rows updated', samples: [sum(({ updated }) => updated)] },
      { label: 'of these without an index entry', samples: [sum(({ hot }) => hot)] },
      { label: 'rows deleted', samples: [sum(({ deleted }) => deleted)] },
      ...tables
        .filter(({ entries }) => per(entries) >= 0.5)
        .sort((one, other) => other.entries - one.entries)
        .map(({ name, entries }) => ({ label: `index entries of ${name}`, samples: [per(entries)] })),
      ...logged
        .filter(({ entries }) => per(entries) >= 0.5)
        .map(({ name, entries }) => ({ label: `in the log, of ${name}`, samples: [per(entries)] })),
    ],
  );
}
