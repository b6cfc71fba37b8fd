import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compareLedgers, isDrained, type Ledgers, readLedgers } from '../support/ledger/ledger.js';
import { ApiClient, type ApiResponse } from '../support/app/api-client.js';
import { Merchant, NOTIFICATION_SECRET } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT, builtFile, preloading, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { LEFT_TO_RECOVERY, MONEY_REQUESTS, type MoneyRequest } from '../support/model/killed-requests.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';

// A process is killed at every step of what moves money: between any two statements of charge, failover, void, refund and
// notification in the API, of recovery and expiry in the worker. Then processes run undisturbed, everything comes to rest,
// and the provider's ledger is what our payments say.

const MAX_STEPS = 60;
/** `KILL_EVERY=1 npm test -- test/e2e/kill-money` stops at every step; else at every third, where to begin differs by request. */
const EVERY = Number(process.env.KILL_EVERY ?? 3);
/** From so many on a process is killed. Each keeps its connection to the database until then. */
const MAX_STOPPED = 100;
/** Requests under way at once: most of it is waiting. */
const LANES = 4;
const RECOVERY_STEPS = 12;
const RECOVERY_ROUNDS = 2;
const QUIET_MS = 3_000;
const EXPIRY_STEPS = 6;
/** That end before its step: it has fewer. */
const EXPIRY_ROUNDS = 3;
const LEAVE_MS = 600_000;
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '300',
  // twice soon, and then not again by itself
  PROVIDER_RECOVERY_DELAYS_MS: `200,500,${LEAVE_MS}`,
  DATABASE_POOL_SIZE: '200',
};

let database: TestDatabase;
let service: RunningService;
/** In which everything comes to rest. */
let undisturbed: InProcessService | undefined;
let merchant: Merchant;
let token: string;
let stopsFile: string;
/** Requests that nobody has answered. */
const unanswered: MoneyRequest[] = [];
let stopped = 0;
/** To be stopped; each has its number. */
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

/** By payment, or `expiry`. */
const stopJobs = (stops: Record<string, number>): void => writeFileSync(stopsFile, JSON.stringify(stops));

const startStoppingWorker = () =>
  start('worker', 'stopping-jobs.mjs', { JOB_STOPS: stopsFile, JOB_MODULES: builtFile('payments') });

const send = ({ path, body, headers }: MoneyRequest, stop: Record<string, string> = {}): Promise<ApiResponse> =>
  merchant.api.request('POST', path, body, { ...headers, ...stop });

/** Made anew when the service refuses a part of it, as it may on a busy machine (503). */
const prepare = (name: string): Promise<MoneyRequest> => eventually(() => MONEY_REQUESTS[name]!(merchant));

/** Its answer, unless it came to a stop. */
async function stopAt(request: MoneyRequest, at: number): Promise<ApiResponse | undefined> {
  const id = String(++sent);
  let answer: ApiResponse | undefined;
  send(request, { 'x-stop-id': id, 'x-stop-at': String(at) }).then(
    (response) => (answer = response),
    () => undefined, // the process is killed
  );
  const isStopped = () => service.logs().includes(`stopped ${id}\n`);
  await eventually(() => isStopped() || answer !== undefined || null, { intervalMs: 5 });
  return answer;
}

/** At its first step, or one soon after, it is not answered yet. */
async function stopEverywhere(name: string, first: number): Promise<void> {
  for (let at = first; at <= MAX_STEPS; at += EVERY) {
    const { request, answer } = await eventually(async () => {
      const request = await prepare(name);
      const answer = await stopAt(request, at);
      // refused on a busy machine: that is no end
      return answer?.status === 503 ? null : { request, answer };
    });
    if (answer && at === first)
      throw new Error(`${name} is answered ${answer.status} before step ${at}: ${JSON.stringify(answer.body)}`);
    if (answer) return;
    unanswered.push(request);
    stopped += 1;
  }
  throw new Error(`${name} has more than ${MAX_STEPS} steps`);
}

/** Everything that is open is due, whoever has claimed it; idempotency keys are nobody's. */
async function letTimePass(): Promise<void> {
  await sql(`UPDATE provider_operations SET next_try_at = clock_timestamp()
    WHERE state IN ('open', 'pending', 'unknown') AND next_try_at > clock_timestamp()`);
  await sql(
    `UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE response_body IS NULL AND locked_until > now()`,
  );
}

const expireAll = (): Promise<unknown> => expireOneIn(1);

/** What is pending stays so for the time of a test, unless it is expired. */
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

/** The payer turns away, and what waits for the provider's word has failed. */
async function settleRest(): Promise<void> {
  const open = await sql<{ transaction_id: string; shop_id: number; page_url: string | null }>(
    `SELECT transaction_id, shop_id, page_url FROM sandbox_transactions WHERE status = 'open' AND settles_at IS NULL`,
  );
  for (const { transaction_id: id, shop_id: shopId, page_url: pageUrl } of open) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    if (pageUrl !== null) await send({ path: new URL(pageUrl).pathname, body: 'outcome=decline', headers });
    else {
      const told = JSON.stringify({ id: `end-${id}`, provider_transaction_id: id, status: 'failed' });
      await merchant.sendNotification(shopId, told, NOTIFICATION_SECRET);
    }
  }
}

/** By payment with something open, at which step its recovery stops: every step comes up. */
async function recoveryStops(round: number): Promise<Record<string, number>> {
  const rows = await sql<{ id: number }>(
    `SELECT DISTINCT payment_id AS id FROM provider_operations
     WHERE state IN ('open', 'pending', 'unknown') AND next_try_at IS NOT NULL ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ id }, index) => [String(id), ((index + round) % RECOVERY_STEPS) + 1]));
}

const countLines = (which: RegExp): number => service.logs().match(new RegExp(which, 'gm'))?.length ?? 0;

/** A check that holds once all that recovery has begun is stopped or over, and it begins no more for a while. */
function stopsNoMore(): () => true | null {
  let [count, since] = [0, Date.now()];
  return () => {
    const [begun, stopped, ended] = [/^begun \d+$/, /^stopped \d+$/, /^ended \d+$/].map(countLines);
    const isUnderWay = begun === 0 || begun! > stopped! + ended!;
    if (isUnderWay || begun !== count) [count, since] = [begun!, Date.now()];
    return Date.now() - since > QUIET_MS || null;
  };
}

/** Side by side, each until there is no more. */
const inLanes = async (next: () => Promise<boolean>): Promise<void> => {
  const lane = async () => {
    while (await next());
  };
  await Promise.all(Array.from({ length: LANES }, lane));
};

async function killApi(): Promise<void> {
  const waiting = [...Object.keys(MONEY_REQUESTS).entries()];
  while (waiting.length > 0) {
    await startStoppingApi();
    const before = stopped;
    await inLanes(async () => {
      const next = stopped - before < MAX_STOPPED ? waiting.shift() : undefined;
      if (next === undefined) return false;
      const [index, name] = next;
      await stopEverywhere(name, 1 + (index % EVERY));
      return true;
    });
    if (waiting.length > 0) await service.kill();
  }
  const left = LEFT_TO_RECOVERY.flatMap((name) => Array.from({ length: RECOVERY_STEPS }, () => name));
  await inLanes(async () => {
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
    // the last worker goes on with expiry
    if (round < RECOVERY_ROUNDS - 1) await service.kill();
  }
  stopped += inRecovery;
  expect(inRecovery).toBeGreaterThan(RECOVERY_STEPS);
}

/** In the worker whose recovery has stopped and does not touch what is to expire. */
async function killExpiry(): Promise<void> {
  let inExpiry = 0;
  for (let at = 1; at <= EXPIRY_STEPS; at++) {
    stopJobs({ expiry: at });
    // what is stopped keeps its payments locked
    await expireOneIn(EXPIRY_STEPS - at + 1);
    const lines = (which: string) => countLines(new RegExp(`^${which} expiry ${at}$`));
    await eventually(() => lines('stopped') > 0 || lines('ended') >= EXPIRY_ROUNDS || null);
    inExpiry += lines('stopped');
  }
  await service.kill();
  stopped += inExpiry;
  expect(inExpiry).toBeGreaterThan(0);
}

async function comeToRest(): Promise<void> {
  undisturbed = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env: SETTINGS });
  merchant = new Merchant(new ApiClient(undisturbed.url, token));
  // every other client repeats what it got no answer to
  await letTimePass();
  for (const request of unanswered.filter((_, index) => index % 2 === 0)) await send(request);
  await eventually(
    async () => {
      await letTimePass();
      await settleRest();
      await expireAll();
      expect(isDrained(await ledgers())).toBe(true);
    },
    { intervalMs: 500 },
  ).catch(() => undefined); // the verdict says what is not at rest
}

it('kill -9 at any step of what moves money leaves nothing that the provider sees otherwise, once all has come to rest', async () => {
  await killApi();
  await killRecovery();
  await killExpiry();
  await comeToRest();
  const { payments, operations, recovered, disagreements } = compareLedgers(await ledgers());
  process.stdout.write(
    `kill -9 where money moves: ${stopped} points, ${payments} payments, ${operations} operations, ${recovered} recovered, ${disagreements.length} disagreements\n`,
  );
  expect(disagreements.map(({ kind, text }) => `${kind}\n${text}`)).toEqual([]);
}, 900_000);
