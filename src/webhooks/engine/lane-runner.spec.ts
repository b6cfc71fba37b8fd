import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { answer, FakeReceivers, pause, RecordingStore, timeout } from '../../../test/support/app/runner-world.js';
import { eventually } from '../../../test/support/eventually.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import type { SealedSecrets, WebhookSecrets } from '../../shops/webhook-secrets.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import { LaneRunner } from './lane-runner.js';
import { FAST_MAX } from './permits/concurrency-limit.js';
import { SENDS_PER_TURN } from './send-turns.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000], workerConcurrency: 1_024 };

describe('LaneRunner', () => {
  let runner: LaneRunner | undefined;
  const hanging: (() => void)[] = [];
  const hang = () => new Promise<OutboundResult>((resolve) => hanging.push(() => resolve(timeout())));

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    const stopped = runner?.stop(() => undefined);
    for (const end of hanging.splice(0)) end();
    await stopped;
  });

  function start(
    store: RecordingStore,
    reply: (url: URL) => Promise<OutboundResult>,
    openWebhookSecrets = ({ current, previous }: SealedSecrets): WebhookSecrets => ({ current, previous }),
  ) {
    const receivers = new FakeReceivers(reply);
    const metrics = new WebhookMetrics(new Metrics());
    const claims = new DeliveryClaims(store, { openWebhookSecrets }, CONFIG);
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    runner = new LaneRunner(store, claims, receivers, recorder, metrics, CONFIG);
    return { receivers, runner, metrics };
  }

  /** Resolves when no lane has anything due or under way, once `work` has begun. */
  async function untilIdleAfter({ lanesActive }: WebhookMetrics, work: () => void): Promise<void> {
    lanesActive.set(-1);
    work();
    // measured when the last lane is over
    await eventually(async () => (await lanesActive.get()).values[0]!.value === 0);
  }

  async function until(condition: () => boolean): Promise<void> {
    await eventually(condition, { intervalMs: 5 });
  }

  it('ends a lane after one claim that came back short', async () => {
    // the clock is slow, so that nothing takes long enough for another look, however slow the machine is
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() / 100);
    const store = new RecordingStore().add(1, 1);
    const { runner } = start(store, () => Promise.resolve(answer()));
    runner.wake([1]);
    await until(() => store.recorded.length === 1);
    // another lane goes all the way meanwhile
    store.add(2, 1);
    runner.wake([2]);
    await until(() => store.recorded.length === 2);
    expect(store.claims.map(({ laneId }) => laneId)).toEqual([1, 2]);
  });

  it('drains what one slow address gets from 100 shops with one attempt each', async () => {
    const store = new RecordingStore('http://shared');
    for (let shop = 1; shop <= 100; shop++) store.add(shop, 8);
    const { receivers, runner } = start(store, async () => (await pause(50), answer({ durationMs: 1_000 })));
    runner.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 800);
    expect(store.recorded.every(({ status, attempts }) => status === 'delivered' && attempts === 0)).toBe(true);
    expect(receivers.max.get('shared')).toBeLessThanOrEqual(32);
    expect(receivers.sent).toHaveLength(800);
  });

  it('posts no more at once to an endpoint that slows down than it has connections', async () => {
    const store = new RecordingStore().add(1, 2_000);
    let answered = 0;
    const { receivers, runner } = start(store, async () => {
      answered += 1;
      if (answered <= 1_000) return answer({ durationMs: 2 });
      await pause(20);
      return answer({ durationMs: 1_000 });
    });
    runner.wake([1]);
    await until(() => store.recorded.length === 2_000);
    expect(receivers.max.get('lane-1')).toBeLessThanOrEqual(FAST_MAX);
    expect(receivers.sent).toHaveLength(2_000);
  });

  it('serves a healthy path of an origin while another path of it does not answer', async () => {
    const store = new RecordingStore('http://shared').add(1, 500).add(2, 20);
    const { runner } = start(store, (url) => (url.pathname === '/1' ? hang() : Promise.resolve(answer())));
    runner.wake([1]);
    await until(() => hanging.length > 0);
    runner.wake([2]);
    await until(() => store.recorded.length === 20);
  });

  it('serves all lanes of a merchant on an origin where another’s that has always answered hangs', async () => {
    const others = [11, 12, 13];
    const store = new RecordingStore('http://shared', (laneId) => Math.ceil(laneId / 10)).add(1, 300);
    for (const lane of others) store.add(lane, 20);
    let isHanging = false;
    const { receivers, runner, metrics } = start(store, (url) =>
      isHanging && url.pathname === '/1' ? hang() : Promise.resolve(answer()),
    );
    // while a claim holds permits, the origin keeps what it had beyond its beginning
    await untilIdleAfter(metrics, () => runner.wake([1, ...others]));
    expect(store.recorded).toHaveLength(360);
    isHanging = true;
    store.add(1, 300);
    runner.wake([1]);
    await until(() => hanging.length === 24); // three quarters of what an origin has to begin with
    for (const lane of others) {
      store.add(lane, 1);
      runner.wake([lane]); // claims beside those of the others
    }
    await until(() => store.recorded.length === 363);
    expect(receivers.inFlight.get('shared')).toBe(hanging.length);
  });

  it('serves a healthy lane while 2,000 others wait for an answer', async () => {
    const store = new RecordingStore().add(1, 1);
    const others = Array.from({ length: 2_000 }, (_, index) => index + 10);
    for (const lane of others) store.add(lane, 2);
    const { receivers, runner } = start(store, (url) => (url.pathname === '/1' ? Promise.resolve(answer()) : hang()));
    runner.wake(others, 'found');
    await until(() => receivers.sent.length === 384); // three eighths of 1,024
    runner.wake([1]);
    await until(() => store.recorded.length === 1);
    expect(receivers.sent).toHaveLength(385);
  });

  it('keeps the bytes in flight within their bound with the largest bodies on 100 lanes', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 20, { body: 'x'.repeat(250_000) });
    const { receivers, runner } = start(store, async () => (await pause(10), answer({ durationMs: 10 })));
    runner.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 2_000);
    expect(receivers.maxBytes).toBeLessThan(70_000_000);
  });

  it('alternates between the lanes of two merchants', async () => {
    const store = new RecordingStore('http://shared').add(1, 300).add(2, 300);
    const { receivers, runner } = start(store, async () => (await pause(2), answer({ durationMs: 1_000 })));
    runner.wake([1, 2]);
    await until(() => store.recorded.length === 600);
    const ofTheFirst = receivers.sent.slice(0, 300).filter((url) => url.endsWith('/1')).length;
    expect(ofTheFirst).toBeGreaterThan(75);
    expect(ofTheFirst).toBeLessThan(225);
  });

  it('records no attempt where nothing was sent, and hands the delivery back', async () => {
    const store = new RecordingStore().add(1, 1);
    start(store, () => Promise.resolve(answer({ statusCode: null, error: 'shutting_down' }))).runner.wake([1]);
    await until(() => store.handedBack.length === 1);
    expect(store.recorded).toEqual([]);
  });

  it('tries on without an attempt while this machine cannot open connections, each permit at a time', async () => {
    const store = new RecordingStore().add(1, 40);
    const lack = answer({ statusCode: null, error: 'local_failure', durationMs: 0 });
    let isLacking = true;
    const { receivers, runner, metrics } = start(store, () => Promise.resolve(isLacking ? lack : answer()));
    runner.wake([1]);
    // the first of a second do not rest: more claims than there are deliveries would spin
    await until(() => store.handedBack.length >= 16);
    expect([store.recorded, store.leased < 40]).toEqual([[], true]);
    const told = await metrics.attempts.get();
    expect(told.values.find(({ labels }) => labels.outcome === 'local_failure')?.value).toBe(receivers.sent.length);
    isLacking = false;
    await until(() => store.recorded.length === 40);
    expect(store.recorded.map(({ statusCode }) => statusCode)).toEqual(Array(40).fill(200));
    expect(receivers.sent.length - 40).toBeLessThan(120);
  });

  it('does not wait for permits that rest when it stops', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 1);
    const { runner } = start(store, () => Promise.resolve(timeout()));
    runner.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await eventually(() => store.recorded.length === 100);
    await nextTurn();
    let isOver = false;
    void runner.stop(() => undefined).then(() => (isOver = true));
    await nextTurn();
    expect(isOver).toBe(true);
  });

  it('gives back its permits when secrets cannot be opened or the database is down', async () => {
    const store = new RecordingStore().add(1, 3);
    const { runner } = start(
      store,
      () => Promise.resolve(answer()),
      () => {
        throw new Error('sealed');
      },
    );
    runner.wake([1]);
    await until(() => store.claims.length > 0);
    store.failing = true;
    runner.wake([1]);
    await runner.stop(() => undefined);
    expect(store.recorded).toEqual([]);
  });

  it('probes a lane that does not answer with few attempts', async () => {
    const store = new RecordingStore().add(1, 100);
    const { receivers, runner } = start(store, async () => (await pause(5), timeout()));
    runner.wake([1]);
    await until(() => store.recorded.length === 100);
    expect(receivers.max.get('lane-1')).toBeLessThanOrEqual(8);
  });

  it('takes nothing more once it stops, hands back what it claimed and names the lanes that have more', async () => {
    const store = new RecordingStore().add(1, 100).add(2, 5);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { receivers, runner } = start(store, async () => (await held, answer()));
    runner.wake([1]);
    await until(() => receivers.sent.length > 0);
    runner.wake([2]);
    const handedOver = new Set<number>();
    const stopped = runner.stop((laneIds) => laneIds.forEach((laneId) => handedOver.add(laneId)));
    runner.wake([3]);
    const sent = receivers.sent.length;
    await pause(20);
    release();
    await stopped;
    expect(receivers.sent).toHaveLength(sent);
    expect([...handedOver].sort()).toEqual([1, 2, 3]);
    expect(store.recorded).toHaveLength(sent);
    expect([store.pending, store.leased]).toEqual([105 - sent, 0]);
  });

  it('sends a large claim in several turns of the event loop', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 2);
    let [inTurn, most] = [0, 0];
    const { runner } = start(store, () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, ++inTurn);
      return Promise.resolve(answer());
    });
    runner.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 200);
    expect(most).toBeLessThanOrEqual(2 * SENDS_PER_TURN);
  });

  it('hands back what it claimed and has not begun to send when it stops', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 2);
    let stopped: Promise<void> | undefined;
    const { receivers, runner } = start(store, () => {
      stopped ??= runner.stop(() => undefined);
      return Promise.resolve(answer());
    });
    runner.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => stopped !== undefined);
    await stopped;
    expect(receivers.sent.length).toBeLessThanOrEqual(2 * SENDS_PER_TURN);
    expect(store.recorded).toHaveLength(receivers.sent.length);
    expect([store.pending, store.leased]).toEqual([200 - receivers.sent.length, 0]);
  });
});
