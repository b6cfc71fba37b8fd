import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type LoopClock,
  MAX_CREDIT_MS,
  MAX_WAITING,
  MAX_WAITING_PER_MERCHANT,
  YIELD_MS,
  SHARE,
  SLICE_MS,
  TimeSlicer,
} from './time-slicer.js';
import { WorkOwner } from './work-owner.js';

/** A clock that moves only in steps of work and in pauses. */
class ManualClock implements LoopClock {
  ms = 0;
  paused = 0;
  private next: (() => void) | undefined;

  now(): number {
    return this.ms;
  }

  pause(ms: number, then: () => void): void {
    expect(this.next).toBeUndefined();
    this.next = () => {
      this.ms += ms;
      this.paused += ms;
      then();
    };
  }

  /** Ends the current pause; returns whether there was one. */
  endPause(): boolean {
    const { next } = this;
    this.next = undefined;
    next?.();
    return next !== undefined;
  }

  finish(): void {
    let pauses = 0;
    while (this.endPause()) expect(++pauses).toBeLessThan(10_000);
  }
}

describe('TimeSlicer', () => {
  let clock: ManualClock;
  let queue: TimeSlicer;
  /** The owners of the steps so far, one letter each. */
  let log: string;
  let spent: Map<number, number>;

  beforeEach(() => {
    clock = new ManualClock();
    spent = new Map();
    queue = new TimeSlicer(clock, ({ merchantId }, ms) => spent.set(merchantId, (spent.get(merchantId) ?? 0) + ms));
    log = '';
  });

  const owner = (merchantId: number) => new WorkOwner(merchantId);
  const goneOwner = (merchantId: number) =>
    new WorkOwner(merchantId, { clientId: 'gone', reply: { raw: { destroyed: true } } as never });

  function* work(name: string, steps: number, msPerStep = SLICE_MS): Generator<void, string> {
    for (let step = 1; step <= steps; step++) {
      clock.ms += msPerStep;
      log += name;
      if (step < steps) yield;
    }
    return `${name} done`;
  }

  it('finishes a small calculation before it returns', async () => {
    const result = queue.run(owner(1), work('a', 3, 0.1));
    expect(log).toBe('aaa');
    expect(clock.endPause()).toBe(false);
    expect(await result).toBe('a done');
  });

  it('cuts a long calculation into slices and runs the event loop between them', async () => {
    const result = queue.run(owner(1), work('a', 40, SLICE_MS / 4));
    const seen = [log.length];
    while (clock.endPause()) seen.push(log.length);
    expect(seen).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    expect(clock.paused).toBe(0);
    expect(await result).toBe('a done');
  });

  it('serves merchants round robin, and the calculations of one merchant as well', () => {
    for (const name of ['a', 'b', 'c']) void queue.run(owner(1), work(name, 4));
    void queue.run(owner(2), work('x', 4));
    clock.finish();
    expect(log).toBe('aaxbxcxaxbcabcbc');
  });

  it('runs a new merchant within the next two slices', () => {
    for (let index = 0; index < 50; index++) void queue.run(owner(1), work('a', 5));
    clock.endPause();
    log = '';
    void queue.run(owner(2), work('x', 1));
    clock.endPause();
    clock.endPause();
    expect(log).toContain('x');
  });

  it('keeps to its share of the time while other requests arrive', () => {
    void queue.run(owner(1), work('a', 100));
    for (let turn = 0; turn < 80; turn++) {
      queue.noteRequest();
      clock.endPause();
    }
    const worked = spent.get(1)!;
    expect((worked - MAX_CREDIT_MS) / clock.ms).toBeLessThanOrEqual(SHARE + 0.01);
    expect(worked / clock.ms).toBeGreaterThan(SHARE - 0.02);
  });

  it('continues at full speed when no other requests arrive', () => {
    void queue.run(owner(1), work('a', 20));
    queue.noteRequest();
    clock.endPause();
    clock.ms += YIELD_MS;
    const { paused } = clock;
    clock.finish();
    expect(log).toHaveLength(20);
    expect(clock.paused - paused).toBeLessThan(10);
  });

  it('yields to requests that arrived during its pause', () => {
    void queue.run(owner(1), work('a', 20));
    for (let turn = 0; turn < 5; turn++) clock.endPause();
    queue.noteRequest();
    const { length } = log;
    clock.endPause();
    expect(log).toHaveLength(length);
    clock.endPause();
    expect(log).toHaveLength(length + 1);
  });

  it('delays the next calculation when many small ones have used up the credit', () => {
    queue.noteRequest();
    for (let index = 0; index < 100; index++) void queue.run(owner(1), work('a', 1, 0.5));
    expect(log.length * 0.5).toBeLessThanOrEqual(MAX_CREDIT_MS + SLICE_MS);
    expect(queue.size).toBe(100 - log.length);
  });

  it('runs small calculations one after the other without a pause while no other requests arrive', () => {
    for (let index = 0; index < 100; index++) {
      void queue.run(owner(1), work('a', 1, 0.5));
      clock.endPause();
      expect(log).toHaveLength(index + 1);
      clock.ms += 0.5; // the rest of its request
    }
    expect(clock.paused).toBe(0);
  });

  it('lets concurrent calculations wait for the event loop, also without other requests', () => {
    for (let index = 0; index < 100; index++) void queue.run(owner(1), work('a', 1, 0.5));
    expect(log.length * 0.5).toBeLessThanOrEqual(MAX_CREDIT_MS + SLICE_MS);
    expect(queue.size).toBe(100 - log.length);
  });

  it('pauses longer after a long step', () => {
    queue.noteRequest();
    void queue.run(owner(1), work('a', 2, 20));
    queue.noteRequest();
    clock.endPause();
    const pauseMs = (20 - MAX_CREDIT_MS) / SHARE; // the bucket is full until the step has ended
    expect(clock.paused).toBeCloseTo(pauseMs);
  });

  it('counts computing time outside of a slice', () => {
    queue.noteRequest();
    queue.take(10);
    void queue.run(owner(1), work('a', 1));
    expect(log).toBe('');
    clock.finish();
    expect(clock.paused).toBeGreaterThanOrEqual((10 - MAX_CREDIT_MS) / SHARE);
    expect(clock.paused).toBeLessThan((10 - MAX_CREDIT_MS) / SHARE + 2);
  });

  it('refuses calculations beyond the limit of a merchant, and accepts those of another', async () => {
    for (let index = 0; index < MAX_WAITING_PER_MERCHANT; index++) void queue.run(owner(1), work('a', 2));
    await expect(queue.run(owner(1), work('b', 1))).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining(`${MAX_WAITING_PER_MERCHANT} calculations of the merchant`),
      headers: { 'retry-after': '2' },
    });
    const other = queue.run(owner(2), work('x', 1));
    clock.finish();
    expect(await other).toBe('x done');
    const later = queue.run(owner(1), work('c', 1));
    clock.finish();
    expect(await later).toBe('c done');
  });

  it('refuses calculations beyond the limit of all merchants', async () => {
    for (let index = 0; index < MAX_WAITING; index++) void queue.run(owner(index), work('a', 2));
    await expect(queue.run(owner(-1), work('b', 1))).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining(`${MAX_WAITING} calculations are waiting`),
    });
  });

  it('drops a calculation whose caller has disconnected', async () => {
    void queue.run(owner(1), work('a', 3));
    const dropped = queue.run(goneOwner(2), work('x', 3)).catch((error: unknown) => error);
    clock.finish();
    expect(log).toBe('aaa');
    expect(await dropped).toMatchObject({ code: 'client_closed_request' });
    expect(queue.size).toBe(0);
  });

  it('passes on what a calculation throws, and continues with the next', async () => {
    void queue.run(owner(1), work('a', 2));
    const failing = queue.run(
      owner(2),
      (function* (): Generator<void, void> {
        yield;
        throw new Error('of the calculation');
      })(),
    );
    const outcome = failing.catch((error: unknown) => error);
    const last = queue.run(owner(3), work('c', 2));
    clock.finish();
    expect(await outcome).toEqual(new Error('of the calculation'));
    expect(await last).toBe('c done');
    expect(queue.size).toBe(0);
  });

  it('reports the computing time of each merchant', () => {
    void queue.run(owner(1), work('a', 3, 2));
    void queue.run(owner(2), work('x', 2, 3));
    clock.finish();
    expect([...spent]).toEqual([
      [1, 6],
      [2, 6],
    ]);
  });
});
