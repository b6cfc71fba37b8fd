import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SLOW_MAX } from '../../../src/webhooks/engine/concurrency-limit.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness } from './engine-harness.js';

const WORKERS = 4;
const SHOPS = 8;
const BACKLOG = 160;
/** Slower than a fast answer, so the origin has 32 connections. */
const ANSWER_MS = 150;

describe(`${WORKERS} workers and one origin`, () => {
  let harness: EngineHarness;
  let producer: Engine;
  let receiver: Receiver;
  let workers: Engine[];

  beforeAll(async () => {
    harness = await EngineHarness.create('postgres');
    producer = await harness.startProducer();
    workers = await Promise.all(Array.from({ length: WORKERS }, () => harness.startWorker()));
  });
  beforeEach(async () => {
    // an origin that no worker knows
    receiver = await startReceiver({ delayMs: ANSWER_MS });
    await eventually(() => expect(workers.map((worker) => worker.get(SharedSchedule).live)).toEqual([4, 4, 4, 4]));
  });
  afterEach(() => receiver.stop());
  afterAll(() => harness.stop());

  const aLane = async () => harness.deliveriesTo(producer, await harness.aShop(producer), `${receiver.url}/hooks`);

  /** Keeps a backlog with `deliver` until more is in flight than a single worker may have. Then lets it drain. */
  async function untilShared(deliver: () => Promise<void>): Promise<void> {
    let made = 0;
    await eventually(async () => {
      for (; made - receiver.requests.length < BACKLOG; made += BACKLOG) await deliver();
      expect(receiver.maxInFlight()).toBeGreaterThan(SLOW_MAX / WORKERS);
    });
    await eventually(() => expect(receiver.requests.length).toBe(made));
    expect(receiver.maxConnections()).toBeLessThanOrEqual(SLOW_MAX);
  }

  it('share the lanes of many shops, and together keep the connection limit of the origin', async () => {
    const makers = await Promise.all(Array.from({ length: SHOPS }, aLane));
    // each lane is woken repeatedly, so that every worker knows it
    const rounds = Array.from({ length: BACKLOG / SHOPS });
    await untilShared(async () => {
      await Promise.all(rounds.map(() => producer.deliver(...makers.map((make) => make()))));
    });
  });

  it('share the backlog of one lane that only one of them was woken for', async () => {
    const make = await aLane();
    // repeatedly, because the notification may reach the worker that sent it
    await untilShared(() => producer.deliver(...Array.from({ length: BACKLOG }, () => make())));
  });
});
