import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import {
  APPROVAL_CELL_COUNTS,
  COUNT_CHANGES,
  ROLL_UP_CELLS,
} from '../../../src/insights/approvals/approval-cells.queries.js';
import { tidying } from '../../../src/platform/counters/counter.js';
import { WALK_PAYMENTS } from '../../../src/insights/approvals/approval-payments.queries.js';
import { APPROVALS as APPROVAL_CELLS, PREPARE_READ } from '../../../src/insights/approvals/approvals.queries.js';
import {
  APPROVALS,
  DELIVERIES,
  OPEN_ALARMS,
  OPEN_OPERATIONS,
  PENDING_WORK,
  WAITING_NOTIFICATIONS,
} from '../../../src/insights/overview/overview.queries.js';
import {
  FIND_ENDPOINT,
  LIST_ENDPOINT_HOURS,
  LIST_ENDPOINTS,
} from '../../../src/webhooks/endpoint/endpoints.queries.js';
import { FALLS } from '../../../src/insights/falls/falls.queries.js';
import { ALARMS, DOWN, EVIDENCE, FAILING, LAPSES, TO_SETTLE } from '../../../src/insights/to-do/to-do.queries.js';
import { listLapsing } from '../../../src/payments/listing/payment-lists.queries.js';
import { LIST_DUE_DISPUTES } from '../../../src/payments/store/dispute.queries.js';
import type { Statement } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { explained } from '../webhooks/explained.js';

/** Rows of merchant 1, which has a hundredth of all shops, and of the others. */
const ROWS = 10_000;
const SHOPS = 1_000;
/** Cells of one shop of merchant 1, in hours that only one test reads. */
const BINS = 20_000;
/** Further lanes of one shop of merchant 1. */
const LANES = 20_000;
const SHOP = `(1 + n % ${SHOPS})`;
const MERCHANT = `(1 + n % ${SHOPS} / 10)`;

const PLANT = [
  `INSERT INTO merchants (id, name) OVERRIDING SYSTEM VALUE SELECT n, 'merchant ' || n FROM generate_series(1, 100) n`,
  `INSERT INTO shops (id, merchant_id, name, provider, provider_credentials, webhook_secret) OVERRIDING SYSTEM VALUE
    SELECT ${SHOP}, ${MERCHANT}, 'shop ' || n, 'sandbox', '', '' FROM generate_series(0, ${SHOPS} - 1) n`,
  `INSERT INTO webhook_lanes (id, shop_id, origin) OVERRIDING SYSTEM VALUE
    SELECT 1 + n, ${SHOP}, 'http://receiver-' || n FROM generate_series(0, ${SHOPS * 5} - 1) n`,
  `INSERT INTO webhook_lanes (id, shop_id, origin) OVERRIDING SYSTEM VALUE
    SELECT ${SHOPS * 5} + n, 1, 'http://customer-' || n FROM generate_series(1, ${LANES}) n`,
  `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes, event,
    payment_status, webhook_endpoint)
    SELECT now() + n * interval '1 s', 1 + n % ${SHOPS * 5}, n, ${MERCHANT}, ${SHOP}, now(), now()::date, 1, 'e', 'completed', ''
    FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO webhook_deliveries (id, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes, event,
    payment_status, webhook_endpoint, status, attempts, attempts_in_run, next_attempt_at)
    SELECT n, 1 + n % ${SHOPS * 5}, n, ${MERCHANT}, ${SHOP}, now(), now()::date, 1, 'e', 'completed', '', s.status, 4, 4, NULL
    FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'delivered' END) s (status)`,
  `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference, amount,
    currency, state, next_try_at)
    SELECT ${MERCHANT}, ${SHOP}, n, 1, 'charge', 'payment', 'key', 'reference', 1, 'EUR', s.state, NULL
    FROM generate_series(1, ${ROWS}) n, unnest(ARRAY['confirmed', 'unknown']) s (state)`,
  `INSERT INTO due_work SELECT 'operation', payment_id, id, merchant_id, 'infinity' FROM provider_operations WHERE state = 'unknown'`,
  `INSERT INTO provider_notifications (shop_id, provider, notification_id, provider_transaction_id, status, data, outcome, received_at)
    SELECT ${SHOP}, 'sandbox', s.outcome || n, 'tx' || n, 'completed', '{}', s.outcome, now()
    FROM generate_series(1, ${ROWS}) n, unnest(ARRAY['applied', 'waiting', 'alarm']) s (outcome)`,
  `INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, announced_at)
    SELECT 1 + n, ${MERCHANT}, ${SHOP}, 'http://a', now(), now() FROM generate_series(0, ${SHOPS * 5} - 1, 3) n`,
  `INSERT INTO shop_outcomes (shop_id, minute, slot, approved)
    SELECT ${SHOP}, date_trunc('minute', now()) - n / ${SHOPS} * interval '1 minute', 1, 1 FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO endpoint_hours SELECT 1 + n % ${SHOPS * 5}, date_trunc('hour', now()) - n / ${SHOPS * 5} * interval '1 hour',
    5, 4, 1, array_fill(1, ARRAY[62]) FROM generate_series(0, ${SHOPS * 5 * 6} - 1) n`,
  `INSERT INTO endpoint_errors SELECT lane_id, hour, '503', 1, hour, 1 FROM endpoint_hours`,
  // with few merchants, all rows of an hour cost as much as one merchant's rows, and the planner may choose either
  `INSERT INTO delivery_minutes SELECT 1 + n % 500, date_trunc('minute', now()) - n / 500 * interval '1 minute', 1, 1, 1
    FROM generate_series(0, 500 * 60 * 3 - 1) n`,
  `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
    status, created_at, updated_at, expires_at)
    SELECT n, ${MERCHANT}, ${SHOP}, 1, 1, 's', 'sandbox', 1, 'EUR', (ARRAY['completed', 'failed'])[1 + n % 2], now(), now(), now()
    FROM generate_series(1, ${ROWS}) n`,
  `UPDATE payments SET status = 'processing', amount_authorized = 1, capture_before = now() + id * interval '1 minute' WHERE id % 10 = 0`,
  `INSERT INTO disputes (merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status, amount, currency,
    evidence_due_by, opened_at, reported_at, updated_at)
    SELECT ${MERCHANT}, ${SHOP}, n, 1, 'sandbox', n, 'chargeback', CASE WHEN n % 10 = 0 THEN 'open' ELSE 'lost' END, 1, 'EUR',
      now() + n * interval '1 minute', now(), now(), now() FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO shop_outages SELECT ${SHOP}, now(), now(), CASE WHEN n % 100 > 0 THEN now() END FROM generate_series(0, ${SHOPS} - 1) n`,
  `INSERT INTO approval_falls SELECT DISTINCT ${MERCHANT}, ${SHOP}, 'visa', now(), 0.5, 0.9, 100, 100 FROM generate_series(0, ${SHOPS} - 1) n`,
  `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, outcome, started_at, ended_at, reference)
    SELECT id, number, shop_id, 'sandbox', 'approved', now() - (number - 1) * id % 96 * interval '1 hour', now(), id || '/' || number
    FROM payments, generate_series(1, 2) number`,
  `INSERT INTO approval_cells SELECT ${MERCHANT}, g.by_bin, ${SHOP}, date_trunc('hour', now()) - n / ${SHOPS} * interval '1 hour',
    'EUR', 'DE', 'visa', 'debit', 'FR', CASE WHEN g.by_bin THEN '411111' ELSE '' END, 'approved', '', 1, 1, 100
    FROM generate_series(0, ${SHOPS * 72} - 1) n, (VALUES (false), (true)) g (by_bin)`,
  `INSERT INTO approval_cells SELECT 1, true, 1, date_trunc('hour', now()) - (60 + n % 40) * interval '1 hour', 'EUR', 'DE', 'visa',
    'debit', 'FR', (500000 + n)::text, 'declined', 'do_not_honor', 1, 1, 100 FROM generate_series(1, ${BINS}) n`,
  `INSERT INTO attempt_changes SELECT n, ${SHOP}, now(), 1, 100, 'approved', NULL, NULL FROM generate_series(1, 1000) n`,
];

/** Half of the failed deliveries are older. */
const FIRST_OF_THE_DAY = ROWS / 2;
/** Read as a whole: rows that no cell counts yet, and one row. */
const LOG = ['approval_counting whole', 'attempt_changes whole'];
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
const ANY = Array.from({ length: 6 }, () => null);
const ONE_DAY = [hoursAgo(23), hoursAgo(-1), hoursAgo(47)];
const PERIOD = [hoursAgo(1), hoursAgo(-1), null, ...ANY, ['approved'], null];

const NEWEST: unknown[] = [1, null, null, Number.MAX_SAFE_INTEGER, 51, null];

/** A generous maximum of rows for each statement: the merchant's own rows. */
const CASES: Record<
  string,
  { statement: Statement; values: unknown[]; maxRows: number; whole?: string[]; settings?: Statement }
> = {
  approvals: { statement: APPROVALS, values: [1], maxRows: 1_500, whole: LOG },
  deliveries: { statement: DELIVERIES, values: [1], maxRows: 100 },
  'pending work': { statement: PENDING_WORK, values: [1, FIRST_OF_THE_DAY], maxRows: 7_000 },
  'open operations': { statement: OPEN_OPERATIONS, values: [1], maxRows: 1_500 },
  'open alarms': { statement: OPEN_ALARMS, values: [1], maxRows: 2_000 },
  lapses: { statement: LAPSES, values: [1, hoursAgo(0), hoursAgo(-24), hoursAgo(-72)], maxRows: 100 },
  'evidence due': { statement: EVIDENCE, values: [1, hoursAgo(0), hoursAgo(-168)], maxRows: 150 },
  'operations to settle': { statement: TO_SETTLE, values: [1], maxRows: 1_500 },
  alarms: { statement: ALARMS, values: [1], maxRows: 2_000 },
  'endpoints that fail': { statement: FAILING, values: [1], maxRows: 500 },
  'shops that are down': { statement: DOWN, values: [1, 20], maxRows: 2_500 },
  falls: { statement: FALLS, values: [1, 20], maxRows: 100 },
  'payments by lapse': {
    statement: listLapsing(['shopId']),
    values: [1, ['processing'], 21, null, 0, 1, null],
    maxRows: 300,
  },
  'disputes by due time': {
    statement: LIST_DUE_DISPUTES,
    values: [1, 21, null, 0, null, null, null, null],
    maxRows: 300,
  },
  'waiting notifications': { statement: WAITING_NOTIFICATIONS, values: [1], maxRows: 2_000 },
  endpoints: { statement: LIST_ENDPOINTS, values: NEWEST, maxRows: 4_000 },
  'healthy endpoints': { statement: LIST_ENDPOINTS, values: NEWEST.with(2, 'healthy'), maxRows: 4_000 },
  'failing endpoints': { statement: LIST_ENDPOINTS, values: NEWEST.with(2, 'failing'), maxRows: 4_000 },
  'an endpoint': { statement: FIND_ENDPOINT, values: [1, 1], maxRows: 300 },
  'hours of an endpoint': { statement: LIST_ENDPOINT_HOURS, values: [1], maxRows: 50 },
  'approvals by segment': {
    statement: APPROVAL_CELLS,
    values: [1, false, ...ONE_DAY, 3, 2, null, ...ANY, 501],
    maxRows: 5_000,
    whole: LOG,
    settings: PREPARE_READ,
  },
  'approvals of one shop by BIN': {
    statement: APPROVAL_CELLS,
    values: [1, true, ...ONE_DAY, 6, null, 1, ...ANY, 501],
    maxRows: 2_000,
    whole: LOG,
    settings: PREPARE_READ,
  },
  'payments behind a cell': { statement: WALK_PAYMENTS, values: [1, ROWS + 1, 0, 500, 20, ...PERIOD], maxRows: 1_000 },
  'payments from before the period behind a cell': {
    statement: WALK_PAYMENTS,
    values: [1, ROWS + 1, ROWS + 1, 500, 20, ...PERIOD],
    maxRows: 100,
  },
  'the count of changes': { statement: COUNT_CHANGES, values: [hoursAgo(800), 500], maxRows: 5_000, whole: LOG },
  'the roll-up of cells': { statement: ROLL_UP_CELLS, values: [hoursAgo(49), 500], maxRows: 5_000 },
  'the pruning of cells': { statement: tidying(APPROVAL_CELL_COUNTS), values: [500, hoursAgo(70)], maxRows: 2_000 },
};

describe("query plans of the operator's overview", () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await configureSession(client);
    for (const statement of PLANT) await client.query(statement);
    await client.query('ANALYZE');
    await client.query('BEGIN');
  });
  beforeEach(async () => void (await client.query('SAVEPOINT before_test')));
  afterEach(async () => void (await client.query('ROLLBACK TO SAVEPOINT before_test')));
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Explains a statement of a transaction that begins with `settings`. */
  async function explainedWith(
    settings: Statement | undefined,
    statement: Statement,
    values: unknown[],
    kind: 'generic' | 'custom',
  ) {
    await client.query('SAVEPOINT settings');
    if (settings) await client.query(settings.text);
    const plan = await explained(client, statement, values, kind);
    await client.query('ROLLBACK TO SAVEPOINT settings');
    return plan;
  }

  it.each(Object.entries(CASES))(
    'of %s read only the merchant’s rows, by index',
    async (_, { statement, values, maxRows, whole = [], settings }) => {
      for (const kind of ['generic', 'custom'] as const) {
        const { reads, rows } = await explainedWith(settings, statement, values, kind);
        expect(reads.filter((read) => read.endsWith(' whole'))).toEqual(whole);
        expect(rows).toBeLessThanOrEqual(maxRows);
      }
    },
  );

  it('of approvals by very many BINs handle each row a few times', async () => {
    const values = [1, true, hoursAgo(100), hoursAgo(50), hoursAgo(150), 6, null, null, ...ANY, 501];
    for (const kind of ['generic', 'custom'] as const) {
      const { reads, rows, handled } = await explainedWith(PREPARE_READ, APPROVAL_CELLS, values, kind);
      expect(reads).toContain('approval_cells by approval_cells_pkey');
      expect(rows).toBeGreaterThan(BINS);
      expect(handled).toBeLessThan(20 * BINS);
    }
  });

  it('of approvals by segment do not read on into the cells of other shops', async () => {
    await client.query(
      `INSERT INTO approval_cells SELECT 1, false, max(id), date_trunc('hour', now()), 'EUR', 'DE', 'visa', 'debit', 'FR', '', 'declined',
        n::text, 1, 1, 100 FROM shops, generate_series(1, ${BINS}) n WHERE merchant_id = 1 GROUP BY n`,
    );
    const values = [1, false, hoursAgo(48), hoursAgo(24), hoursAgo(72), 3, 2, null, ...ANY, 501];
    for (const kind of ['generic', 'custom'] as const) {
      const { pages, rows } = await explainedWith(PREPARE_READ, APPROVAL_CELLS, values, kind);
      expect(rows).toBeLessThan(5_000);
      expect(pages).toBeLessThan(2_000);
    }
  });
});
