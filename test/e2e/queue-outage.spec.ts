import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';

const DEGRADED = { status: 'degraded', checks: { database: 'up', queue: 'down' } };
const OK = { status: 'ok', checks: { database: 'up', queue: 'up' } };

interface Told {
  payment: { id: number; status: string };
}

describe('API and worker without their Redis', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let receiver: Receiver;
  const services: RunningService[] = [];
  beforeAll(async () => {
    [database, redis, receiver] = await Promise.all([createTestDatabase(), startRedis(), startReceiver()]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await Promise.all([redis.stop(), receiver.stop()]);
    await database.drop();
  });

  const start = async (entry: 'api' | 'worker'): Promise<RunningService> => {
    const service = await startService({ entry, databaseUrl: database.url, redisUrl: redis.url });
    services.push(service);
    return service;
  };
  const readiness = async (url: string) => {
    const answer = await fetch(`${url}/health/ready`);
    return [answer.status, await answer.json()];
  };
  const bothAre = (urls: string[], state: object) =>
    eventually(async () => {
      for (const url of urls) expect(await readiness(url)).toEqual([200, state]);
    });
  const linesOf = (service: RunningService, msg: string) =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"msg":"${msg}"`)).length;

  /** Pays, and waits until the receiver has heard of every change. */
  async function payAndDeliver(merchant: Merchant, flow: string, count: number): Promise<void> {
    const ids: number[] = [];
    for (let made = 0; made < count; made++) {
      ids.push((await merchant.pay(flow, { webhook_endpoint: `${receiver.url}/hook` })).id);
    }
    await eventually(() => {
      const told = receiver.requests.map((request) => request.json<Told>().payment);
      for (const id of ids) {
        expect(told.filter((payment) => payment.id === id).map(({ status }) => status)).toEqual([
          'processing',
          'completed',
        ]);
      }
    });
  }
  async function aMerchant(api: RunningService, flow: string): Promise<Merchant> {
    const merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow(flow, [(await merchant.createShop(flow)).id]);
    return merchant;
  }

  it('take payments and deliver their webhooks while it is away, and say so', async () => {
    const [api, worker] = [await start('api'), await start('worker')];
    const merchant = await aMerchant(api, 'before');
    await payAndDeliver(merchant, 'before', 1);
    await bothAre([api.url, worker.workerUrl], OK);

    await redis.kill();
    await bothAre([api.url, worker.workerUrl], DEGRADED);
    await payAndDeliver(merchant, 'before', 5);
    expect(await readiness(api.url)).toEqual([200, DEGRADED]);
    for (const url of [api.url, worker.workerUrl]) {
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^queue_up 0$/m);
    }

    await redis.restart();
    await bothAre([api.url, worker.workerUrl], OK);
    await payAndDeliver(merchant, 'before', 1);
    for (const service of [api, worker]) {
      await eventually(() => {
        const lines = [linesOf(service, 'queue lost, waiting for it'), linesOf(service, 'queue is back')];
        expect(lines).toEqual([1, 1]);
      });
    }
    await Promise.all([api.stop(), worker.stop()]);
  });

  it('start without it, work, and find it once it is there', async () => {
    await redis.kill();
    const [api, worker] = [await start('api'), await start('worker')];
    await bothAre([api.url, worker.workerUrl], DEGRADED);
    await payAndDeliver(await aMerchant(api, 'without'), 'without', 3);
    await redis.restart();
    await bothAre([api.url, worker.workerUrl], OK);
    expect([await api.stop(), await worker.stop()]).toEqual([0, 0]);
  });
});
