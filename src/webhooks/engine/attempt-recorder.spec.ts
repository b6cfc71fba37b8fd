import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import type { ClaimedRow } from './delivery-store.js';

const LEASE_MS = 5_000;
const DELIVERED: OutboundResult = {
  statusCode: 200,
  error: null,
  startedAt: new Date(),
  durationMs: 1,
  retryAfter: null,
  responseBody: Buffer.alloc(0),
};

/** One payment with changes, two by default, and a clock that the test sets. */
function payment(ids = [1, 2]) {
  let now = 0;
  const store = new MemoryDeliveryStore(() => now);
  store.addLane({ id: 1, shop_id: 1, merchant_id: 1, origin: 'http://shop.example' });
  const fields = { laneId: 1, paymentId: 1, endpoint: 'http://shop.example/', body: '{}' };
  for (const id of ids) store.append({ ...fields, id });
  return { store, pass: (ms: number) => void (now += ms) };
}

async function claim(store: MemoryDeliveryStore): Promise<ClaimedRow> {
  const [row] = await store.claim([{ laneId: 1, quota: 1, maxBytes: 1_000, withSuccessors: false }], LEASE_MS);
  return row!;
}

describe('AttemptRecorder', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(['first', 'last'])('records only the attempt with the valid lease, recorded %s', async (order) => {
    const { store, pass } = payment();
    const metrics = new WebhookMetrics(new Metrics());
    const seen: number[] = [];
    const endpoints = { add: ({ deliveryId }: { deliveryId: number }) => void seen.push(deliveryId) };
    const recorder = new AttemptRecorder(
      store,
      metrics,
      new SystemClock(),
      { webhookRetryDelaysMs: [60_000] },
      endpoints,
    );
    const lost = await claim(store);
    pass(LEASE_MS);
    const held = await claim(store);
    expect(held.id).toBe(lost.id);

    const inOrder = order === 'first' ? [held, lost] : [lost, held];
    const answers = await Promise.all(inOrder.map((delivery) => recorder.record(delivery, DELIVERED)));
    const of = (delivery: ClaimedRow) => answers[inOrder.indexOf(delivery)];
    expect(of(held)).toEqual({ id: 1, hasSuccessor: true });
    expect(of(lost)).toBeUndefined();
    expect(seen).toEqual([1]);
    expect(recorder.unrecorded).toBe(0);
    const counts = await Promise.all([metrics.deliveries.get(), metrics.resultsTooLate.get()]);
    expect(counts.map(({ values }) => values.reduce((sum, { value }) => sum + value, 0))).toEqual([1, 1]);
  });

  it('delays retries of a further run by up to a tenth more, and none of the first run', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { store, pass } = payment([1]);
    const webhookRetryDelaysMs = [10_000, 100_000, 1_000_000];
    const [metrics, endpoints] = [new WebhookMetrics(new Metrics()), { add: () => undefined }];
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), { webhookRetryDelaysMs }, endpoints);
    const delivery = store.deliveries.get(1)!;
    const run = async (): Promise<number[]> => {
      const before = delivery.history.length;
      for (; delivery.status === 'pending'; pass(2_000_000))
        await recorder.record(await claim(store), { ...DELIVERED, statusCode: 500 });
      return delivery.history.slice(before).map(({ waitMs }) => Math.round(waitMs));
    };
    expect(await run()).toEqual([...webhookRetryDelaysMs, 0]);
    for (let later = 2; later <= 3; later++) {
      store.redeliver(delivery);
      expect(await run()).toEqual([10_500, 105_000, 1_050_000, 0]);
    }
  });
});
