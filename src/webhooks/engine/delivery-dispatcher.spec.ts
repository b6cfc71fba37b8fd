import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { answer, FakeReceivers, pause, RecordingStore, timeout } from '../../../test/support/app/dispatcher-harness.js';
import { VirtualTime } from '../../../test/support/app/virtual-time.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import type { WebhookSecrets } from '../../shops/webhook-secrets.js';
import type { EncryptedReceiver } from '../endpoint/secrets/encrypted-receiver.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryDispatcher, SENDS_PER_ITERATION } from './delivery-dispatcher.js';
import { FAST_MAX } from './concurrency-limit.js';
import { plainReceivers } from '../../../test/support/app/plain-receivers.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000], workerConcurrency: 1_024 };

describe('DeliveryDispatcher', () => {
  let dispatcher: DeliveryDispatcher | undefined;
  let time: VirtualTime;
  const hanging: (() => void)[] = [];
  const hang = () => new Promise<OutboundResult>((resolve) => hanging.push(() => resolve(timeout())));

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    time = new VirtualTime();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    const stopped = dispatcher?.stop(() => undefined);
    for (const end of hanging.splice(0)) end();
    if (stopped) await untilEnd(stopped);
    time.restore();
    dispatcher = undefined;
  });

  function start(
    store: RecordingStore,
    reply: (url: URL) => Promise<OutboundResult>,
    decrypt?: (encrypted: EncryptedReceiver) => WebhookSecrets,
  ) {
    const receivers = new FakeReceivers(reply);
    const metrics = new WebhookMetrics(new Metrics());
    const claims = new DeliveryClaims(store, plainReceivers(decrypt), CONFIG);
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    dispatcher = new DeliveryDispatcher(store, claims, receivers, recorder, metrics, CONFIG);
    return { receivers, dispatcher, metrics };
  }

  /** Resolves when no lane has due deliveries or attempts in flight. */
  async function untilIdle({ lanesActive }: WebhookMetrics): Promise<void> {
    await until(async () => (await lanesActive.get()).values[0]!.value === 0);
  }

  const until = (condition: () => boolean | Promise<boolean>): Promise<void> => time.until(condition);
  async function untilEnd(work: Promise<void>): Promise<void> {
    let isOver = false;
    void work.finally(() => (isOver = true));
    await until(() => isOver);
  }

  it('claims a lane once if the claim is not full', async () => {
    const store = new RecordingStore().add(1, 1);
    // later than the claim: an answer at the same time might have missed a change
    const { dispatcher } = start(store, async () => (await pause(1), answer()));
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 1);
    // another lane is sent and recorded meanwhile
    store.add(2, 1);
    dispatcher.wake([2]);
    await until(() => store.recorded.length === 2);
    expect(store.claims.map(({ laneId }) => laneId)).toEqual([1, 2]);
  });

  it('drains 100 lanes of one slow address with one attempt per delivery', async () => {
    const store = new RecordingStore('http://shared');
    for (let shop = 1; shop <= 100; shop++) store.add(shop, 8);
    const { receivers, dispatcher } = start(store, async () => (await pause(50), answer({ durationMs: 1_000 })));
    dispatcher.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 800);
    expect(store.recorded.every(({ status, attempts }) => status === 'delivered' && attempts === 0)).toBe(true);
    expect(receivers.max.get('shared')).toBeLessThanOrEqual(32);
    expect(receivers.sent).toHaveLength(800);
  });

  it('keeps within the connection limit of an endpoint that becomes slow', async () => {
    const store = new RecordingStore().add(1, 2_000);
    let answered = 0;
    const { receivers, dispatcher } = start(store, async () => {
      answered += 1;
      if (answered <= 1_000) return answer({ durationMs: 2 });
      await pause(20);
      return answer({ durationMs: 1_000 });
    });
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 2_000);
    expect(receivers.max.get('lane-1')).toBeLessThanOrEqual(FAST_MAX);
    expect(receivers.sent).toHaveLength(2_000);
  });

  it('serves a healthy path of an origin while another path is unresponsive', async () => {
    const store = new RecordingStore('http://shared').add(1, 500).add(2, 20);
    const { dispatcher } = start(store, (url) => (url.pathname === '/1' ? hang() : Promise.resolve(answer())));
    dispatcher.wake([1]);
    await until(() => hanging.length > 0);
    dispatcher.wake([2]);
    await until(() => store.recorded.length === 20);
  });

  it('serves a merchant’s lanes at an origin where another merchant’s lane stops answering', async () => {
    const others = [11, 12, 13];
    const store = new RecordingStore('http://shared', (laneId) => Math.ceil(laneId / 10)).add(1, 300);
    for (const lane of others) store.add(lane, 20);
    let isHanging = false;
    const { receivers, dispatcher, metrics } = start(store, (url) =>
      isHanging && url.pathname === '/1' ? hang() : Promise.resolve(answer()),
    );
    // wait until idle: while a claim holds slots, the origin keeps the connections above its initial limit
    dispatcher.wake([1, ...others]);
    await until(() => store.recorded.length === 360);
    await untilIdle(metrics);
    isHanging = true;
    store.add(1, 300);
    dispatcher.wake([1]);
    await until(() => hanging.length === 21); // 7/8 of the 3/4 of 32 connections that one merchant may hold
    for (const lane of others) {
      store.add(lane, 1);
      dispatcher.wake([lane]); // separate claims, concurrent with those of the other lanes
    }
    await until(() => store.recorded.length === 363);
    expect(receivers.inFlight.get('shared')).toBe(hanging.length);
  });

  it('serves a healthy lane while 2,000 unresponsive lanes wait for answers', async () => {
    const store = new RecordingStore().add(1, 1);
    const others = Array.from({ length: 2_000 }, (_, index) => index + 10);
    for (const lane of others) store.add(lane, 2);
    const { receivers, dispatcher } = start(store, (url) =>
      url.pathname === '/1' ? Promise.resolve(answer()) : hang(),
    );
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 1);
    dispatcher.wake(others);
    await until(() => receivers.sent.length === 1 + 512); // half of 1,024
    store.add(1, 1);
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 2);
    expect(receivers.sent).toHaveLength(2 + 512);
  });

  it('limits the bytes in flight with the largest bodies in 100 lanes', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 20, { body: 'x'.repeat(250_000) });
    const { receivers, dispatcher } = start(store, async () => (await pause(10), answer({ durationMs: 10 })));
    dispatcher.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 2_000);
    expect(receivers.maxBytes).toBeLessThan(70_000_000);
  });

  it('alternates between the lanes of two merchants', async () => {
    const store = new RecordingStore('http://shared').add(1, 300).add(2, 300);
    const { receivers, dispatcher } = start(store, async () => (await pause(2), answer({ durationMs: 1_000 })));
    dispatcher.wake([1, 2]);
    await until(() => store.recorded.length === 600);
    const firstMerchantSent = receivers.sent.slice(0, 300).filter((url) => url.endsWith('/1')).length;
    expect(firstMerchantSent).toBeGreaterThan(75);
    expect(firstMerchantSent).toBeLessThan(225);
  });

  it('releases a delivery that was not sent, and records no attempt', async () => {
    const store = new RecordingStore().add(1, 1);
    start(store, () => Promise.resolve(answer({ statusCode: null, error: 'shutting_down' }))).dispatcher.wake([1]);
    await until(() => store.released.length === 1);
    expect(store.recorded).toEqual([]);
  });

  it('retries without recording an attempt while this machine cannot open connections', async () => {
    const store = new RecordingStore().add(1, 40);
    const failure = answer({ statusCode: null, error: 'local_failure', durationMs: 0 });
    let isFailing = true;
    const { receivers, dispatcher, metrics } = start(store, () => Promise.resolve(isFailing ? failure : answer()));
    dispatcher.wake([1]);
    await until(() => store.released.length >= 4);
    expect([store.recorded, store.leased < 40]).toEqual([[], true]);
    const counted = await metrics.attempts.get();
    expect(counted.values.find(({ labels }) => labels.outcome === 'local_failure')?.value).toBe(receivers.sent.length);
    isFailing = false;
    await until(() => store.recorded.length === 40);
    expect(store.recorded.map(({ statusCode }) => statusCode)).toEqual(Array(40).fill(200));
    expect(receivers.sent.length - 40).toBeLessThan(120);
  });

  it('stops without waiting for slots in their cool-down', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 1);
    const { dispatcher } = start(store, () => Promise.resolve(timeout()));
    dispatcher.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 100);
    await time.pass(0);
    let isStopped = false;
    void dispatcher.stop(() => undefined).then(() => (isStopped = true));
    await time.pass(0);
    expect(isStopped).toBe(true);
  });

  it('releases its slots when secrets cannot be decrypted or the database is down', async () => {
    const store = new RecordingStore().add(1, 3);
    const { dispatcher } = start(
      store,
      () => Promise.resolve(answer()),
      () => {
        throw new Error('cannot decrypt');
      },
    );
    dispatcher.wake([1]);
    await until(() => store.claims.length > 0);
    store.failing = true;
    dispatcher.wake([1]);
    await untilEnd(dispatcher.stop(() => undefined));
    expect(store.recorded).toEqual([]);
  });

  it('probes an unresponsive lane with few concurrent attempts', async () => {
    const store = new RecordingStore().add(1, 100);
    const { receivers, dispatcher } = start(store, async () => (await pause(5), timeout()));
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 100);
    expect(receivers.max.get('lane-1')).toBeLessThanOrEqual(8);
  });

  it('claims nothing while it stops, releases unsent deliveries and passes on lanes with more', async () => {
    const store = new RecordingStore().add(1, 100).add(2, 5);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { receivers, dispatcher } = start(store, async () => (await held, answer()));
    dispatcher.wake([1]);
    await until(() => receivers.sent.length > 0);
    dispatcher.wake([2]);
    const passedOn = new Set<number>();
    const stopped = dispatcher.stop((laneIds) => laneIds.forEach((laneId) => passedOn.add(laneId)));
    dispatcher.wake([3]);
    const sent = receivers.sent.length;
    await time.pass(20);
    release();
    await untilEnd(stopped);
    expect(receivers.sent).toHaveLength(sent);
    expect([...passedOn].sort()).toEqual([1, 2, 3]);
    expect(store.recorded).toHaveLength(sent);
    expect([store.pending, store.leased]).toEqual([105 - sent, 0]);
  });

  it('releases a delivery that the process was too slow to send within the lease', async () => {
    const store = new RecordingStore().add(1, 1);
    const { receivers, dispatcher } = start(store, () => Promise.resolve(answer()));
    const claim = store.claim.bind(store);
    const now = performance.now.bind(performance);
    let lateMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + lateMs);
    jest.spyOn(store, 'claim').mockImplementationOnce(async (claims, leaseMs) => {
      const rows = await claim(claims, leaseMs);
      lateMs = 5_001;
      return rows;
    });
    dispatcher.wake([1]);
    await until(() => store.recorded.length === 1);
    expect([store.released.length, receivers.sent.length]).toEqual([1, 1]);
  });

  it('sends a large claim over several event-loop iterations', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 2);
    let [inIteration, most] = [0, 0];
    const { dispatcher } = start(store, () => {
      if (inIteration === 0) setImmediate(() => (inIteration = 0));
      most = Math.max(most, ++inIteration);
      return Promise.resolve(answer());
    });
    dispatcher.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => store.recorded.length === 200);
    expect(most).toBeLessThanOrEqual(2 * SENDS_PER_ITERATION);
  });

  it('releases claimed deliveries that wait for the pacer when it stops', async () => {
    const store = new RecordingStore();
    for (let lane = 1; lane <= 100; lane++) store.add(lane, 2);
    let stopped: Promise<void> | undefined;
    const { receivers, dispatcher } = start(store, () => {
      stopped ??= dispatcher.stop(() => undefined);
      return Promise.resolve(answer());
    });
    dispatcher.wake(Array.from({ length: 100 }, (_, index) => index + 1));
    await until(() => stopped !== undefined);
    await untilEnd(stopped!);
    expect(receivers.sent.length).toBeLessThanOrEqual(2 * SENDS_PER_ITERATION);
    expect(store.recorded).toHaveLength(receivers.sent.length);
    expect([store.pending, store.leased]).toEqual([200 - receivers.sent.length, 0]);
  });
});
