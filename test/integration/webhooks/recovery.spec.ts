import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import { AttemptRecorder } from '../../../src/webhooks/engine/attempt-recorder.js';
import { Database, type Statement } from '../../../src/platform/database/database.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { type Claim, type ClaimedDelivery, DeliveryClaims } from '../../../src/webhooks/engine/delivery-claims.js';
import { RENEW_LEASES } from '../../../src/webhooks/engine/delivery.queries.js';
import { SqlDeliveryStore } from '../../../src/webhooks/engine/sql-delivery-store.js';
import { LANE_QUEUE, type LaneQueue, wakeJob } from '../../../src/webhooks/outbox/lane-queue.js';
import { WebhookMetrics } from '../../../src/webhooks/webhook-metrics.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { BACKENDS, type Engine, EngineWorld, type TestShop } from './engine-harness.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';

describe.each(BACKENDS)('recovery, queue in %s', (backend) => {
  let world: EngineWorld;
  let producer: Engine;
  let shop: TestShop;
  let receiver: Receiver;
  let change: (fields?: Partial<NewDelivery>) => NewDelivery;

  beforeEach(async () => {
    [world, receiver] = await Promise.all([EngineWorld.create(backend), startReceiver()]);
    producer = await world.startProducer();
    shop = await world.aShop(producer);
    change = await world.deliveriesTo(producer, shop, receiver.url);
  });
  afterEach(async () => {
    await world.stop();
    await receiver.stop();
  });

  // a difference of 300 lines at every look would take the CPU from those who deliver
  const allDelivered = (count: number) =>
    eventually(
      async () => {
        const rows = await world.deliveries();
        const delivered = rows.filter(({ status }) => status === 'delivered').length;
        expect({ rows: rows.length, delivered }).toEqual({ rows: count, delivered: count });
        return rows;
      },
      { timeoutMs: 30_000, intervalMs: 100 },
    );

  async function emptyQueue(): Promise<void> {
    if (world.redis) return world.redis.flush();
    // deadlocks with a worker at times, and PostgreSQL may choose us to give in
    await eventually(() => world.database.pool.query('TRUNCATE bullmq.job, bullmq.dedup CASCADE'));
  }

  const queueOf = (engine: Engine): LaneQueue =>
    engine.app.get<LaneQueue>(getQueueToken(LANE_QUEUE), { strict: false });

  it('delivers what nobody woke', async () => {
    await world.startWorker();
    await producer.append(change(), change());
    await allDelivered(2);
  });

  it('delivers what was pending when the queue was emptied', async () => {
    await producer.deliver(...Array.from({ length: 20 }, () => change()));
    await eventually(async () => (await queueOf(producer).getJobCounts('waiting')).waiting === 1);
    await emptyQueue();
    await world.startWorker();
    await allDelivered(20);
    expect(receiver.requests).toHaveLength(20);
  });

  it('delivers while the queue is emptied again and again', async () => {
    await world.startWorker();
    receiver.respondWith({ delayMs: 20 });
    for (let round = 0; round < 10; round++) {
      await producer.deliver(...Array.from({ length: 10 }, () => change()));
      await emptyQueue();
    }
    await allDelivered(100);
  });

  const ofLane = (quota = 10): Claim => ({
    lane: { id: change().laneId, shop_id: shop.shopId },
    quota,
    maxBytes: Infinity,
    isUrgent: true,
  });

  /** A worker that claims, and dies before it records. Leases last its timeout and 2 s. */
  const claimAndDie = (): Promise<ClaimedDelivery[]> =>
    new DeliveryClaims(new SqlDeliveryStore(producer.get(Database)), producer.get(ShopsService), {
      webhookTimeoutMs: 300,
    }).claim(ofLane());

  it('delivers again what a dead worker claimed and did not record, once the lease is over', async () => {
    await producer.append(change(), change());
    const claimedAt = Date.now();
    expect(await claimAndDie()).toHaveLength(2);
    await world.startWorker();
    await allDelivered(2);
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[0]!.arrivedAt - claimedAt).toBeGreaterThanOrEqual(2_290);
  });

  const rejected = {
    statusCode: 500,
    error: null,
    startedAt: new Date(),
    durationMs: 1,
    retryAfter: null,
    responseBody: Buffer.alloc(0),
  };

  it('ignores a result that comes after the lease was lost', async () => {
    await producer.append(change());
    const [delivery] = await claimAndDie();
    const worker = await world.startWorker();
    const [row] = await allDelivered(1);
    await worker.get(AttemptRecorder).record(delivery!, rejected);
    expect(await world.deliveries()).toEqual([row]);
    expect(await world.attempts(row!.id)).toMatchObject([{ number: 1, status_code: 200 }]);
  });

  it('ignores a result once somebody else holds the lease, who is about to send', async () => {
    await producer.append(change());
    const [late] = await claimAndDie();
    const present = await eventually(async () => (await claimAndDie())[0] ?? null);
    const recorder = new AttemptRecorder(
      new SqlDeliveryStore(producer.get(Database)),
      producer.get(WebhookMetrics),
      new SystemClock(),
      {
        webhookRetryDelaysMs: [10],
      },
    );
    await recorder.record(late!, rejected);
    expect(await world.attempts(late!.id)).toEqual([]);
    await recorder.record(present!, rejected);
    expect(await world.attempts(late!.id)).toMatchObject([{ number: 1, status_code: 500 }]);
  });

  /** A database whose answers to statements of these names, but for the day in them, come after the lease's margin. `meanwhile` happens in between. */
  const slowAt = (names: string[], meanwhile: () => Promise<unknown> = () => Promise.resolve()): Database => {
    const database = producer.get(Database);
    const query = async <Row>(statement: Statement, values?: unknown[]): Promise<Row[]> => {
      const rows = await database.query<Row>(statement, values);
      if (names.includes(statement.name.replace(/_[-\d]+$/, ''))) {
        await database.query({ name: 'test.sleep', text: 'SELECT pg_sleep(2.01)' });
        await meanwhile();
      }
      return rows;
    };
    return { query } as unknown as Database;
  };
  const lease = async (): Promise<string> => {
    const { rows } = await world.database.pool.query<{ until: string }>(
      'SELECT claimed_until::text AS until FROM all_deliveries',
    );
    return rows[0]!.until;
  };
  const claimsBy = (database: Database) =>
    new DeliveryClaims(new SqlDeliveryStore(database), producer.get(ShopsService), { webhookTimeoutMs: 300 });

  it('renews a lease whose answer came too late to post within it', async () => {
    await producer.append(change());
    let first = '';
    const slow = slowAt(['webhooks.claim'], async () => (first = await lease()));
    const [claimed] = await claimsBy(slow).claim(ofLane());
    expect(Date.parse(claimed!.lease) - Date.parse(first)).toBeGreaterThanOrEqual(2_000);
    expect(await lease()).toBe(claimed!.lease);
  });

  it('leaves to others what it claimed and lost while the answer was under way', async () => {
    await producer.append(change());
    const untilLost = () => eventually(async () => expect(await claimAndDie()).toHaveLength(1));
    expect(await claimsBy(slowAt(['webhooks.claim'], untilLost)).claim(ofLane())).toEqual([]);
  });

  it('leaves to others what it is too slow for, again and again', async () => {
    await producer.append(change());
    expect(await claimsBy(slowAt(['webhooks.claim', RENEW_LEASES.name])).claim(ofLane())).toEqual([]);
    await world.startWorker();
    await allDelivered(1);
  });

  it('never lets two workers claim the same delivery', async () => {
    const workers = await Promise.all([world.startWorker(), world.startWorker(), world.startWorker()]);
    await producer.append(...Array.from({ length: 300 }, () => change()));
    const claims = workers.flatMap((worker) =>
      Array.from({ length: 5 }, () => worker.get(DeliveryClaims).claim(ofLane(32))),
    );
    const ids = (await Promise.all(claims)).flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rows = await allDelivered(300);
    const posted = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(posted).size).toBe(300);
    // on a busy machine an attempt can take too long and be made again, but each is made once
    expect(posted).toHaveLength(rows.reduce((sum, { attempts }) => sum + attempts, 0));
  });

  it('does not fill a queue that nobody listens to', async () => {
    const queue = queueOf(producer);
    await queue.addBulk(Array.from({ length: 1_000 }, () => wakeJob([1])));
    await producer.deliver(change());
    await eventually(async () => {
      const counter = await producer.get(WebhookMetrics).wakeupsLost.get();
      expect(counter.values.map(({ value }) => value)).toEqual([1]);
    });
    expect((await queue.getJobCounts('waiting')).waiting).toBe(1_000);
    await world.startWorker();
    await allDelivered(1);
  });

  it('does not let dead endpoints delay a healthy one', async () => {
    const worker = await world.startWorker({ WORKER_CONCURRENCY: '50' });
    const dead = await startReceiver({ misbehaviour: 'hang' });
    for (let hole = 0; hole < 20; hole++) {
      const deadShop = await world.aShop(producer);
      const toDead = await world.deliveriesTo(producer, deadShop, dead.url);
      await producer.deliver(...Array.from({ length: 5 }, () => toDead()));
    }
    await eventually(() => dead.requests.length >= 20);
    const startedAt = Date.now();
    await producer.deliver(change());
    await eventually(() => receiver.requests.length === 1);
    expect(receiver.requests[0]!.arrivedAt - startedAt).toBeLessThan(1_000);
    await worker.stop();
    await dead.stop();
  });
});
