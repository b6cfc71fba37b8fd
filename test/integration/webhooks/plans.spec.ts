import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Statement } from '../../../src/platform/database/database.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import { COMPLETE_KEYS } from '../../../src/payments/customers/erasure.queries.js';
import { CLAIM_KEYS } from '../../../src/platform/idempotency/idempotency.queries.js';
import {
  INSERT_PAYMENT,
  INSERT_PAYMENT_WAITING,
  INSERT_PAYMENT_WITHOUT_KEY,
  INSERT_PAYMENTS,
  INSERT_PAYMENTS_WITHOUT_KEYS,
  type NewPaymentRecord,
  valuesOfPayment,
} from '../../../src/payments/creation/new-payments.queries.js';
import { CLAIM_DUE, LIST_DUE } from '../../../src/payments/store/operation.queries.js';
import { LOCK_EXPIRED } from '../../../src/payments/store/payment.queries.js';
import {
  type Change,
  valuesOfChange,
  valuesOfChanges,
  WRITE_LOCKED_STATUS,
  WRITE_STATUS,
  WRITE_STATUSES,
} from '../../../src/payments/store/status-writes.queries.js';
import { type ClaimAnswer, type ClaimRow, claimOn, RELEASE } from '../../../src/webhooks/engine/claim.queries.js';
import { DUE_LANES } from '../../../src/webhooks/engine/due-lanes.queries.js';
import { RECORD, RECORD_DELIVERED } from '../../../src/webhooks/engine/record.queries.js';
import { LIST_DELIVERIES } from '../../../src/webhooks/history/delivery-list.queries.js';
import { DELIVERIES_IN_TIME } from '../../../src/webhooks/history/delivery-ids.queries.js';
import { DELIVERY_STATUSES } from '../../../src/webhooks/history/delivery-views.queries.js';
import { LATEST, NEXT_EVENTS } from '../../../src/events/events.queries.js';
import { EVENT_TYPES } from '../../../src/webhooks/event-types/event-catalogue.js';
import { APPEND_DELIVERIES } from '../../support/app/append-deliveries.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { explained, type Explained } from './explained.js';

const LANES = Array.from({ length: 50 }, (_, index) => index + 1);
/** More rows than statements on pending and on finished rows may read (`maxRows`). */
const [QUEUED, HISTORY] = [13_000, 16_000];
const TABLES = [
  'pending_deliveries',
  'webhook_deliveries',
  'webhook_bodies',
  'webhook_attempts',
  'payments',
  'payment_attempts',
  'provider_operations',
  'due_work',
  'payment_status_changes',
  'idempotency_keys',
  'customers',
  'shop_outcomes',
  'shop_outages',
  'webhook_shop_counters',
  'webhook_events',
  'failing_endpoints',
];
const ALL = TABLES.join(', ');
/** Tables that only `fillHistory` fills. */
const PAST = ['webhook_deliveries', 'webhook_attempts', 'idempotency_keys'];
const PRESENT = TABLES.filter((name) => !PAST.includes(name)).join(', ');
const NOW = '2026-11-22T00:00:00.000Z';

/** SQL for the owners and due times of rows. Numbers may depend on `n`. */
interface Spread {
  merchant: string;
  shop: string;
  client: string;
  dueAt: string;
  expiresAt: string;
}
const USUAL: Spread = {
  merchant: '1 + n % 20',
  shop: '1 + n % 50',
  client: `'client ' || n % 100`,
  dueAt: `now() - interval '1 minute'`,
  expiresAt: `'${NOW}'`,
};
const SINGLE_SHOP: Spread = { ...USUAL, merchant: '1', shop: '1', client: `'client 1'` };
const DUE_LATER: Spread = { ...USUAL, dueAt: `now() + interval '15 minutes'`, expiresAt: `now() + interval '1 hour'` };

/** Lanes up to this one, and as many more endpoints without deliveries, are of standing endpoints of one merchant. */
const STANDING_LANES = 25;
const STANDING_MERCHANT = 3;
const STANDING = [
  `INSERT INTO webhook_lanes (id, endpoint_id, merchant_id, origin)
    SELECT n, n, ${STANDING_MERCHANT}, 'https://standing.example' FROM generate_series(1, ${STANDING_LANES}) n`,
  `INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, event_types, status, sealed_secret)
    SELECT n, CASE WHEN n <= ${2 * STANDING_LANES} OR n > 1000 THEN ${STANDING_MERCHANT} ELSE 100 + n END, n,
      'https://standing.example/', ARRAY['payment.status_changed'],
      CASE WHEN n > 1000 THEN 'deleted' ELSE 'active' END, '' FROM generate_series(1, 2000) n`,
];

/** Inserts deliveries of different payments, with a lane per shop. One in ten has an earlier change of the same payment. */
const fillQueue = ({ merchant, shop, dueAt }: Spread): string => `WITH made AS MATERIALIZED (
    SELECT nextval('webhook_deliveries_id_seq') AS id, n, (statement_timestamp() AT TIME ZONE 'UTC')::date AS day
    FROM generate_series(1, ${QUEUED}) n
  ), bodies AS (INSERT INTO webhook_bodies SELECT day, id, repeat('b', 1200) FROM made)
  INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
    event, payment_status, webhook_endpoint, endpoint_id)
  SELECT id, ${dueAt}, ${shop}, n - (n % 10 = 9)::int * 50, ${merchant}, ${shop}, now(), day, 1200, 'e', 'completed',
    'https://shop.example/hooks', CASE WHEN ${shop} <= ${STANDING_LANES} THEN ${shop} ELSE 0 END FROM made`;

const fillHistory = ({ merchant, shop, client }: Spread): string[] => [
  `INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
    body_day, body_bytes, status, attempts, next_attempt_at, claimed_until)
    SELECT nextval('webhook_deliveries_id_seq'), ${merchant}, ${shop}, ${shop}, n, 'e', 'completed',
      'https://shop.example/', now()::date, 1200, 'delivered', 1, NULL, NULL FROM generate_series(1, ${HISTORY}) n`,
  `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms)
    SELECT id, 1, now(), 5 FROM webhook_deliveries`,
  `INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until)
    SELECT ${client}, 'key ' || n, '', now() FROM generate_series(1, ${QUEUED}) n`,
];

const fillPayments = (count: number, { merchant, shop, dueAt, expiresAt }: Spread): string[] => [
  `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
    currency, status, webhook_endpoint, webhook_lane_id, created_at, updated_at, expires_at)
    SELECT n, ${merchant}, ${shop}, 1, 1, 'ps', 'sandbox', 1, 'EUR', 'pending', 'https://shop.example/', ${shop},
      '${NOW}', '${NOW}', ${expiresAt} FROM generate_series(1, ${count}) n`,
  `SELECT setval('payments_id_seq', ${count})`,
  `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
    SELECT id, 1, shop_id, 'sandbox', now(), 'of ' || id FROM payments`,
  `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
    amount, currency, state)
    SELECT merchant_id, shop_id, id, 1, 'charge', 'payment', 'key', 'reference', amount, currency, 'open' FROM payments`,
  `INSERT INTO due_work (kind, subject_id, part, owner_id, due_at)
    SELECT 'operation', payment_id, id, merchant_id, ${dueAt} FROM provider_operations`,
  `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
    SELECT id, 'pending', 'processing', 'provider_answer', now(), merchant_id, shop_id, 1000 + id / 50 FROM payments`,
  `INSERT INTO webhook_events (event_position, merchant_id, shop_id, type, data)
    SELECT 1000 + id / 50, merchant_id, shop_id, 'delivery.failed', '{}' FROM payments`,
];

/** Fills all tables except the history. */
const fillPresent = (spread: Spread): string[] => [fillQueue(spread), ...fillPayments(QUEUED, spread)];
const fill = (spread: Spread): string[] => [...fillPresent(spread), ...fillHistory(spread)];

interface Case {
  statement: Statement;
  values: (client: pg.Client) => Promise<unknown[]> | unknown[];
  /** Maximum rows that the statement may read: generously, a few for each row that it handles. */
  maxRows: number;
}

const polling = (shopId: number | null, types: string): unknown[] => [
  merchants,
  merchants.map(() => 1_010),
  merchants.map(() => 0),
  merchants.map(() => shopId),
  merchants.map(() => types),
  20,
];

const today = (): string => new Date().toISOString().slice(0, 10);
const claim = claimOn(today());
const claimValues = [
  LANES,
  LANES.map(() => 4),
  LANES.map(() => Infinity),
  LANES.map(() => -Infinity),
  5_000,
  LANES.map(() => true),
];
const repeat = <T>(count: number, value: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => value(i));

interface LeasedRow extends ClaimRow {
  lease: string;
}

const leased = async (client: pg.Client): Promise<LeasedRow[]> => {
  const { rows } = await client.query<ClaimRow & ClaimAnswer>(claim.text, claimValues);
  return rows.map((row) => ({ ...row, lease: rows[0]!.lease! }));
};
const leasesOf = (rows: LeasedRow[]): unknown[] => [rows.map(({ id }) => id), rows.map(({ lease }) => lease)];

const deliveredValues = (rows: LeasedRow[]): unknown[] => {
  const inOrder = [...rows].sort((one, other) => one.id - other.id);
  return [
    inOrder.map(({ id }) => id),
    inOrder.map(({ attempts }) => attempts),
    inOrder.map(() => 1_764_000_000),
    inOrder.map(() => 5),
    inOrder.map(() => 200),
    inOrder.map(() => 'ok'),
    inOrder.map(({ lease }) => lease),
  ];
};

const recordValues = (rows: LeasedRow[]): unknown[] => [
  ...deliveredValues(rows),
  rows.map((_, index) => (index % 4 === 0 ? 'pending' : 'delivered')),
  rows.map(() => 1_000),
  rows.map(() => null),
  rows.map(() => null),
];

const appended = (): unknown[] => {
  const column = <T>(value: (index: number) => T) => repeat(100, value);
  return [
    column(() => 1),
    column((i) => i + 1),
    column((i) => 1 + (i % 50)),
    column((i) => 1_000 + i),
    column(() => 'e'),
    column(() => 'completed'),
    column(() => 'https://shop.example/'),
    column(() => 'body'),
  ];
};

const changes: Change[] = repeat(100, (i) => ({
  write: {
    id: 1_000 + i,
    known_status: 'pending',
    known_attempt: 1,
    known_updated_at: NOW,
    status: 'completed',
    updated_at: NOW,
    provider_metadata: '{}',
    provider_transaction_id: `tx ${i}`,
    amount_authorized: '1',
    amount_captured: '1',
    amount_refunded: '0',
    capture_before: null,
    next_action: null,
    attempt: 1,
    attempt_outcome: 'approved',
    decline_code: null,
    card: null,
    shop_outcome: 'approved',
  },
  steps: [
    {
      from_status: 'pending',
      to_status: 'completed',
      cause: 'provider_answer',
      at: NOW,
      body: 'body',
      traceparent: null,
    },
  ],
}));

const newPayments: NewPaymentRecord[] = repeat(100, (position) => ({
  initiator: null,
  agreement: null,
  payment_method: null,
  merchant_id: 1,
  shop_id: 1 + (position % 50),
  flow_id: 1,
  flow_version: 1,
  known_customer_id: null,
  new_customer_id: null,
  customer: { email: 'ada@example.com' },
  payment_session_id: `new ${position}`,
  provider_transaction_id: `new ${position}`,
  payment_provider: 'sandbox',
  amount: '1',
  currency: 'EUR',
  country: null,
  webhook_endpoint: null,
  webhook_lane_id: null,
  metadata: null,
  return_url: null,
  capture: 'automatic',
  traceparent: null,
  created_at: NOW,
  expires_at: NOW,
  attempt: 1,
  max_attempts: 1,
  fallback_shop_ids: null,
  decision: {},
  reference: `new ${position}`,
  charge_key: `new ${position}`,
  sealed_payment_token: null,
  key_client_id: `client ${position}`,
  key: `key ${position}`,
  key_lock_version: 1,
}));
const inserted = (payments: NewPaymentRecord[]) => [
  15_000,
  JSON.stringify(payments.map((payment, position) => ({ ...payment, position }))),
];
const insertedSingly = [15_000, ...valuesOfPayment(newPayments[0]!)];
const written = (count: number) => [NOW, NOW, ...valuesOfChanges(changes.slice(0, count))];
const writtenSingly = (index = 0) => [NOW, NOW, ...valuesOfChange(changes[index]!)];

const dueOperations = async (client: pg.Client): Promise<unknown[]> => {
  type Due = { payment_id: number; id: number };
  const { rows } = await client.query<Due>(
    'SELECT payment_id, id FROM provider_operations ORDER BY payment_id LIMIT 64',
  );
  return [rows.map(({ payment_id: paymentId }) => paymentId), rows.map(({ id }) => id), 40_000];
};

const clients = repeat(100, (i) => `client ${i}`);
const keys = repeat(100, (i) => `key ${i}`);

const NEWEST = Number.MAX_SAFE_INTEGER;
/** Parameters for the newest deliveries of all shops. */
const listed = (wanted: number, perStream: number, endpoint: string | null): unknown[] => [
  LANES,
  DELIVERY_STATUSES,
  NEWEST,
  0,
  wanted,
  perStream,
  '-infinity',
  'infinity',
  endpoint,
  [7],
  null,
];

const merchants = repeat(20, (i) => i + 1);

/** The table has the id of this installation. */
const HAS_ONE_ROW = 'event_log whole';

/** Rows for groups of 100 that are compared pair by pair. Does not depend on the size of the tables. */
const PAIRS = 12_000;
const SINGLE_ROWS = 20;

const CASES: Record<string, Case> = {
  claim: { statement: claim, values: () => claimValues, maxRows: 4_000 },
  'claim without successors': {
    statement: claim,
    values: () =>
      claimValues.with(
        -1,
        LANES.map(() => false),
      ),
    maxRows: 4_000,
  },
  release: { statement: RELEASE, values: async (c) => leasesOf(await leased(c)), maxRows: 4_000 },
  record: { statement: RECORD, values: async (c) => recordValues(await leased(c)), maxRows: 4_000 },
  'record of delivered': {
    statement: RECORD_DELIVERED,
    values: async (c) => deliveredValues(await leased(c)),
    maxRows: 4_000,
  },
  'traced claim': { statement: claimOn(today(), true), values: () => claimValues, maxRows: 4_000 },
  'due lanes': { statement: DUE_LANES, values: () => [1_000, '-infinity', 0, 2_000], maxRows: 10_000 },
  append: { statement: APPEND_DELIVERIES, values: appended, maxRows: 1_000 },
  'payment insert': { statement: INSERT_PAYMENTS, values: () => inserted(newPayments), maxRows: PAIRS },
  'single payment insert': { statement: INSERT_PAYMENT, values: () => insertedSingly, maxRows: SINGLE_ROWS },
  'single payment insert without key': {
    statement: INSERT_PAYMENT_WITHOUT_KEY,
    values: () => insertedSingly,
    maxRows: SINGLE_ROWS,
  },
  'waiting payment insert': { statement: INSERT_PAYMENT_WAITING, values: () => insertedSingly, maxRows: SINGLE_ROWS },
  'payment insert without keys': {
    statement: INSERT_PAYMENTS_WITHOUT_KEYS,
    values: () => inserted(newPayments),
    maxRows: PAIRS,
  },
  'status write': { statement: WRITE_STATUSES, values: () => written(100), maxRows: PAIRS },
  'single status write': { statement: WRITE_STATUS, values: () => writtenSingly(), maxRows: SINGLE_ROWS },
  'status write under the lock': {
    statement: WRITE_LOCKED_STATUS,
    values: () => writtenSingly(),
    maxRows: SINGLE_ROWS,
  },
  'status write to 50 standing endpoints': {
    statement: WRITE_STATUS,
    values: () => writtenSingly(STANDING_MERCHANT - 1),
    maxRows: 1_000,
  },
  'due operations': { statement: LIST_DUE, values: () => ['-infinity', 1_000], maxRows: 4_000 },
  'operation claims': { statement: CLAIM_DUE, values: dueOperations, maxRows: 4_000 },
  expiry: { statement: LOCK_EXPIRED, values: () => [NOW, '-infinity', 100], maxRows: 4_000 },
  'key claims': {
    statement: CLAIM_KEYS,
    values: () => [clients, keys, repeat(100, () => Buffer.from('h')), 1_000, repeat(100, (index) => index + 1)],
    maxRows: 4_000,
  },
  'event poll': { statement: NEXT_EVENTS, values: () => polling(null, EVENT_TYPES.join(',')), maxRows: 4_000 },
  'event poll of a shop': { statement: NEXT_EVENTS, values: () => polling(7, EVENT_TYPES.join(',')), maxRows: 4_000 },
  'event poll for a missing type': {
    statement: NEXT_EVENTS,
    values: () => polling(null, 'endpoint.failing'),
    maxRows: 500,
  },
  'event poll of a shop for a missing type': {
    statement: NEXT_EVENTS,
    values: () => polling(7, 'endpoint.failing'),
    maxRows: 500,
  },
  'latest events': { statement: LATEST, values: () => [7, null, EVENT_TYPES, 20], maxRows: 1_000 },
  'latest events of a shop': { statement: LATEST, values: () => [7, 27, EVENT_TYPES, 20], maxRows: 1_000 },
  'latest events of a missing type': {
    statement: LATEST,
    values: () => [7, null, ['endpoint.recovered'], 20],
    maxRows: 500,
  },
  'delivery list': { statement: LIST_DELIVERIES, values: () => listed(51, 51, null), maxRows: 15_000 },
  'delivery list to an address': {
    statement: LIST_DELIVERIES,
    values: () => listed(51, 100, 'https://shop.example/other'),
    maxRows: 15_000,
  },
  'delivery by time': { statement: DELIVERIES_IN_TIME, values: () => [NOW], maxRows: 500 },
  'key completions': {
    statement: COMPLETE_KEYS,
    values: () => [clients, keys, clients.map(() => 1), clients.map(() => '{}')],
    maxRows: PAIRS,
  },
};

const EMPTY = `TRUNCATE ${ALL}`;
const EMPTY_BUT_PAST = `TRUNCATE ${PRESENT}`;
const ANALYSE = `ANALYZE ${ALL}, webhook_endpoints, webhook_lanes`;

/** States by the rows at the time of ANALYZE. The rows that are read are the same in each: a queue of 50 lanes, all due. */
const STATES: Record<string, string[]> = {
  'never analysed': [EMPTY, ...fillPresent(USUAL)],
  'analysed empty': [EMPTY, ANALYSE, ...fillPresent(USUAL)],
  // without the entries that the statements of the states before have left in indexes
  'analysed full': [`TRUNCATE ${PAST.join(', ')}`, ANALYSE],
  'analysed with history only': [
    EMPTY,
    ...fillPayments(QUEUED, USUAL),
    ...fillHistory(USUAL),
    ANALYSE,
    fillQueue(USUAL),
  ],
  'analysed with rows of one shop': [EMPTY, ...fill(SINGLE_SHOP), ANALYSE, EMPTY, ...fill(USUAL)],
  // plans that are made now are kept when there is more
  'little due work': [
    EMPTY_BUT_PAST,
    ...fillPresent(USUAL),
    'CREATE TEMPORARY TABLE due ON COMMIT DROP AS SELECT * FROM due_work WHERE subject_id BETWEEN 1000 AND 1100',
    'TRUNCATE due_work',
    'INSERT INTO due_work SELECT * FROM due',
    'DELETE FROM due_work',
    ANALYSE,
    'INSERT INTO due_work SELECT * FROM due',
  ],
  // the history has no due times, so it stays as in the previous state
  'analysed with later rows only': [
    EMPTY_BUT_PAST,
    ...fillPresent(DUE_LATER),
    ANALYSE,
    EMPTY_BUT_PAST,
    ...fillPresent(USUAL),
  ],
};

describe('plans of the hot path', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const plans = new Map<string, Explained>();

  const run = async (statements: string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, types: { getTypeParser } });
    await client.connect();
    await configureSession(client);
    await run(
      TABLES.filter((name) => name !== 'webhook_bodies').map((t) => `ALTER TABLE ${t} SET (autovacuum_enabled = off)`),
    );
    await run(STANDING);
    for (const [state, statements] of Object.entries(STATES)) {
      // in one transaction: rows in a table that was truncated in it are not written to the WAL
      await run(['BEGIN', ...statements, 'COMMIT']);
      for (const name of Object.keys(CASES))
        for (const kind of ['generic', 'custom'] as const)
          plans.set(`${name}, ${state}, ${kind}`, await explainCase(CASES[name]!, kind));
    }
  }, 300_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function explainCase({ statement, values }: Case, kind: 'generic' | 'custom'): Promise<Explained> {
    await client.query('BEGIN');
    try {
      return await explained(client, statement, await values(client), kind);
    } finally {
      await client.query('ROLLBACK');
    }
  }
  const planOf = (name: string, state: string, kind: string) => plans.get(`${name}, ${state}, ${kind}`)!;
  const planned = (name: string) =>
    Object.keys(STATES).flatMap((state) =>
      ['generic', 'custom'].map((kind) => ({ state, kind, ...planOf(name, state, kind) })),
    );

  it.each(Object.keys(CASES))('read no table completely: %s', (name) => {
    expect(
      planned(name).filter(({ reads }) => reads.some((read) => read.endsWith(' whole') && read !== HAS_ONE_ROW)),
    ).toEqual([]);
  });

  it.each(Object.keys(CASES))('read a bounded number of rows: %s', (name) => {
    expect(planned(name).filter(({ rows }) => rows > CASES[name]!.maxRows)).toEqual([]);
  });

  it.each(Object.keys(CASES))('use the same indexes in every state: %s', (name) => {
    expect(new Set(planned(name).map(({ reads }) => reads.join('; '))).size).toBe(1);
  });
});

const INT8 = 20;
const getTypeParser = ((oid: number, format?: 'text'): unknown =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser;
