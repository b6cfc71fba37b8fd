import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { ApiClient, type ApiResponse, served } from '../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { insertClient } from '../support/app/insert-client.js';
import { type MerchantState, stateOf, withoutPreliminary } from '../support/app/merchant-state.js';
import { Merchant } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, builtFile, preloading, type RunningService, startService } from '../support/app/service.js';
import { type MerchantFixture, WRITING_OPERATIONS, type WritingRequest } from '../support/fuzz/writing-requests.js';

/** The states of a merchant around an operation that ran to its end, and around its repeated request. */
interface Reference {
  before: MerchantState;
  after: MerchantState;
  afterRepeat: MerchantState;
  statuses: number[];
}

/** A request, with a merchant of its own, that was stopped before step `at` or ended before that step. */
interface Stop {
  operation: string;
  at: number;
  fixture: MerchantFixture & { merchantId: number };
  request: WritingRequest;
  isStopped: boolean;
  /** Set after the process is dead: the operation had written everything. */
  wasDone: boolean;
}

const JWT_SECRET = 'the-jwt-secret-of-the-test-that-kills';
const MAX_STEPS = 40;
/** Each stopped request keeps its database connection until the process is killed. The pool has 200. */
const MAX_STOPPED = 180;
const CONCURRENCY = 8;
/** The longest time for which the lock of an idempotency key outlives its process. */
const LOCK_MS = 5_000;
/** The number of series for an operation that waits for a long time. */
const WAITING_SERIES = 6;

let database: TestDatabase;
let service: RunningService;
let bootstrapToken: string;
const references = new Map<string, Promise<Reference>>();
const stops: Stop[] = [];
/** The requests that the current process has stopped. */
let stopped = 0;

async function startApi(): Promise<void> {
  stopped = 0;
  service = await startService({
    entry: 'api',
    databaseUrl: database.url,
    env: {
      JWT_SECRET,
      // every charge must succeed, on a busy machine as well
      PROVIDER_TIMEOUT_MS: '2000',
      // they would change payments at any time; test/integration/providers/sandbox-dashboard.spec.ts tests them
      SANDBOX_NOTIFICATION_URL: 'http://127.0.0.1:1',
      DATABASE_POOL_SIZE: '200',
      NODE_OPTIONS: preloading('stopping-requests.mjs'),
      BUILD: builtFile(),
    },
  });
}

/** Inserts a merchant without data, with a client and a token. Logins are rate limited, so the token is signed here. */
async function aFixture(): Promise<Stop['fixture']> {
  const { merchantId, ...client } = await insertClient(database);
  const fixture = { merchantId, client, pool: database.pool };
  return { ...fixture, merchant: new Merchant(new ApiClient(service.url, await tokenFor(merchantId, client.id))) };
}

function tokenFor(merchantId: number, clientId: string): Promise<string> {
  const claims = { ...decodeJwt(bootstrapToken), sub: clientId, merchant_id: merchantId };
  const header = { ...decodeProtectedHeader(bootstrapToken), alg: 'HS256' };
  return new SignJWT(claims).setProtectedHeader(header).sign(Buffer.from(JWT_SECRET));
}

const send = (operation: string, fixture: MerchantFixture, { path, body, headers }: WritingRequest, stop = {}) =>
  fixture.merchant.api.request(operation.split(' ')[0]!, path, body, { ...headers, ...stop });

function referenceOf(operation: string): Promise<Reference> {
  const reference = references.get(operation) ?? carryOut(operation);
  references.set(operation, reference);
  return reference;
}

async function carryOut(operation: string): Promise<Reference> {
  const fixture = await aFixture();
  const request = await WRITING_OPERATIONS[operation]!.prepare(fixture);
  const states = [await stateOf(database.pool, fixture.merchantId)];
  const statuses: number[] = [];
  for (let time = 0; time < 2; time += 1) {
    statuses.push((await served(() => send(operation, fixture, request))).status);
    states.push(await stateOf(database.pool, fixture.merchantId));
  }
  const [before = [], after = [], afterRepeat = []] = states;
  return { before, after, afterRepeat, statuses };
}

/** Requests of one operation that are stopped one after the other: at step `at`, `by` steps later, and so on. */
interface Series {
  operation: string;
  at: number;
  by: number;
}

const seriesOf = (operation: string): Series[] => {
  const by = WRITING_OPERATIONS[operation]!.waits === true ? WAITING_SERIES : 1;
  return Array.from({ length: by }, (_, index) => ({ operation, at: 1 + index, by }));
};

/** Returns true when a request has run to its end, and false when the process can stop no more requests. */
async function stopEverywhere(series: Series): Promise<boolean> {
  const { operation } = series;
  for (; series.at <= MAX_STEPS; series.at += series.by) {
    if (stopped === MAX_STOPPED) return false;
    stopped += 1;
    const { fixture, request, answer } = await eventually(async () => {
      const fixture = await aFixture();
      const request = await WRITING_OPERATIONS[operation]!.prepare(fixture);
      const answer = await stopAt(operation, fixture, request, series.at);
      // a busy machine may refuse the request, which is not its end
      return answer?.status === 503 ? null : { fixture, request, answer };
    });
    const isStopped = answer === undefined;
    stops.push({ operation, at: series.at, fixture, request, isStopped, wasDone: false });
    if (!isStopped) return true;
  }
  throw new Error(`${operation} has more than ${MAX_STEPS} steps`);
}

/** Runs the series to their ends, in as many processes as necessary, one after the other. */
async function stopAll(all: Series[]): Promise<void> {
  const unfinished: Series[] = [];
  await inParallel(all, async (series) => {
    if (!(await stopEverywhere(series))) unfinished.push(series);
  });
  await killApi();
  if (unfinished.length === 0) return;
  await startApi();
  await stopAll(unfinished);
}

/** Runs `work` for several items at once, because most of its time is waiting. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const runner = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
}

/** Returns the answer, or undefined if the request was stopped. */
async function stopAt(
  operation: string,
  fixture: Stop['fixture'],
  request: WritingRequest,
  at: number,
): Promise<ApiResponse | undefined> {
  const id = String(fixture.merchantId);
  const stop = { 'x-stop-id': id, 'x-stop-at': String(at) };
  let answer: ApiResponse | undefined;
  send(operation, fixture, request, stop).then(
    (response) => (answer = response),
    () => undefined, // the process is killed
  );
  const { length: known } = service.logs();
  const isStopped = () => service.logs().includes(`stopped ${id}\n`, known);
  await eventually(() => isStopped() || answer !== undefined || null, { intervalMs: 10 });
  return answer;
}

/** The rows of a dead process's transactions disappear when PostgreSQL notices its end. */
async function killApi(): Promise<void> {
  await service.kill();
  await eventually(async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'payment-orchestrator'`,
    );
    expect(rows).toEqual([]);
  });
}

const operations = Object.keys(WRITING_OPERATIONS);

describe('kill -9 of the API during a request', () => {
  beforeAll(async () => {
    database = await createTestDatabase();
    await startApi();
    bootstrapToken = (await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret)).token!;
  });
  afterAll(async () => {
    await service.kill();
    await database.drop();
  });

  it('leaves all of an operation or nothing, at every step, and a repeated request completes it', async () => {
    for (const operation of operations) await referenceOf(operation);
    const writing = operations.filter((name) => WRITING_OPERATIONS[name]!.repeat !== 'reads');
    // the longest series first
    await stopAll(
      writing
        .map(seriesOf)
        .sort((one, other) => other.length - one.length)
        .flat(),
    );
    const { rows: locks } = await database.pool.query<{ left_ms: number }>(
      `SELECT extract(epoch FROM locked_until - now())::float8 * 1000 AS left_ms
       FROM idempotency_keys WHERE response_body IS NULL ORDER BY locked_until DESC`,
    );
    expect(locks.length).toBeGreaterThan(0);
    expect(locks[0]!.left_ms).toBeLessThanOrEqual(LOCK_MS);
    await inParallel(stops, isAllOrNone);
    await startApi();
    await eventually(async () => {
      const { rows } = await database.pool.query(
        'SELECT FROM idempotency_keys WHERE response_body IS NULL AND locked_until > now()',
      );
      expect(rows).toEqual([]);
    });
    await inParallel(stops, isCompletedByRepeat);
    const killed = stops.filter(({ isStopped }) => isStopped);
    process.stdout.write(
      `kill -9 of the API: ${operations.length} operations, ${new Set(killed.map(({ operation }) => operation)).size} of them write; killed at ${killed.length} points\n`,
    );
  }, 600_000);
});

async function isAllOrNone(stop: Stop): Promise<void> {
  const { operation, at, fixture, isStopped } = stop;
  const { before, after } = await referenceOf(operation);
  const state = await stateOf(database.pool, fixture.merchantId);
  const found = withoutPreliminary(state);
  const isNone = isDeepEqual(found, withoutPreliminary(before));
  const isAll = isDeepEqual(found, withoutPreliminary(after));
  const isBetween = WRITING_OPERATIONS[operation]!.isBetween?.(state) ?? false;
  const isPermitted = isAll || (isStopped && (isNone || isBetween));
  expect([operation, at, isPermitted ? [] : state]).toEqual([operation, at, []]);
  stop.wasDone = isAll;
}

async function isCompletedByRepeat(stop: Stop): Promise<void> {
  const { operation, at, request, wasDone } = stop;
  const { after, afterRepeat, statuses } = await referenceOf(operation);
  const merchant = new Merchant(new ApiClient(service.url, stop.fixture.merchant.api.token));
  const fixture = { ...stop.fixture, merchant };
  const { status } = await served(() => send(operation, fixture, request));
  const state = await stateOf(database.pool, fixture.merchantId);
  const expected = wasDone ? afterRepeat : after;
  expect([operation, at, status]).toEqual([operation, at, statuses[wasDone ? 1 : 0]]);
  expect([operation, at, state]).toEqual([operation, at, expected]);
}

const isDeepEqual = (a: MerchantState, b: MerchantState): boolean => a.join('\n') === b.join('\n');
