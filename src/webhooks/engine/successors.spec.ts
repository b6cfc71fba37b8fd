import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { answer, pause, timeout } from '../../../test/support/app/dispatcher-harness.js';
import { VirtualTime } from '../../../test/support/app/virtual-time.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import type { AttemptRecord, ClaimedRow, LaneClaim, Lease, Recorded } from './delivery-store.js';
import { DeliveryDispatcher } from './delivery-dispatcher.js';
import { plainReceivers } from '../../../test/support/app/plain-receivers.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000], workerConcurrency: 1_024 };
const LANE = { id: 1, shop_id: 1, merchant_id: 1, origin: 'http://a' };
/** A store that counts its statements, and can wait between the work of a statement and its answer. */
class WatchedStore extends MemoryDeliveryStore {
  readonly statements = { claim: 0, record: 0 };
  /** Records like a statement whose snapshot is older than the later change. */
  hidesSuccessors = false;
  beforeAnswer: { claim?: () => Promise<void>; record?: () => Promise<void> } = {};
  readonly released: number[] = [];

  change(id: number, paymentId = 1): void {
    this.append({ id, laneId: LANE.id, paymentId, endpoint: 'http://a/hooks', body: '{}' });
  }

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    const claimed = await super.claim(claims, leaseMs);
    this.statements.claim += 1;
    await this.beforeAnswer.claim?.();
    return claimed;
  }

  override release(leases: Lease[]): Promise<void> {
    this.released.push(...leases.map(({ id }) => id));
    return super.release(leases);
  }

  override async record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    this.statements.record += 1;
    await this.beforeAnswer.record?.();
    const recorded = await super.record(attempts);
    return this.hidesSuccessors ? recorded.map((row) => ({ ...row, hasSuccessor: false })) : recorded;
  }
}

/** No reconciler runs here. */
describe('later changes of a payment', () => {
  let dispatcher: DeliveryDispatcher;
  let time: VirtualTime;
  let store: WatchedStore;
  let sent: string[];
  let answers: ((result?: OutboundResult) => void)[];
  let answered: number;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    time = new VirtualTime();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    let isStopped = false;
    void dispatcher.stop(() => undefined).then(() => (isStopped = true));
    await until(() => (answers.splice(0).forEach((answer) => answer()), isStopped));
    time.restore();
  });

  function start(workerConcurrency = CONFIG.workerConcurrency): void {
    store = new WatchedStore();
    store.addLane(LANE);
    [sent, answers, answered] = [[], [], 0];
    const metrics = new WebhookMetrics(new Metrics());
    const send = async ({ id }: { id: string }) => {
      sent.push(id);
      const result = await new Promise<OutboundResult>((resolve) => answers.push((with_ = answer()) => resolve(with_)));
      await pause(1);
      answered += 1;
      return result;
    };
    const claims = new DeliveryClaims(store, plainReceivers(), CONFIG);
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    dispatcher = new DeliveryDispatcher(store, claims, { send }, recorder, metrics, { ...CONFIG, workerConcurrency });
  }

  const until = (condition: () => boolean): Promise<void> => time.until(condition);

  async function sentIs(...ids: string[]): Promise<void> {
    await until(() => sent.length >= ids.length);
    expect(sent).toEqual(ids);
  }

  /** Starts with a lane that has answered: claims now include successors. */
  async function startHealthy(workerConcurrency?: number): Promise<void> {
    start(workerConcurrency);
    store.change(1, 100);
    dispatcher.wake([LANE.id]);
    await sentIs('1');
    answers.shift()!();
    await until(() => store.deliveries.get(1)!.status === 'delivered');
    [sent, store.statements.claim, store.statements.record, answered] = [[], 0, 0, 0];
  }

  /** Nearly stops the clock, `ms` from now: records wait for their interval until the clock is set again. */
  function stopTheClock(ms = 0): void {
    const [now, since] = [performance.now() + ms, process.hrtime.bigint()];
    jest.spyOn(performance, 'now').mockImplementation(() => now + Number(process.hrtime.bigint() - since) / 1e12);
  }

  /** Commits the later change during the first attempt of the earlier one, so that its wake-up claims nothing. */
  async function missLater(earlier: number, later: number): Promise<void> {
    store.change(earlier);
    dispatcher.wake([LANE.id]);
    await sentIs(String(earlier));
    store.change(later);
    dispatcher.wake([LANE.id]);
    await until(() => store.statements.claim === 2);
  }

  it('follow the answer of the previous change, before its record and without their own claim', async () => {
    stopTheClock();
    await startHealthy();
    for (const id of [2, 3]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('2');
    answers.shift()!();
    await sentIs('2', '3');
    expect(store.deliveries.get(2)!.status).toBe('pending');
    answers.shift()!();
    await until(() => answered === 2);
    stopTheClock(10);
    await until(() => store.pending === 0);
    expect(store.statements).toEqual({ claim: 1, record: 1 });
  });

  it('form units of at most four changes, and are all sent one by one', async () => {
    await startHealthy();
    for (const id of [2, 3, 4, 5, 6]) store.change(id);
    dispatcher.wake([LANE.id]);
    for (const ids of [['2'], ['2', '3'], ['2', '3', '4'], ['2', '3', '4', '5'], ['2', '3', '4', '5', '6']]) {
      await sentIs(...ids);
      answers.shift()!();
    }
    await until(() => store.pending === 0);
    expect(store.statements.claim).toBe(2);
  });

  it('wait for the record of the first attempt at an untried endpoint', async () => {
    start();
    for (const id of [1, 2]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('1');
    answers.shift()!();
    await sentIs('1', '2');
    expect(store.deliveries.get(1)!.status).toBe('delivered');
  });

  it('return to the queue when the previous change got no answer, and are claimed after its record', async () => {
    await startHealthy();
    for (const id of [2, 3]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('2');
    answers.shift()!(timeout());
    await sentIs('2', '3');
    expect([store.released, store.deliveries.get(2)!.attempts]).toEqual([[3], 1]);
  });

  it('return to the queue when their lease is too short for an attempt and its record', async () => {
    await startHealthy();
    for (const id of [2, 3]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('2');
    const now = performance.now();
    const later = jest.spyOn(performance, 'now').mockReturnValue(now + 5_001);
    answers.shift()!();
    await until(() => store.released.length === 1);
    later.mockReturnValue(now + 5_002);
    await sentIs('2', '3');
    expect(store.released).toEqual([3]);
  });

  it('return to the queue when the previous change got a slow answer', async () => {
    await startHealthy();
    for (const id of [2, 3, 4]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('2');
    answers.shift()!(answer({ durationMs: 101 }));
    await sentIs('2', '3');
    expect(store.released).toEqual([3, 4]);
  });

  it('return to the queue when the worker stops', async () => {
    await startHealthy();
    for (const id of [2, 3]) store.change(id);
    dispatcher.wake([LANE.id]);
    await sentIs('2');
    const released: number[] = [];
    let isStopped = false;
    void dispatcher.stop((laneIds) => released.push(...laneIds)).then(() => (isStopped = true));
    answers.shift()!();
    await until(() => isStopped);
    expect([sent, store.released, released]).toEqual([['2'], [3], [LANE.id]]);
    expect(store.deliveries.get(3)!.lease).toBeNull();
  });

  it('follow at once when they were committed during the first attempt of the previous change', async () => {
    start();
    await missLater(1, 2);
    answers.shift()!();
    await sentIs('1', '2');
  });

  it('follow at once when a claim missed them during the record of the previous change', async () => {
    start();
    store.change(1);
    dispatcher.wake([LANE.id]);
    await sentIs('1');
    let endClaim = (): void => undefined;
    store.beforeAnswer.record = async () => {
      store.beforeAnswer.record = undefined;
      store.beforeAnswer.claim = () => new Promise((resolve) => (endClaim = resolve));
      store.change(2);
      dispatcher.wake([LANE.id]);
      await until(() => store.statements.claim === 2);
      store.beforeAnswer.claim = undefined;
    };
    store.hidesSuccessors = true;
    answers.shift()!();
    await until(() => store.deliveries.get(1)!.status === 'delivered');
    endClaim();
    await sentIs('1', '2');
  });
});
