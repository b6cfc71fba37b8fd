import { beforeAll, describe, expect, it } from '@jest/globals';
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

/** One payment with two changes, and a clock that the test sets. */
function payment() {
  let now = 0;
  const store = new MemoryDeliveryStore(() => now);
  store.addLane({ id: 1, shop_id: 1, merchant_id: 1, origin: 'http://shop.example' });
  const fields = { laneId: 1, paymentId: 1, endpoint: 'http://shop.example/', body: '{}' };
  for (const id of [1, 2]) store.append({ ...fields, id });
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
});
