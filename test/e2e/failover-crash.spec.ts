import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, served } from '../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { temporaryFolder } from '../support/servers/servers.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT, builtFile, preloading, type RunningService, startService } from '../support/app/service.js';

const SETTINGS = { PROVIDER_TIMEOUT_MS: '30000' };

let database: TestDatabase;
let crashFile: string;
let service: RunningService | undefined;
/** That nobody kills. */
let undisturbed: InProcessService | undefined;
let merchant: Merchant;

beforeAll(async () => {
  database = await createTestDatabase();
  crashFile = join(await temporaryFolder(), 'crash');
  await startApi();
});
afterAll(async () => {
  await service?.kill();
  await undisturbed?.stop();
  await database.drop();
});

/** The API, which ends where it is told; see crashing-sandbox.mjs. */
async function startApi(): Promise<void> {
  crashAt('');
  await deadAreNoticed();
  service = await startService({
    entry: 'api',
    databaseUrl: database.url,
    env: {
      ...SETTINGS,
      NODE_OPTIONS: preloading('crashing-sandbox.mjs'),
      SANDBOX_MODULE: builtFile('providers/sandbox/sandbox.provider.js'),
      SANDBOX_CRASH: crashFile,
    },
  });
  await login(service);
}

async function startUndisturbedApi(): Promise<void> {
  await deadAreNoticed();
  undisturbed = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: SETTINGS });
  await login(undisturbed);
}

async function login({ url }: { url: string }): Promise<void> {
  merchant = new Merchant(await ApiClient.login(url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
}

/** What a dead process has sent to PostgreSQL goes on until its end is noticed there. */
const deadAreNoticed = (): Promise<void> =>
  eventually(async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''`,
    );
    expect(rows).toEqual([]);
  });

const crashAt = (call: string) => writeFileSync(crashFile, call);

/** A flow over new shops that answer like these tokens, tried in this order. */
async function aFlow(name: string, tokens: string[]): Promise<void> {
  const shops = [];
  for (const [index, simulate] of tokens.entries()) {
    const shop = await merchant.createShop(`${name} ${index + 1}`, { provider_credentials: { simulate } });
    shops.push({ shop_id: shop.id, priority: index + 1 });
  }
  const flow = { name, strategy: 'priority', shops, max_attempts: tokens.length };
  dataOf(await merchant.api.post('/flows', flow));
}

const pay = (flow: string, key: string) =>
  merchant.tryPay(flow, { payment_method: { token: key } }, { 'idempotency-key': key });

/** What the dead process held is given up at once, instead of after its lock has run out. */
const unlockKeys = () =>
  database.pool.query(`UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE response_body IS NULL`);

/** Under how many keys, which is from how many shops, the payment was charged, by the sandbox's own books. */
async function charges(paymentId: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `SELECT idempotency_key AS key FROM sandbox_transactions WHERE payment_id = $1 AND status = 'captured'`,
    [paymentId],
  );
  return rows.map(({ key }) => key);
}

const attemptsOf = async (paymentId: number) =>
  dataOf<{ outcome: string | null }[]>(await merchant.api.get(`/payments/${paymentId}/attempts`)).map(
    ({ outcome }) => outcome,
  );

/** When the process is killed, at the call of which attempt, what the first shop is, and what its repeat finds. */
const CRASHES = [
  // a shop that is away when the repeat asks it may have charged before: then the payment stays where it is
  ['before', 1, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['after', 1, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['after', 1, 'tok_unavailable', 'pending', ['unknown']],
  ['after', 1, 'tok_success', 'completed', ['approved']],
  ['before', 2, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['before', 2, 'tok_unavailable', 'completed', ['unavailable', 'approved']],
  ['after', 2, 'tok_unavailable', 'completed', ['unavailable', 'approved']],
] as const;

const nameOf = (when: string, number: number, token: string): string => `${when}-${number}-${token}`;

/** At this call of a crowd the first process ends. */
const FIRST = 20;
const crowdAt = (call: number) => Array.from({ length: 20 }, (_, index) => `crowd-${call}-${index}`);

/** The process ends at this call of many that are under way. */
async function crashInCrowd(call: number): Promise<void> {
  const name = `crowd-${call}`;
  await aFlow(name, ['tok_soft_decline', 'tok_soft_decline', 'tok_success', 'tok_success']);
  crashAt(`after #${call}`);
  const answers = await Promise.allSettled(crowdAt(call).map((key) => pay(name, key)));
  expect(answers.map((answer) => answer.status)).toContain('rejected');
}

describe('kill -9 of the API during a failover', () => {
  /** All of them are where they are told to be when one SIGKILL ends them, that of the first crowd. */
  beforeAll(async () => {
    for (const [when, number, token] of CRASHES) {
      await aFlow(nameOf(when, number, token), [token, 'tok_success', 'tok_success']);
    }
    crashAt(CRASHES.map(([when, number, token]) => `${when} -${number} ${nameOf(when, number, token)}`).join('\n'));
    const names = CRASHES.map(([when, number, token]) => nameOf(when, number, token));
    const answers = Promise.allSettled(names.map((name) => pay(name, name)));
    await eventually(() => names.every((name) => service!.logs().includes(`stopped ${name}\n`)));
    await crashInCrowd(FIRST);
    expect((await answers).map(({ status }) => status)).toEqual(names.map(() => 'rejected'));
    await startApi();
    await unlockKeys();
  });

  it.each(CRASHES)(
    '%s the call of attempt %i, the first shop being %s: the repeat finds it %s',
    async (when, number, token, status, outcomes) => {
      const name = nameOf(when, number, token);
      const payment = dataOf<PaymentAnswer>(await served(() => pay(name, name)));
      expect(payment.status).toBe(status);
      expect(await attemptsOf(payment.id)).toEqual(outcomes);
      expect(await charges(payment.id)).toHaveLength(status === 'completed' ? 1 : 0);
    },
  );

  it.each([FIRST, 45])(
    'at call %i of a crowd: every repeat completes its payment, charged by one shop',
    async (call) => {
      if (call !== FIRST) {
        await crashInCrowd(call);
        await startUndisturbedApi();
        await unlockKeys();
      }
      for (const key of crowdAt(call)) {
        const payment = dataOf<PaymentAnswer>(await served(() => pay(`crowd-${call}`, key)));
        expect([payment.status, await attemptsOf(payment.id)]).toEqual([
          'completed',
          ['soft_declined', 'soft_declined', 'approved'],
        ]);
        expect(await charges(payment.id)).toHaveLength(1);
      }
    },
  );
});
