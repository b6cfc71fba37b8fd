import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';

const PAYMENTS = 100;
const AT_ONCE = 50;
/** A connection that nobody uses stays open for far longer. */
const LOOK_MS = 10;
/** As docs/operate/capacity.md has them: of a process, at most, with the default `DATABASE_POOL_SIZE`. */
const MOST = { redis: { api: 10, worker: 5 }, postgres: { api: 12, worker: 9 } };

describe.each(['redis', 'postgres'] as const)('connections to PostgreSQL, queue in %s', (backend) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let receiver: Receiver;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = backend === 'redis' ? await startRedis() : undefined;
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.stop();
    await redis?.stop();
    await database.drop();
  });

  const start = (entry: 'api' | 'worker'): Promise<InProcessService> =>
    startServiceInProcess({ entry, databaseUrl: database.url, ...(redis && { redisUrl: redis.url }) });

  const connected = async (): Promise<number> => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''`,
    );
    return rowCount!;
  };

  /** The most that were seen at once while `work` was done, by what they are for. */
  async function mostDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const most: Record<string, number> = {};
    const look = async (): Promise<void> => {
      const { rows } = await database.pool.query<{ name: string; count: number }>(
        `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name <> '' GROUP BY 1
         UNION ALL SELECT 'all', count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND application_name <> ''`,
      );
      for (const { name, count } of rows) most[name] = Math.max(most[name] ?? 0, count);
    };
    let isOver = false;
    const worked = work().finally(() => (isOver = true));
    while (!isOver) {
      await look();
      await delay(LOOK_MS);
    }
    await worked;
    await look();
    return most;
  }

  it('are no more than the capacity page says, of the API under load and then of a worker', async () => {
    const api = await start('api');
    const merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow('checkout', [(await merchant.createShop('shop')).id]);
    const ofApi = await mostDuring(async () => {
      for (let paid = 0; paid < PAYMENTS; paid += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, () => merchant.pay('checkout', { webhook_endpoint: receiver.url })),
        );
    });
    await api.stop();
    // the server notices a moment later
    await eventually(async () => (await connected()) === 0);
    expect(ofApi.all).toBeLessThanOrEqual(MOST[backend].api);
    expect(ofApi.all).toBeGreaterThan(2);

    let worker: InProcessService | undefined;
    const ofWorker = await mostDuring(async () => {
      worker = await start('worker');
      await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(PAYMENTS));
    });
    await worker!.stop();
    expect(ofWorker.all).toBeLessThanOrEqual(MOST[backend].worker);
    expect(ofWorker['payment-orchestrator']).toBeLessThanOrEqual(5);
    if (backend === 'redis') expect(Object.keys(ofWorker).sort()).toEqual(['all', 'payment-orchestrator']);
  });
});
