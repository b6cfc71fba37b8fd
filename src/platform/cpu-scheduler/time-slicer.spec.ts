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

/** Time passes where a test says so: in steps of work, and in pauses. */
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

  /** Ends the pause that is under way; whether there was one. */
  turn(): boolean {
    const { next } = this;
    this.next = undefined;
    next?.();
    return next !== undefined;
  }

  finish(): void {
    let turns = 0;
    while (this.turn()) expect(++turns).toBeLessThan(10_000);
  }
}

describe('TimeSlicer', () => {
  let clock: ManualClock;
  let queue: TimeSlicer;
  /** Who had a step, one letter each. */
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

  it('runs a small calculation before it returns', async () => {
    const result = queue.run(owner(1), work('a', 3, 0.1));
    expect(log).toBe('aaa');
    expect(clock.turn()).toBe(false);
    expect(await result).toBe('a done');
  });

  it('cuts what is long into slices and leaves the event loop its turn between them', async () => {
    const result = queue.run(owner(1), work('a', 40, SLICE_MS / 4));
    const seen = [log.length];
    while (clock.turn()) seen.push(log.length);
    expect(seen).toEqual([4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    expect(clock.paused).toBe(0);
    expect(await result).toBe('a done');
  });

  it('takes merchants in turn, and the calculations of one merchant', () => {
    for (const name of ['a', 'b', 'c']) void queue.run(owner(1), work(name, 4));
    void queue.run(owner(2), work('x', 4));
    clock.finish();
    expect(log).toBe('aaxbxcxaxbcabcbc');
  });

  it('lets a merchant that comes late have the next turn but one', () => {
    for (let index = 0; index < 50; index++) void queue.run(owner(1), work('a', 5));
    clock.turn();
    log = '';
    void queue.run(owner(2), work('x', 1));
    clock.turn();
    clock.turn();
    expect(log).toContain('x');
  });

  it('keeps to its share while others come in', () => {
    void queue.run(owner(1), work('a', 100));
    for (let turn = 0; turn < 80; turn++) {
      queue.noteRequest();
      clock.turn();
    }
    const worked = spent.get(1)!;
    expect((worked - MAX_CREDIT_MS) / clock.ms).toBeLessThanOrEqual(SHARE + 0.01);
    expect(worked / clock.ms).toBeGreaterThan(SHARE - 0.02);
  });

  it('goes on at full speed when the others have stopped', () => {
    void queue.run(owner(1), work('a', 20));
    queue.noteRequest();
    clock.turn();
    clock.ms += YIELD_MS;
    const { paused } = clock;
    clock.finish();
    expect(log).toHaveLength(20);
    expect(clock.paused - paused).toBeLessThan(10);
  });

  it('gives way to others that came in while it paused', () => {
    void queue.run(owner(1), work('a', 20));
    for (let turn = 0; turn < 5; turn++) clock.turn();
    queue.noteRequest();
    const { length } = log;
    clock.turn();
    expect(log).toHaveLength(length);
    clock.turn();
    expect(log).toHaveLength(length + 1);
  });

  it('makes the next one wait when many small ones have used up the credit', () => {
    queue.noteRequest();
    for (let index = 0; index < 100; index++) void queue.run(owner(1), work('a', 1, 0.5));
    expect(log.length * 0.5).toBeLessThanOrEqual(MAX_CREDIT_MS + SLICE_MS);
    expect(queue.size).toBe(100 - log.length);
  });

  it('runs small ones without a pause, one after the other, while nobody else comes in', () => {
    for (let index = 0; index < 100; index++) {
      void queue.run(owner(1), work('a', 1, 0.5));
      clock.turn();
      expect(log).toHaveLength(index + 1);
      clock.ms += 0.5; // what its request takes besides
    }
    expect(clock.paused).toBe(0);
  });

  it('makes those wait for the event loop that come in all at once, also while nobody else does', () => {
    for (let index = 0; index < 100; index++) void queue.run(owner(1), work('a', 1, 0.5));
    expect(log.length * 0.5).toBeLessThanOrEqual(MAX_CREDIT_MS + SLICE_MS);
    expect(queue.size).toBe(100 - log.length);
  });

  it('makes up for a step that took long', () => {
    queue.noteRequest();
    void queue.run(owner(1), work('a', 2, 20));
    queue.noteRequest();
    clock.turn();
    const pauseMs = (20 - MAX_CREDIT_MS) / SHARE; // the bucket is full until the step has ended
    expect(clock.paused).toBeCloseTo(pauseMs);
  });

  it('counts what was computed outside of a slice', () => {
    queue.noteRequest();
    queue.take(10);
    void queue.run(owner(1), work('a', 1));
    expect(log).toBe('');
    clock.finish();
    expect(clock.paused).toBeGreaterThanOrEqual((10 - MAX_CREDIT_MS) / SHARE);
    expect(clock.paused).toBeLessThan((10 - MAX_CREDIT_MS) / SHARE + 2);
  });

  it('refuses what a merchant has waiting beyond its bound, and takes what another has', async () => {
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

  it('refuses what waits beyond the bound of all', async () => {
    for (let index = 0; index < MAX_WAITING; index++) void queue.run(owner(index), work('a', 2));
    await expect(queue.run(owner(-1), work('b', 1))).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining(`${MAX_WAITING} calculations are waiting`),
    });
  });

  it('drops a calculation whose caller has gone', async () => {
    void queue.run(owner(1), work('a', 3));
    const dropped = queue.run(goneOwner(2), work('x', 3)).catch((error: unknown) => error);
    clock.finish();
    expect(log).toBe('aaa');
    expect(await dropped).toMatchObject({ code: 'client_closed_request' });
    expect(queue.size).toBe(0);
  });

  it('passes on what a calculation throws, and goes on with the next', async () => {
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

  it('reports what each merchant has spent', () => {
    void queue.run(owner(1), work('a', 3, 2));
    void queue.run(owner(2), work('x', 2, 3));
    clock.finish();
    expect([...spent]).toEqual([
      [1, 6],
      [2, 6],
    ]);
  });
});
