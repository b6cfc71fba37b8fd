import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compareLedgers, isDrained, type Ledgers, readLedgers } from '../support/ledger/ledger.js';
import { endAuthorizations } from '../support/ledger/sandbox-books.js';
import { ApiClient, type ApiResponse } from '../support/app/api-client.js';
import { Merchant, NOTIFICATION_SECRET } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT, builtFile, preloading, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { LEFT_TO_RECOVERY, MONEY_REQUESTS, type MoneyRequest } from '../support/model/killed-requests.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';
import { IS_TRIED, moveTries } from '../support/operation-work.js';

// A process is killed at every step of every operation that moves money: between any two statements of charge,
// failover, capture, void, refund, notification and settlement in the API, and of recovery and expiry in the worker.
// Then processes run undisturbed until no operation is open, and the captured and refunded amounts in the provider's
// ledger must be those of our payments.

const MAX_STEPS = 60;
/**
 * `KILL_EVERY=1 npm run test:long -- kill-money` stops at every step, otherwise at every third. The first step differs
 * by request.
 */
const EVERY = Number(process.env.KILL_EVERY ?? 3);
/** The process is killed after this many stopped requests. Each keeps its database connection until then. */
const MAX_STOPPED = 100;
/** Concurrent requests. Most of their time is waiting. */
const CONCURRENCY = 8;
const RECOVERY_STEPS = 12;
const RECOVERY_ROUNDS = 2;
const QUIET_MS = 3_000;
const EXPIRY_STEPS = 6;
/** Expiry ends this often before the step at which it should stop: then it has fewer steps. */
const EXPIRY_ROUNDS = 3;
const LEAVE_MS = 600_000;
/**
 * A request that neither ends nor reaches its step in this time waits for a stopped one, which never goes on: then the
 * process is killed earlier. The time is no bound of the service.
 */
const STUCK_MS = 25_000;
class Stuck extends Error {}
const MAX_STUCK = 4;
const MAX_TRIES = 100;
let stuck = 0;

const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '300',
  // two early tries, and then no further try by itself
  PROVIDER_RECOVERY_DELAYS_MS: `200,500,${LEAVE_MS}`,
  DATABASE_POOL_SIZE: '200',
};

let database: TestDatabase;
let service: RunningService;
/** The service that drains all open operations. */
let undisturbed: InProcessService | undefined;
let merchant: Merchant;
let token: string;
let stopsFile: string;
/** Requests without an answer. */
const unanswered: MoneyRequest[] = [];
let stopped = 0;
/** The number of requests to stop so far, which is the id of the last one. */
let sent = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  stopsFile = join(await temporaryFolder(), 'stops');
});
afterAll(async () => {
  await service?.kill();
  await undisturbed?.stop();
  await database.drop();
});

const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, values)).rows as Row[];

const ledgers = (): Promise<Ledgers> => readLedgers(sql);

async function start(entry: 'api' | 'worker', preloaded: string, env: Record<string, string>): Promise<void> {
  const options = { NODE_OPTIONS: preloading(preloaded), ...env };
  service = await startService({ entry, databaseUrl: database.url, env: { ...SETTINGS, ...options } });
}

async function startStoppingApi(): Promise<void> {
  await start('api', 'stopping-requests.mjs', { BUILD: builtFile() });
  token ??= (await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret)).token!;
  merchant = new Merchant(new ApiClient(service.url, token));
}

/** The step at which a job stops, by payment id or `expiry`. */
const stopJobs = (stops: Record<string, number>): void => writeFileSync(stopsFile, JSON.stringify(stops));

const startStoppingWorker = () =>
  start('worker', 'stopping-jobs.mjs', { JOB_STOPS: stopsFile, JOB_MODULES: builtFile('payments') });

const send = ({ path, body, headers }: MoneyRequest, stop: Record<string, string> = {}): Promise<ApiResponse> =>
  merchant.api.request('POST', path, body, { ...headers, ...stop });

/** Prepares the request again when the service refuses a part of it, as it may on a busy machine (503). Throws `Stuck`. */
const prepare = (name: string): Promise<MoneyRequest> =>
  Promise.race([
    eventually(() => MONEY_REQUESTS[name]!(merchant, sql)),
    delay(STUCK_MS, undefined, { ref: false }).then(() => {
      throw new Stuck(`${name} cannot be prepared`);
    }),
  ]);

/** Throws `Stuck`. Returns the answer, `stopped`, or `lost` if the connection was closed before either. */
async function stopAt(request: MoneyRequest, at: number): Promise<ApiResponse | 'stopped' | 'lost'> {
  const id = String(++sent);
  let end: ApiResponse | 'lost' | undefined;
  send(request, { 'x-stop-id': id, 'x-stop-at': String(at) }).then(
    (response) => (end = response),
    () => (end = 'lost'),
  );
  const isStopped = () => service.logs().includes(`stopped ${id}\n`);
  return eventually(() => (isStopped() ? 'stopped' : (end ?? null)), { intervalMs: 5, timeoutMs: STUCK_MS }).catch(
    () => {
      throw new Stuck(`request ${id} neither ends nor reaches step ${at}`);
    },
  );
}

/** A busy machine may refuse the request, or close its connection: that is not its end. */
async function stopOne(name: string, at: number): Promise<{ request: MoneyRequest; end: ApiResponse | 'stopped' }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const request = await prepare(name);
    const end = await stopAt(request, at).catch((error: unknown) => {
      unanswered.push(request);
      throw error;
    });
    if (end === 'stopped' || (end !== 'lost' && end.status !== 503)) return { request, end };
    await delay(50);
  }
  throw new Error(`${name} was refused ${MAX_TRIES} times`);
}

/** The statements that wait for a lock, each with the last statement of the session that holds it. */
async function waitsForLocks(): Promise<string> {
  const waits = await sql<{ wait: string; held: string }>(
    `SELECT left(w.query, 300) AS wait, left(h.query, 300) AS held FROM pg_stat_activity w
       CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS holder(pid) JOIN pg_stat_activity h ON h.pid = holder.pid
      WHERE w.datname = current_database()`,
  );
  return waits.length > 0 ? waits.map(({ wait, held }) => `${wait}\n  waits for ${held}`).join('\n') : 'no lock waits';
}

/** Stops the request at every EVERY-th step, from the step `first`, which must exist. */
async function stopEverywhere(name: string, first: number): Promise<void> {
  for (let at = first; at <= MAX_STEPS; at += EVERY) {
    const { request, end } = await stopOne(name, at);
    if (end !== 'stopped' && at === first)
      throw new Error(`${name} is answered ${end.status} before step ${at}: ${JSON.stringify(end.body)}`);
    if (end !== 'stopped') return;
    unanswered.push(request);
    stopped += 1;
  }
  throw new Error(`${name} has more than ${MAX_STEPS} steps`);
}

/** Makes every open operation due, even if it is claimed, and expires the lock of every idempotency key. */
async function letTimePass(): Promise<void> {
  await sql(moveTries('clock_timestamp()', `d.due_at > clock_timestamp() AND d.due_at < 'infinity'`));
  await sql(
    `UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE response_body IS NULL AND locked_until > now()`,
  );
}

const expireAll = (): Promise<unknown> => expireOneIn(1);

/** Pending payments stay pending for the time of the test, unless the test expires them. */
async function postponeExpiry(): Promise<void> {
  await sql(`UPDATE payments SET expires_at = now() + interval '1 hour' WHERE status = 'pending'`);
}

async function expireOneIn(count: number): Promise<void> {
  await sql(
    `UPDATE payments SET expires_at = now() WHERE id IN (SELECT id FROM
       (SELECT id, row_number() OVER (ORDER BY id) FROM payments WHERE status = 'pending' AND expires_at > now()) p
      WHERE row_number % $1 = 0)`,
    [count],
  );
}

/**
 * Ends every open provider transaction: the payer declines on the payment page, or a notification reports a failure.
 */
async function endOpenTransactions(): Promise<void> {
  const open = await sql<{ transaction_id: string; shop_id: number; page_url: string | null }>(
    `SELECT transaction_id, shop_id, page_url FROM sandbox_transactions WHERE status = 'open' AND settles_at IS NULL AND authorized_at IS NULL`,
  );
  for (const { transaction_id: id, shop_id: shopId, page_url: pageUrl } of open) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    if (pageUrl !== null) await send({ path: new URL(pageUrl).pathname, body: 'outcome=decline', headers });
    else {
      const notification = JSON.stringify({ id: `end-${id}`, provider_transaction_id: id, status: 'failed' });
      await merchant.sendNotification(shopId, notification, NOTIFICATION_SECRET);
    }
  }
}

/** Chooses, for each payment with an open operation, the step at which its recovery stops. Every step is used. */
async function recoveryStops(round: number): Promise<Record<string, number>> {
  const rows = await sql<{ id: number }>(
    `SELECT DISTINCT payment_id AS id FROM provider_operations o
     WHERE state IN ('open', 'pending', 'unknown') AND ${IS_TRIED} ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ id }, index) => [String(id), ((index + round) % RECOVERY_STEPS) + 1]));
}

const countLines = (which: RegExp): number => service.logs().match(new RegExp(which, 'gm'))?.length ?? 0;

/**
 * Returns a check that holds when every recovery that has begun is stopped or ended, and none has begun for a while.
 */
function stopsNoMore(): () => true | null {
  let [count, since] = [0, Date.now()];
  return () => {
    const [begun, stopped, ended] = [/^begun \d+$/, /^stopped \d+$/, /^ended \d+$/].map(countLines);
    const isUnderWay = begun === 0 || begun! > stopped! + ended!;
    if (isUnderWay || begun !== count) [count, since] = [begun!, Date.now()];
    return Date.now() - since > QUIET_MS || null;
  };
}

/** Calls `next` in parallel until it returns false. */
const inParallel = async (next: () => Promise<boolean>): Promise<void> => {
  const runner = async () => {
    while (await next());
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
};

async function killApi(): Promise<void> {
  const waiting = [...Object.keys(MONEY_REQUESTS).entries()];
  while (waiting.length > 0) {
    await startStoppingApi();
    const [before, stuckBefore] = [stopped, stuck];
    await inParallel(async () => {
      const next = stopped - before < MAX_STOPPED && stuck === stuckBefore ? waiting.shift() : undefined;
      if (next === undefined) return false;
      const [index, name] = next;
      try {
        await stopEverywhere(name, 1 + (index % EVERY));
      } catch (error) {
        if (!(error instanceof Stuck)) throw error;
        process.stdout.write(`${error.message}; ${await waitsForLocks()}\n`);
        if (++stuck > MAX_STUCK * CONCURRENCY) throw error;
        waiting.push(next);
      }
      return true;
    });
    await service.kill();
  }
  // a new process, in which no stopped request holds anything
  await startStoppingApi();
  const left = LEFT_TO_RECOVERY.flatMap((name) => Array.from({ length: RECOVERY_STEPS }, () => name));
  await inParallel(async () => {
    const name = left.shift();
    if (name !== undefined) await send(await prepare(name));
    return name !== undefined;
  });
  await service.kill();
}

async function killRecovery(): Promise<void> {
  await postponeExpiry();
  let inRecovery = 0;
  for (let round = 0; round < RECOVERY_ROUNDS; round++) {
    await letTimePass();
    stopJobs(await recoveryStops(round));
    await startStoppingWorker();
    await eventually(stopsNoMore(), { intervalMs: 100 });
    inRecovery += countLines(/^stopped \d+$/);
    // the last worker continues with expiry
    if (round < RECOVERY_ROUNDS - 1) await service.kill();
  }
  stopped += inRecovery;
  expect(inRecovery).toBeGreaterThan(RECOVERY_STEPS);
}

/** Runs in the worker whose recovery has stopped, which leaves the payments that expire. */
async function killExpiry(): Promise<void> {
  let inExpiry = 0;
  for (let at = 1; at <= EXPIRY_STEPS; at++) {
    stopJobs({ expiry: at });
    // a stopped expiry keeps its payments locked
    await expireOneIn(EXPIRY_STEPS - at + 1);
    const lines = (which: string) => countLines(new RegExp(`^${which} expiry ${at}$`));
    await eventually(() => lines('stopped') > 0 || lines('ended') >= EXPIRY_ROUNDS || null);
    inExpiry += lines('stopped');
  }
  await service.kill();
  stopped += inExpiry;
  expect(inExpiry).toBeGreaterThan(0);
}

async function drain(): Promise<void> {
  undisturbed = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env: SETTINGS });
  merchant = new Merchant(new ApiClient(undisturbed.url, token));
  await letTimePass();
  // merchants repeat every second request that got no answer
  const repeated = unanswered.filter(({ isRepeated }, index) => isRepeated ?? index % 2 === 0);
  for (const request of repeated) await send(request);
  await eventually(
    async () => {
      await letTimePass();
      await endOpenTransactions();
      await expireAll();
      await endAuthorizations(sql);
      expect(isDrained(await ledgers())).toBe(true);
    },
    { intervalMs: 500 },
  ).catch(() => undefined); // the comparison reports what is still open
}

it('kill -9 at any step that moves money leaves no disagreement with the provider after all operations have ended', async () => {
  await killApi();
  await killRecovery();
  await killExpiry();
  await drain();
  const { payments, operations, recovered, disagreements } = compareLedgers(await ledgers());
  process.stdout.write(
    `kill -9 where money moves: ${stopped} points, ${payments} payments, ${operations} operations, ${recovered} recovered, ${disagreements.length} disagreements\n`,
  );
  expect(disagreements.map(({ kind, text }) => `${kind}\n${text}`)).toEqual([]);
}, 900_000);
