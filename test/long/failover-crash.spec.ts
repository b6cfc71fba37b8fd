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
/** An API that is not killed. */
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

/** Starts the API, which kills itself where crashAt() says: see crashing-sandbox.mjs. */
async function startApi(): Promise<void> {
  crashAt('');
  await connectionsAreGone();
  service = await startService({
    entry: 'api',
    databaseUrl: database.url,
    env: {
      ...SETTINGS,
      NODE_OPTIONS: preloading('crashing-sandbox.mjs'),
      SANDBOX_MODULE: builtFile('packages/payment-orchestrator-provider-sandbox.js'),
      SANDBOX_CRASH: crashFile,
    },
  });
  await login(service);
}

async function startUndisturbedApi(): Promise<void> {
  await connectionsAreGone();
  undisturbed = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: SETTINGS });
  await login(undisturbed);
}

async function login({ url }: { url: string }): Promise<void> {
  merchant = new Merchant(await ApiClient.login(url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
}

/** PostgreSQL continues the statements of a dead process until it notices that the connection has ended. */
const connectionsAreGone = (): Promise<void> =>
  eventually(async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''`,
    );
    expect(rows).toEqual([]);
  });

const crashAt = (call: string) => writeFileSync(crashFile, call);

/** Creates a flow over new shops that simulate these tokens, in this order. */
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

/** Expires the locks of the dead process's idempotency keys at once. */
const unlockKeys = () =>
  database.pool.query(`UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE response_body IS NULL`);

/** Returns the idempotency keys under which the sandbox has charged the payment. Each shop has its own key. */
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

/**
 * When the process is killed, at which attempt's call, how the first shop answers, and what the repeated request finds.
 */
const CRASHES = [
  // a shop that is unavailable when the repeated request asks it may have charged before: then the payment stays at
  // that shop
  ['before', 1, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['after', 1, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['after', 1, 'tok_unavailable', 'pending', ['unknown']],
  ['after', 1, 'tok_success', 'completed', ['approved']],
  ['before', 2, 'tok_soft_decline', 'completed', ['soft_declined', 'approved']],
  ['before', 2, 'tok_unavailable', 'completed', ['unavailable', 'approved']],
  ['after', 2, 'tok_unavailable', 'completed', ['unavailable', 'approved']],
] as const;

const nameOf = (when: string, number: number, token: string): string => `${when}-${number}-${token}`;

/** The call of a crowd at which the first process is killed. */
const FIRST = 20;
const crowdAt = (call: number) => Array.from({ length: 20 }, (_, index) => `crowd-${call}-${index}`);

/** Sends many payments at once and kills the process at this call to the provider. */
async function crashInCrowd(call: number): Promise<void> {
  const name = `crowd-${call}`;
  await aFlow(name, ['tok_soft_decline', 'tok_soft_decline', 'tok_success', 'tok_success']);
  crashAt(`after #${call}`);
  const answers = await Promise.allSettled(crowdAt(call).map((key) => pay(name, key)));
  expect(answers.map((answer) => answer.status)).toContain('rejected');
}

describe('kill -9 of the API during a failover', () => {
  /** Each payment is stopped at its call when one SIGKILL ends the process, the SIGKILL of the first crowd. */
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
    'killed %s the call of attempt %i, first shop %s: the repeated request finds the payment %s',
    async (when, number, token, status, outcomes) => {
      const name = nameOf(when, number, token);
      const payment = dataOf<PaymentAnswer>(await served(() => pay(name, name)));
      expect(payment.status).toBe(status);
      expect(await attemptsOf(payment.id)).toEqual(outcomes);
      expect(await charges(payment.id)).toHaveLength(status === 'completed' ? 1 : 0);
    },
  );

  it.each([FIRST, 45])(
    'killed at call %i of a crowd: every repeated request completes its payment, charged by one shop',
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
