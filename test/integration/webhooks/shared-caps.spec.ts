import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkerTurns } from '../../../src/platform/workers/worker-turns.js';
import { SLOW_MAX } from '../../../src/webhooks/engine/concurrency-limit.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineWorld } from './engine-harness.js';

const WORKERS = 4;
const SHOPS = 8;
const DELIVERIES_OF_A_SHOP = 40;
const BACKLOG = 100;
/** Longer than what counts as quick: such an origin has 32 connections. */
const ANSWER_MS = 150;
/** No attempt is given up, however slow the machine is. */
const PATIENT = { WEBHOOK_TIMEOUT_MS: '60000' };

describe(`${WORKERS} workers and one origin`, () => {
  let world: EngineWorld;
  let producer: Engine;
  let receiver: Receiver;
  let workers: Engine[];

  beforeAll(async () => {
    world = await EngineWorld.create('postgres');
    producer = await world.startProducer();
  });
  beforeEach(async () => {
    receiver = await startReceiver({ delayMs: ANSWER_MS });
    workers = await Promise.all(Array.from({ length: WORKERS }, () => world.startWorker(PATIENT)));
    await eventually(() =>
      expect(workers.map((worker) => worker.get(WorkerTurns).share(100))).toEqual([25, 25, 25, 25]),
    );
  });
  afterEach(async () => {
    await receiver.stop();
    await world.clear(producer);
  });
  afterAll(() => world.stop());

  /** Of all shops; each lane is woken again and again, so that every worker gets to know it. */
  async function deliverToAll(): Promise<void> {
    const makers = await Promise.all(
      Array.from({ length: SHOPS }, async () =>
        world.deliveriesTo(producer, await world.aShop(producer), `${receiver.url}/hooks`),
      ),
    );
    for (let round = 0; round < DELIVERIES_OF_A_SHOP; round++) await producer.deliver(...makers.map((make) => make()));
  }

  it('open no more connections together than the origin has, and all of them take part', async () => {
    await deliverToAll();
    await eventually(() => expect(receiver.requests.length).toBe(SHOPS * DELIVERIES_OF_A_SHOP));
    expect(receiver.maxConnections()).toBeLessThanOrEqual(SLOW_MAX);
    expect(receiver.maxInFlight()).toBeGreaterThan(SLOW_MAX / WORKERS);
  });

  it('call each other in for a backlog of one lane, which one of them was woken for', async () => {
    const make = await world.deliveriesTo(producer, await world.aShop(producer), `${receiver.url}/hooks`);
    let made = 0;
    await eventually(async () => {
      // a call may reach the worker that calls
      for (; made - receiver.requests.length < BACKLOG; made += BACKLOG) {
        await producer.deliver(...Array.from({ length: BACKLOG }, () => make()));
      }
      // one worker alone has this share
      expect(receiver.maxInFlight()).toBeGreaterThan(SLOW_MAX / WORKERS);
    });
    await eventually(() => expect(receiver.requests.length).toBe(made));
    expect(receiver.maxConnections()).toBeLessThanOrEqual(SLOW_MAX);
  });
});
