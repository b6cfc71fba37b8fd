import pg from 'pg';
import type { Statement } from '../../src/platform/database/database.js';
import { INSERT_PAYMENTS } from '../../src/payments/creation/new-payments.queries.js';
import { listCustomers } from '../../src/payments/customers/customer-lists.queries.js';
import { type ListFilter, listPayments } from '../../src/payments/listing/payment-lists.queries.js';
import { SEARCH_PAYMENTS } from '../../src/payments/listing/search.queries.js';
import { configureSession } from '../../src/platform/database/connection-watchdog.js';
import type { Context, Scenario } from '../harness/context.js';
import type { BenchDatabase } from '../support/database.js';
import type { Comparison } from '../support/report.js';
import { interleave, percentile } from '../support/statistics.js';
import { CUSTOMER } from '../support/webhook-sample.js';

const PAYMENTS = { full: 1_000_000, quick: 100_000 };
/** Payments per statement, as the service groups them under load, and statements per measurement. */
const GROUP = 16;
const GROUPS = 250;
const SEARCHES = 20;
const BAR_MS = 50;
const BAR_INSERT = 1.05;
const MERCHANT = 1;
/** Merchant 1 has half of all customers and payments: the planner may take its index for theirs. Others share the rest. */
const MERCHANTS = 200;
const OWNER = `CASE WHEN n % 2 = 0 THEN $1::bigint ELSE 2 + n / 2 % ${MERCHANTS - 1} END`;
const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'];
const PAGE = [Number.MAX_SAFE_INTEGER, 21];

/** Takes away all that only searches need. */
const WITHOUT = [
  'DROP TRIGGER payments_insert_terms ON payments',
  'DROP INDEX customers_email_hash_id',
  'DROP INDEX customers_merchant_id_id',
];

export const search: Scenario = {
  about: 'searches over a million payments that share values, and what they cost each insertion',
  async run(context) {
    const count = context.args.quick ? PAYMENTS.quick : PAYMENTS.full;
    const [indexed, plain] = [await context.database(), await context.database()];
    await plain.run(...WITHOUT);
    for (const database of [indexed, plain]) await seed(context, database, count);
    const rows = [...(await insertions(context, indexed, plain)), ...(await searches(context, indexed, count))];
    context.report.add(`search: ${count.toLocaleString('en-US')} payments`, rows);
  },
};

/** Payments of all merchants, each with a customer and an order of its own; they share a channel, and half an address. */
async function seed(context: Context, database: BenchDatabase, count: number): Promise<void> {
  context.say(`inserting ${count} payments`);
  await database.query(
    `INSERT INTO customers (id, merchant_id, email, full_name)
      SELECT n, ${OWNER}, CASE WHEN n % 4 < 2 THEN 'shared@example.com' ELSE 'ada' || n || '@example.com' END, 'Ada' FROM generate_series(1, $2::int) n`,
    [MERCHANT, count],
  );
  await database.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id,
        provider_transaction_id, payment_provider, amount, currency, status, metadata, created_at, updated_at, expires_at)
      SELECT ${OWNER}, 1 + n % 3, 1, 1, n, 'ps_' || n, 'sbx_' || n, 'sandbox', 1 + n % 500, 'EUR', 'completed',
        json_build_object('order_id', 'A-' || n, 'channel', 'web'), now(), now(), now() FROM generate_series(1, $2::int) n`,
    [MERCHANT, count],
  );
  await database.run(`SELECT setval('customers_id_seq', ${count})`, 'VACUUM (ANALYZE)', 'CHECKPOINT');
}

async function insertions(context: Context, indexed: BenchDatabase, plain: BenchDatabase): Promise<Comparison[]> {
  let made = 0;
  const insert = async (client: pg.Client): Promise<number> => {
    const started = performance.now();
    for (let group = 0; group < GROUPS; group++) {
      const records = Array.from({ length: GROUP }, (_, position) => record(++made, position));
      await client.query({ ...INSERT_PAYMENTS, values: [15_000, JSON.stringify(records)] });
    }
    return ((performance.now() - started) * 1_000) / (GROUPS * GROUP);
  };
  const [one, other] = [await connect(indexed), await connect(plain)];
  const results = await interleave(context.args.rounds * 2, {
    indexed: () => insert(one),
    plain: () => insert(other),
  });
  await Promise.all([one.end(), other.end()]);
  return [
    {
      label: 'µs to insert a payment with two values of metadata and a customer',
      samples: results.indexed,
      baseline: { name: 'without search', samples: results.plain },
      key: 'search.insert',
      bar: { atMost: BAR_INSERT },
    },
  ];
}

async function searches(context: Context, database: BenchDatabase, count: number): Promise<Comparison[]> {
  const client = await connect(database);
  const list = (given: ListFilter[], values: unknown[]): [Statement, unknown[]] => [
    listPayments(given),
    [MERCHANT, STATUSES, PAGE[0], PAGE[1], 0, ...values, PAGE[1]],
  ];
  const rare = `A-${count / 2}`;
  const rareEmail = `ada${count / 2 + 2}@example.com`;
  const cases: Record<string, [Statement, unknown[]]> = {
    'payments of a rare value': list(['metadataKey', 'metadataValue'], ['order_id', rare]),
    'payments of a value that all share': list(['metadataKey', 'metadataValue'], ['channel', 'web']),
    'payments of an address that all share': list(['customerEmail'], ['shared@example.com']),
    'customers of an address that all share': [listCustomers(['email']), [MERCHANT, ...PAGE, 'shared@example.com']],
    'search box, a rare value': [SEARCH_PAYMENTS, [MERCHANT, rare, null, 5]],
    'search box, a value that all share': [SEARCH_PAYMENTS, [MERCHANT, 'web', null, 5]],
    'search box, an address that all share': [SEARCH_PAYMENTS, [MERCHANT, 'shared@example.com', null, 5]],
    'payments of a rare address': list(['customerEmail'], [rareEmail]),
    'customers of a rare address': [listCustomers(['email']), [MERCHANT, ...PAGE, rareEmail]],
  };
  const timeOf = async ([statement, values]: [Statement, unknown[]]): Promise<number> => {
    const times: number[] = [];
    for (let search = 0; search < SEARCHES; search++) {
      const started = performance.now();
      await client.query({ ...statement, values });
      times.push(performance.now() - started);
    }
    return percentile(times, 0.9);
  };
  const variants = Object.entries(cases).map(([label, each]) => [label, () => timeOf(each)] as const);
  const results = await interleave(context.args.rounds, Object.fromEntries(variants));
  await client.end();
  return Object.entries(results).map(([label, samples], index) => ({
    label: `p90 ms: ${label}`,
    samples,
    key: `search.ms.${index + 1}`,
    bar: { atMost: BAR_MS },
  }));
}

async function connect(database: BenchDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await configureSession(client); // without the service's settings, plans would be others
  return client;
}

const record = (number: number, position: number): object => ({
  position,
  merchant_id: MERCHANT,
  shop_id: 1 + (number % 3),
  flow_id: 1,
  flow_version: 1,
  customer: { ...CUSTOMER, email: `ada${number}@example.com` },
  payment_session_id: `new_${number}`,
  provider_transaction_id: `new_${number}`,
  payment_provider: 'sandbox',
  amount: '49.9',
  currency: 'EUR',
  metadata: { order_id: `B-${number}`, channel: 'web' },
  capture: 'automatic',
  attempt: 1,
  max_attempts: 1,
  fallback_shop_ids: [],
  initiator: 'customer',
  created_at: new Date().toISOString(),
  expires_at: new Date().toISOString(),
  decision: {},
  reference: `new_${number}`,
  charge_key: `new_${number}`,
});
