import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { answer } from '../../../test/support/app/runner-world.js';
import { eventually } from '../../../test/support/eventually.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { SystemClock } from '../../shared/clock.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import type { AttemptRecord, ClaimedRow, LaneClaim, Recorded } from './delivery-store.js';
import { LaneRunner } from './lane-runner.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000], workerConcurrency: 1_024 };
const LANE = { id: 1, shop_id: 1, merchant_id: 1, origin: 'http://a' };
const OK = answer();

/** Counts its statements, and can be held before one answers, when its work is done. */
class WatchedStore extends MemoryDeliveryStore {
  readonly statements = { claim: 0, record: 0 };
  /** Records as a statement does whose snapshot is older than the later change. */
  hidesFollowers = false;
  beforeAnswer: { claim?: () => Promise<void>; record?: () => Promise<void> } = {};

  change(id: number, paymentId = 1): void {
    this.append({ id, laneId: LANE.id, paymentId, endpoint: 'http://a/hooks', body: '{}' });
  }

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    const claimed = await super.claim(claims, leaseMs);
    this.statements.claim += 1;
    await this.beforeAnswer.claim?.();
    return claimed;
  }

  override async record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    this.statements.record += 1;
    await this.beforeAnswer.record?.();
    const recorded = await super.record(attempts);
    return this.hidesFollowers ? recorded.map((row) => ({ ...row, isFollowed: false })) : recorded;
  }
}

/** Nothing here looks for due lanes from time to time, as the reconciler would. */
describe('changes of one payment', () => {
  let runner: LaneRunner;
  let store: WatchedStore;
  let sent: string[];
  let answers: (() => void)[];

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    // nor does a lane look again because its endpoint takes long: the clock is slow, however slow the machine is
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() / 100);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    const stopped = runner.stop(() => undefined);
    for (const answer of answers.splice(0)) answer();
    await stopped;
  });

  function start(): void {
    store = new WatchedStore();
    store.addLane(LANE);
    [sent, answers] = [[], []];
    const metrics = new WebhookMetrics(new Metrics());
    const send = async ({ id }: { id: string }) => {
      sent.push(id);
      await new Promise<void>((resolve) => answers.push(resolve));
      return { result: OK, signature: '' };
    };
    const openWebhookSecrets = () => ({ current: 's', previous: null });
    const claims = new DeliveryClaims(store, { openWebhookSecrets }, CONFIG);
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    runner = new LaneRunner(store, claims, { send }, recorder, metrics, CONFIG);
  }

  async function until(condition: () => boolean): Promise<void> {
    await eventually(condition, { intervalMs: 5 });
  }

  async function sentIs(...ids: string[]): Promise<void> {
    await until(() => sent.length >= ids.length);
    expect(sent).toEqual(ids);
  }

  it('come with the record of the one before, without a claim of their own', async () => {
    start();
    for (const id of [1, 2, 3]) store.change(id);
    runner.wake([LANE.id]);
    await sentIs('1');
    answers.shift()!();
    await sentIs('1', '2');
    answers.shift()!();
    await sentIs('1', '2', '3');
    expect(store.statements).toEqual({ claim: 1, record: 2 });
  });

  it('follow at once when they were committed while the first attempt of the one before was under way', async () => {
    start();
    store.change(1);
    runner.wake([LANE.id]);
    await sentIs('1');
    store.change(2);
    runner.wake([LANE.id]);
    await until(() => store.statements.claim === 2);
    answers.shift()!();
    await sentIs('1', '2');
  });

  it('follow at once when the claim that missed them ran beside the record of the one before', async () => {
    start();
    store.change(1);
    runner.wake([LANE.id]);
    await sentIs('1');
    let endClaim = (): void => undefined;
    store.beforeAnswer.record = async () => {
      store.beforeAnswer.record = undefined;
      store.beforeAnswer.claim = () => new Promise((resolve) => (endClaim = resolve));
      store.change(2);
      runner.wake([LANE.id]);
      await until(() => store.statements.claim === 2);
      store.beforeAnswer.claim = undefined;
    };
    store.hidesFollowers = true;
    answers.shift()!();
    await until(() => store.deliveries.get(1)!.status === 'delivered');
    endClaim();
    await sentIs('1', '2');
  });
});
