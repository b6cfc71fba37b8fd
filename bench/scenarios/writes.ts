import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Scenario } from '../harness/context.js';
import { allDelivered, type PaymentService, startProductService } from '../harness/payment-services.js';
import { openPaymentSetup, type PaymentSetup } from '../harness/payment-setup.js';
import type { BenchDatabase } from '../support/database.js';

/** Each payment has two changes of status, and a webhook of each. Partial indexes count as if they had every row. */
const BARS = { entries: { atMost: 75 }, wal: { atMost: 16_000 } };
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
}

export const writes: Scenario = {
  about: 'rows, index entries and WAL bytes per payment with its webhooks: exact on any machine',
  async run(context) {
    const setup = await openPaymentSetup(context, context.args.quick ? 3_000 : 10_000);
    const service = await startProductService(context, 'redis', { SANDBOX_LEDGER: 'false' });
    await load(setup, service);
    const before = await countersOf(service.database);
    await load(setup, service);
    const after = await countersOf(service.database);
    await service.stop();
    report(context, before, after);
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
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes",
    (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
    (SELECT count(*)::float8 FROM payments) AS payments`;

async function countersOf(database: BenchDatabase): Promise<Counters> {
  const [counters] = await database.query<Counters & Record<string, unknown>>(COUNTERS);
  return counters!;
}

const EMPTY: TableWrites = { inserted: 0, updated: 0, hot: 0, deleted: 0, indexes: 0 };

function report(context: Context, before: Counters, after: Counters): void {
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
  context.report.add(`writes, per payment with its two webhooks (${payments} payments)`, [
    { label: 'index entries', samples: [sum(({ entries }) => entries)], key: 'writes.entries', bar: BARS.entries },
    { label: 'WAL bytes', samples: [per(after.walBytes - before.walBytes)], key: 'writes.wal', bar: BARS.wal },
    { label: 'commits', samples: [per(after.commits - before.commits)] },
    { label: 'rows inserted', samples: [sum(({ inserted }) => inserted)] },
    { label: 'rows updated', samples: [sum(({ updated }) => updated)] },
    { label: 'of these without an index entry', samples: [sum(({ hot }) => hot)] },
    { label: 'rows deleted', samples: [sum(({ deleted }) => deleted)] },
    ...tables
      .filter(({ entries }) => per(entries) >= 0.5)
      .sort((one, other) => other.entries - one.entries)
      .map(({ name, entries }) => ({ label: `index entries of ${name}`, samples: [per(entries)] })),
  ]);
}
