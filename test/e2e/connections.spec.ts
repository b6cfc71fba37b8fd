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

/** All at once. */
const PAYMENTS = 50;
/** Interval between two counts. An idle connection stays open for far longer. */
const POLL_MS = 25;
/** The most connections of one process, as docs/operate/capacity.md lists them for the default `DATABASE_POOL_SIZE`. */
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

  /** Returns the highest number of connections that were open at once during `work`, by application name. */
  async function mostDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const most: Record<string, number> = {};
    const countConnections = async (): Promise<void> => {
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
      await countConnections();
      await delay(POLL_MS);
    }
    await worked;
    await countConnections();
    return most;
  }

  it('stay within the limits of the capacity page, for the API under load and then for a worker', async () => {
    const api = await start('api');
    const merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow('checkout', [(await merchant.createShop('shop')).id]);
    const apiConnections = await mostDuring(async () => {
      const pay = () => merchant.pay('checkout', { webhook_endpoint: receiver.url });
      await Promise.all(Array.from({ length: PAYMENTS }, pay));
    });
    await api.stop();
    // PostgreSQL notices the closed connections a moment later
    await eventually(async () => (await connected()) === 0);
    expect(apiConnections.all).toBeLessThanOrEqual(MOST[backend].api);
    expect(apiConnections.all).toBeGreaterThan(2);

    let worker: InProcessService | undefined;
    const workerConnections = await mostDuring(async () => {
      worker = await start('worker');
      await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(PAYMENTS));
    });
    await worker!.stop();
    expect(workerConnections.all).toBeLessThanOrEqual(MOST[backend].worker);
    expect(workerConnections['payment-orchestrator']).toBeLessThanOrEqual(5);
    if (backend === 'redis') expect(Object.keys(workerConnections).sort()).toEqual(['all', 'payment-orchestrator']);
  });
});
