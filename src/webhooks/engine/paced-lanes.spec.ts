import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { answer, FakeReceivers, pause, RecordingStore, timeout } from '../../../test/support/app/dispatcher-harness.js';
import { plainReceivers } from '../../../test/support/app/plain-receivers.js';
import { reserved, healthyLane } from '../../../test/support/app/scheduled-lanes.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims, type Claim, type Unit } from './delivery-claims.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { DeliveryScheduler } from './delivery-scheduler.js';
import { BurstRate } from '../../shared/token-bucket.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000], workerConcurrency: 64 };
const PACED = 7;
const OTHER = 8;

beforeAll(() => {
  Logger.overrideLogger(false);
});
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('BurstRate', () => {
  it('sets no maximum until a rate is set', () => {
    const pace = new BurstRate();
    pace.take(1_000);
    expect([pace.available, pace.waitMs]).toEqual([Infinity, 0]);
  });

  it.each([0.1, 1 / 3, 1, 2.5, 40, 1_000])(
    'begins at most %d attempts per second, and not fewer over a minute',
    (rate) => {
      const pace = new BurstRate();
      pace.setRate(rate);
      let begun = 0;
      const end = performance.now() + 60_000;
      while (performance.now() < end) {
        const { available } = pace;
        if (available === 0) expect(pace.waitMs).toBeGreaterThan(0);
        begun += available;
        pace.take(available);
        jest.advanceTimersByTime(Math.max(1, pace.waitMs));
      }
      expect(begun).toBeLessThanOrEqual(60 * rate + Math.max(1, rate / 10) + 1e-6);
      expect(begun).toBeGreaterThanOrEqual(Math.floor(60 * rate * 0.95));
    },
  );

  it('begins no burst when the rate changes', () => {
    const pace = new BurstRate();
    pace.setRate(1);
    pace.take(1);
    pace.setRate(100);
    expect(pace.available).toBe(0);
    jest.advanceTimersByTime(50);
    expect(pace.available).toBe(5);
    pace.setRate(Infinity);
    expect(pace.available).toBe(Infinity);
  });
});

describe('DeliveryScheduler', () => {
  it('gives a lane with a maximum rate its attempts, counts unused ones, and lets it hold nothing meanwhile', () => {
    const scheduler = new DeliveryScheduler(64);
    const lane = healthyLane(scheduler, 100);
    lane.maxPerSecond = 20;
    expect(reserved(scheduler, [lane])).toEqual([2]);
    expect(reserved(scheduler, [lane])).toEqual([0]);
    expect([lane.waitsFor, ...scheduler.waiting]).toEqual([undefined, 0, 0, 0, 0]);
    scheduler.commit(lane, { slots: 2, bytes: 2 * lane.unitBytes }, [1_000]);
    expect(lane.inFlight).toBe(1);
    expect(reserved(scheduler, [lane])).toEqual([1]);
  });

  it('divides the rate by the number of workers', () => {
    const scheduler = new DeliveryScheduler(64);
    scheduler.shareAmong(4);
    const lane = healthyLane(scheduler, 100);
    lane.maxPerSecond = 1;
    expect(reserved(scheduler, [lane])).toEqual([1]);
    jest.advanceTimersByTime(3_999);
    expect(reserved(scheduler, [lane])).toEqual([0]);
    jest.advanceTimersByTime(1);
    expect(reserved(scheduler, [lane])).toEqual([1]);
  });
});

describe('DeliveryDispatcher, lanes with a maximum rate', () => {
  const workers: DeliveryDispatcher[] = [];
  let store: RecordingStore;
  let starts: { host: string; at: number }[];
  /** The present rate of the paced lane, which its claims bring. */
  let present: number | null;

  class PresentRate extends DeliveryClaims {
    override async claim(claim: Claim): Promise<Unit[]> {
      const units = await super.claim(claim);
      if (claim.laneId !== PACED) return units;
      for (const [delivery] of units) delivery.receiver = { ...delivery.receiver!, maxPerSecond: present };
      return units;
    }
  }

  function start(reply: () => Promise<OutboundResult> = () => Promise.resolve(answer())): DeliveryDispatcher {
    const receivers = new FakeReceivers(({ host }) => {
      starts.push({ host, at: performance.now() });
      return reply();
    });
    const metrics = new WebhookMetrics(new Metrics());
    const claims = new PresentRate(store, plainReceivers(), CONFIG);
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    const worker = new DeliveryDispatcher(store, claims, receivers, recorder, metrics, CONFIG);
    workers.push(worker);
    for (const each of workers) each.shareAmong(workers.length);
    return worker;
  }

  function paced(count: number, maxPerSecond: number): void {
    present = maxPerSecond;
    store.addLane({
      id: PACED,
      shop_id: PACED,
      merchant_id: PACED,
      origin: 'http://lane-7',
      max_per_second: maxPerSecond,
    });
    for (let id = 1; id <= count; id++)
      store.append({ id, laneId: PACED, paymentId: id, endpoint: 'http://lane-7/7', body: '{}' });
  }

  function others(count: number): void {
    store.addLane({ id: OTHER, shop_id: OTHER, merchant_id: OTHER, origin: 'http://lane-8' });
    for (let id = 1_001; id <= 1_000 + count; id++)
      store.append({ id, laneId: OTHER, paymentId: id, endpoint: 'http://lane-8/8', body: '{}' });
  }

  const sentTo = (laneId: number) => starts.filter(({ host }) => host === `lane-${laneId}`);
  const sentBetween = (from: number, to: number) => sentTo(PACED).filter(({ at }) => at >= from && at < to).length;

  beforeEach(() => {
    store = new RecordingStore();
    starts = [];
    present = null;
  });
  afterEach(async () => {
    const stopped = Promise.all(workers.splice(0).map((worker) => worker.stop(() => undefined)));
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped;
  });

  it('get the rate over all workers, and no more', async () => {
    paced(500, 10);
    const all = [start(), start(), start()];
    const from = performance.now();
    for (const worker of all) worker.wake([PACED]);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(sentTo(PACED).length).toBeGreaterThanOrEqual(190);
    for (let second = 0; second < 20; second++)
      expect(sentBetween(from + second * 1_000, from + (second + 1) * 1_000)).toBeLessThanOrEqual(10 + all.length);
  });

  it('delay no other lane', async () => {
    paced(200, 2);
    others(300);
    const worker = start();
    worker.wake([PACED, OTHER]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(sentTo(OTHER)).toHaveLength(300);
    expect(sentTo(PACED).length).toBeLessThanOrEqual(5);
  });

  it('send each delivery, and end', async () => {
    paced(20, 5);
    const worker = start();
    worker.wake([PACED]);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(store.pending).toBe(0);
    expect(new Set(store.recorded.map(({ id }) => id)).size).toBe(20);
    expect(worker.isPaced(PACED)).toBe(false);
  });

  it('use the present rate after the next claim, and none after its removal', async () => {
    paced(500, 1);
    const worker = start();
    worker.wake([PACED]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(sentTo(PACED).length).toBeLessThanOrEqual(6);
    present = 50;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(sentTo(PACED).length).toBeGreaterThan(100);
    present = null;
    await jest.advanceTimersByTimeAsync(4_000);
    expect(store.pending).toBe(0);
  });

  it('count attempts without an answer', async () => {
    paced(100, 4);
    const worker = start(async () => {
      await pause(3_000);
      return timeout();
    });
    worker.wake([PACED]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(sentTo(PACED).length).toBeLessThanOrEqual(41);
  });

  it('pass their deliveries on while they are paced and the worker stops', async () => {
    paced(50, 1);
    const worker = start();
    worker.wake([PACED]);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(worker.isPaced(PACED)).toBe(true);
    const passedOn: number[] = [];
    const stopped = worker.stop((laneIds) => passedOn.push(...laneIds));
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped;
    expect(passedOn).toContain(PACED);
    expect(sentTo(PACED).length).toBeLessThanOrEqual(3);
  });
});
