import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import { AttemptRecorder } from '../../../src/webhooks/engine/attempt-recorder.js';
import { Database } from '../../../src/platform/database/database.js';
import { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';
import { type Claim, type ClaimedDelivery, DeliveryClaims } from '../../../src/webhooks/engine/delivery-claims.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { LANE_QUEUE, type LaneQueue, wakeJob } from '../../../src/webhooks/outbox/lane-notifier.js';
import { WebhookMetrics } from '../../../src/webhooks/outbox/webhook-metrics.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { BACKENDS, type Engine, EngineHarness, type TestShop } from './engine-harness.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';

const claimOf = (laneId: number): Claim => ({
  laneId,
  quota: 10,
  maxBytes: Infinity,
  withSuccessors: true,
  isHealthy: true,
});

/** Longer than a worker takes to start and to scan. */
const LEASE_MS = 1_000;

/** Claims like a worker that dies before it records. */
async function claimAndDie(engine: Engine, claim: Claim): Promise<ClaimedDelivery[]> {
  const store = new PostgresDeliveryStore(engine.get(Database));
  return (await new DeliveryClaims(store, engine.get(ReceiverSecrets), { webhookTimeoutMs: 300 }).claim(claim)).flat();
}

/** A first attempt is left to its wake-up for this time. */
const A_SECOND = `interval '1 second'`;

/** Ends leases, and lets a second pass. */
const endLeases = (harness: EngineHarness, ids: number[]) =>
  harness.database.pool.query(
    `UPDATE pending_deliveries SET claimed_until = now(), due_at = due_at - ${A_SECOND} WHERE id = ANY ($1)`,
    [ids],
  );
const secondGoesBy = (harness: EngineHarness) =>
  harness.database.pool.query(`UPDATE pending_deliveries SET due_at = due_at - ${A_SECOND}`);

describe.each(BACKENDS)('recovery, queue in %s', (backend) => {
  let harness: EngineHarness;
  let producer: Engine;
  let shop: TestShop;
  let receiver: Receiver;
  let change: (fields?: Partial<NewDelivery>) => NewDelivery;

  beforeAll(async () => {
    harness = await EngineHarness.create(backend);
    producer = await harness.startProducer();
  });
  beforeEach(async () => {
    [receiver, shop] = await Promise.all([startReceiver(), harness.aShop(producer)]);
    change = await harness.deliveriesTo(producer, shop, receiver.url);
  });
  afterEach(async () => {
    await receiver.stop();
    await harness.clear(producer);
  });
  afterAll(() => harness.stop());

  const allDelivered = (count: number) =>
    eventually(async () => {
      const rows = await harness.deliveries();
      const delivered = rows.filter(({ status }) => status === 'delivered').length;
      // only counts: a diff of a hundred lines at every poll would take CPU from the workers
      expect({ rows: rows.length, delivered }).toEqual({ rows: count, delivered: count });
    });

  const queueOf = (engine: Engine): LaneQueue =>
    engine.app.get<LaneQueue>(getQueueToken(LANE_QUEUE), { strict: false });

  it('delivers without a wake-up', async () => {
    await harness.startWorker();
    await producer.append(change(), change());
    await secondGoesBy(harness);
    await allDelivered(2);
  });

  it('delivers after the queue was emptied', async () => {
    await producer.deliver(...Array.from({ length: 20 }, () => change()));
    await eventually(async () => (await queueOf(producer).getJobCounts('waiting')).waiting === 1);
    await harness.emptyQueue();
    await secondGoesBy(harness);
    await harness.startWorker();
    await allDelivered(20);
    expect(receiver.requests).toHaveLength(20);
  });

  it('delivers while the queue is emptied repeatedly', async () => {
    await harness.startWorker();
    receiver.respondWith({ delayMs: 20 });
    for (let round = 0; round < 10; round++) {
      await producer.deliver(...Array.from({ length: 10 }, () => change()));
      await harness.emptyQueue();
    }
    await allDelivered(100);
  });

  it('adds no jobs to a queue without listeners', async () => {
    const fresh = await harness.startProducer();
    const queue = queueOf(fresh);
    await queue.addBulk(Array.from({ length: 1_000 }, () => wakeJob([1])));
    await fresh.deliver(change());
    await eventually(async () => {
      const counter = await fresh.get(WebhookMetrics).wakeupsLost.get();
      expect(counter.values.map(({ value }) => value)).toEqual([1]);
    });
    expect((await queue.getJobCounts('waiting')).waiting).toBe(1_000);
    await harness.startWorker();
    await allDelivered(1);
  });

  it('delivers to a healthy endpoint without waiting for dead ones', async () => {
    await harness.startWorker({ WORKER_CONCURRENCY: '50' });
    const dead = await startReceiver({ misbehaviour: 'hang' });
    for (let hole = 0; hole < 20; hole++) {
      const deadShop = await harness.aShop(producer);
      const toDead = await harness.deliveriesTo(producer, deadShop, dead.url);
      await producer.deliver(...Array.from({ length: 5 }, () => toDead()));
    }
    await eventually(() => dead.requests.length >= 8);
    await producer.deliver(change());
    await eventually(() => receiver.requests.length === 1);
    await dead.stop();
  });
});

describe('leases', () => {
  let harness: EngineHarness;
  let producer: Engine;
  let receiver: Receiver;
  let laneClaim: Claim;

  beforeAll(async () => {
    harness = await EngineHarness.create('postgres');
    producer = await harness.startProducer();
  });
  beforeEach(async () => {
    const [shop] = await Promise.all([harness.aShop(producer), startReceiver().then((each) => (receiver = each))]);
    const change = await harness.deliveriesTo(producer, shop, receiver.url);
    await producer.append(change());
    laneClaim = claimOf(change().laneId);
  });
  afterEach(async () => {
    await receiver.stop();
    await harness.clear(producer);
  });
  afterAll(() => harness.stop());

  const delivered = () =>
    eventually(async () => {
      const [row] = await harness.deliveries();
      expect(row).toMatchObject({ status: 'delivered' });
      return row!;
    });

  const rejected = {
    statusCode: 500,
    error: null,
    startedAt: new Date(),
    durationMs: 1,
    retryAfter: null,
    responseBody: Buffer.alloc(0),
  };

  it('expire after the death of a worker, and its unrecorded deliveries are sent', async () => {
    const claimedAt = Date.now();
    const lane = { laneId: laneClaim.laneId, quota: 10, maxBytes: Infinity, withSuccessors: false };
    expect(await new PostgresDeliveryStore(producer.get(Database)).claim([lane], LEASE_MS)).toHaveLength(1);
    await secondGoesBy(harness);
    await harness.startWorker();
    await delivered();
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]!.arrivedAt - claimedAt).toBeGreaterThanOrEqual(LEASE_MS - 10);
  });

  it('prevent the record of a result that arrives after the lease was lost', async () => {
    const [late] = await claimAndDie(producer, laneClaim);
    await endLeases(harness, [late!.id]);
    const worker = await harness.startWorker();
    const row = await delivered();
    await worker.get(AttemptRecorder).record(late!, rejected);
    expect(await harness.deliveries()).toEqual([row]);
    expect(await harness.attempts(row.id)).toMatchObject([{ number: 1, status_code: 200 }]);
  });
});
