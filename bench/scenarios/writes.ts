import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Scenario } from '../harness/context.js';
import { allDelivered, type PaymentService, startProductService } from '../harness/payment-services.js';
import { openPaymentSetup, type PaymentSetup } from '../harness/payment-setup.js';
import type { BenchDatabase } from '../support/database.js';

/**
 * A declined payment has one change of status; an approved one is first `processing`.
 * Each change has a webhook. Partial indexes count as if they had every row, in the bar as well.
 */
const CASES = [
  { webhooks: 'one', fields: { payment_method: { type: 'card', token: 'tok_decline' } }, key: 'writes.one' },
  { webhooks: 'two', fields: {}, key: 'writes' },
] as const;
const BARS = {
  one: { entries: { atMost: 60 }, wal: { atMost: 13_000 } },
  two: { entries: { atMost: 75 }, wal: { atMost: 16_000 } },
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
  /** Those of `indexes` that only some rows are in. */
  partial: number;
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
    for (const { webhooks, fields, key } of CASES) {
      const bodies = setup.bodies.map((body) => JSON.stringify({ ...(JSON.parse(body) as object), ...fields }));
      await load({ ...setup, bodies }, service);
      const before = await countersOf(service.database);
      await load({ ...setup, bodies }, service);
      report(context, { webhooks, key }, before, await countersOf(service.database));
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
        'indexes', max((SELECT count(*) FROM pg_index WHERE indrelid = relid)),
        'partial', max((SELECT count(indpred) FROM pg_index WHERE indrelid = relid))) AS counted
      FROM pg_stat_user_tables WHERE schemaname = 'public' GROUP BY 1) t) AS tables,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes",
    (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
    (SELECT count(*)::float8 FROM payments) AS payments`;

async function countersOf(database: BenchDatabase): Promise<Counters> {
  const [counters] = await database.query<Counters & Record<string, unknown>>(COUNTERS);
  return counters!;
}

const EMPTY: TableWrites = { inserted: 0, updated: 0, hot: 0, deleted: 0, indexes: 0, partial: 0 };

function report(
  context: Context,
  { webhooks, key }: { webhooks: keyof typeof BARS; key: string },
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
    const indexed = written.inserted + written.updated - written.hot;
    return { name, ...written, entries: indexed * table.indexes, partial: indexed * table.partial };
  });
  const sum = (count: (table: (typeof tables)[number]) => number): number =>
    per(tables.reduce((total, table) => total + count(table), 0));
  context.report.add(
    `writes, per payment with ${webhooks === 'one' ? 'one webhook' : 'two webhooks'} (${payments} payments)`,
    [
      { label: 'index entries', samples: [sum(({ entries }) => entries)], key: `${key}.entries`, bar: bars.entries },
      { label: 'of these at most in partial indexes', samples: [sum(({ partial }) => partial)] },
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
    ],
  );
}
