import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SLOW_MAX } from '../../../src/webhooks/delivery/concurrency-limit.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness } from './engine-harness.js';

const WORKERS = 4;
const SHOPS = 8;
const BACKLOG = 160;
/** Longer than what counts as quick: such an origin has 32 connections. */
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
    // an origin that none of the workers knows
    receiver = await startReceiver({ delayMs: ANSWER_MS });
    await eventually(() => expect(workers.map((worker) => worker.get(SharedSchedule).live)).toEqual([4, 4, 4, 4]));
  });
  afterEach(() => receiver.stop());
  afterAll(() => harness.stop());

  const aLane = async () => harness.deliveriesTo(producer, await harness.aShop(producer), `${receiver.url}/hooks`);

  /** Keeps a backlog, which `deliver` makes, until more is in flight than one worker alone may have; then ends it. */
  async function untilShared(deliver: () => Promise<void>): Promise<void> {
    let made = 0;
    await eventually(async () => {
      for (; made - receiver.requests.length < BACKLOG; made += BACKLOG) await deliver();
      expect(receiver.maxInFlight()).toBeGreaterThan(SLOW_MAX / WORKERS);
    });
    await eventually(() => expect(receiver.requests.length).toBe(made));
    expect(receiver.maxConnections()).toBeLessThanOrEqual(SLOW_MAX);
  }

  it('open no more connections together than the origin has, and share the lanes of many shops', async () => {
    const makers = await Promise.all(Array.from({ length: SHOPS }, aLane));
    // each lane is woken again and again, so that every worker gets to know it
    const rounds = Array.from({ length: BACKLOG / SHOPS });
    await untilShared(async () => {
      await Promise.all(rounds.map(() => producer.deliver(...makers.map((make) => make()))));
    });
  });

  it('call each other in for a backlog of one lane, which one of them was woken for', async () => {
    const make = await aLane();
    // again and again: a call may reach the worker that calls
    await untilShared(() => producer.deliver(...Array.from({ length: BACKLOG }, () => make())));
  });
});
