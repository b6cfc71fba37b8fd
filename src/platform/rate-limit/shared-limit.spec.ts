import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { runs } from '../../../test/support/fuzz/runs.js';
import { PermitStore, type Spending, SyncLoop } from './sync-loop.js';
import { SharedLimit, type Verdict } from './shared-limit.js';

/** Counts like both real stores; the test sets when and how it responds. */
class SimulatedStore extends PermitStore {
  readonly fullAt = new Map<string, number>();
  rounds = 0;
  largestRound = 0;
  latencyMs = 1;
  mode: 'up' | 'down' | 'silent' = 'up';

  async spend(spendings: Spending[]): Promise<number[]> {
    this.rounds += 1;
    this.largestRound = Math.max(this.largestRound, spendings.length);
    if (this.mode === 'silent') return new Promise(() => undefined);
    if (this.mode === 'down') throw new Error('the store is down');
    await delay(this.latencyMs / 2);
    const now = performance.now();
    const left = spendings.map(({ key, ms }) => {
      const fullAt = Math.max(this.fullAt.get(key) ?? 0, now) + ms;
      this.fullAt.set(key, fullAt);
      return Math.max(fullAt - now, 0);
    });
    await delay(this.latencyMs / 2);
    return left;
  }

  async close(): Promise<void> {}
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const LIMIT = { name: 'tests', perSecond: 10, burst: 100 };

let store: SimulatedStore;
let loops: SyncLoop[];
beforeEach(() => {
  Logger.overrideLogger(false);
  jest.useFakeTimers();
  store = new SimulatedStore();
  loops = [];
});
afterEach(() => {
  for (const syncLoop of loops) syncLoop.close();
  jest.useRealTimers();
});

function aProcess(limit = LIMIT): SharedLimit {
  const syncLoop = new SyncLoop(store, () => performance.now());
  loops.push(syncLoop);
  return new SharedLimit(limit, syncLoop);
}

/** Takes `count` permits concurrently and returns how many were allowed. */
async function takeMany(processes: SharedLimit[], count: number, key = 'a'): Promise<number> {
  const take = async (i: number) => processes[i % processes.length]!.take(key);
  const all = Promise.all(Array.from({ length: count }, (_, i) => take(i)));
  await jest.advanceTimersByTimeAsync(2_000);
  return (await all).filter(({ allowed }) => allowed).length;
}

describe('SharedLimit in one process', () => {
  it('allows exactly a burst, for each key', async () => {
    const limit = aProcess({ ...LIMIT, perSecond: 0.001 });
    expect(await takeMany([limit], 150)).toBe(100);
    expect(await takeMany([limit], 150, 'b')).toBe(100);
  });

  it('reports the remaining permits and, when it refuses, when to try again', async () => {
    const limit = aProcess();
    expect(limit.take('a', 99)).toEqual({ allowed: true, remaining: 1, resetMs: 9_900, retryAfterMs: 0 });
    await jest.advanceTimersByTimeAsync(0);
    expect(limit.peek('a')).toMatchObject({ allowed: true, remaining: 1 });
    expect(limit.take('a', 3)).toEqual({ allowed: false, remaining: 1, resetMs: 9_900, retryAfterMs: 200 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await syncedTake(limit, 3)).toMatchObject({ allowed: true });
  });

  it('accepts permits that are given back', async () => {
    const limit = aProcess({ ...LIMIT, perSecond: 0.001 });
    expect((await syncedTake(limit, 100)).allowed).toBe(true);
    expect((await syncedTake(limit, 1)).allowed).toBe(false);
    limit.charge('a', -10);
    expect((await syncedTake(limit, 10)).allowed).toBe(true);
    expect((await syncedTake(limit, 1)).allowed).toBe(false);
  });

  it('writes to the store ten times a second for any number of requests, while a batch is enough', async () => {
    const limit = aProcess({ name: 'tests', perSecond: 100_000, burst: 200_000 });
    for (let i = 0; i < 1_000; i += 1) {
      expect(limit.take('a')).toMatchObject({ allowed: true });
      await jest.advanceTimersByTimeAsync(1);
    }
    expect(store.rounds).toBeLessThanOrEqual(11);
  });

  it('keeps ten thousand keys and writes five hundred at once', async () => {
    const limit = aProcess();
    for (let i = 0; i < 12_000; i += 1) void limit.take(`key ${i}`);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(store.largestRound).toBe(500);
    expect(store.fullAt.size).toBeLessThanOrEqual(10_001);
  });
});

async function syncedTake(limit: SharedLimit, permits: number): Promise<Verdict> {
  const verdict = Promise.resolve(limit.take('a', permits));
  await jest.advanceTimersByTimeAsync(500);
  return verdict;
}

describe('SharedLimits of several processes', () => {
  it('allow a burst, plus at most a batch each', async () => {
    const processes = [1, 2, 3, 4].map(() => aProcess({ ...LIMIT, perSecond: 0.001 }));
    const allowed = await takeMany(processes, 1_000);
    expect(allowed).toBeGreaterThanOrEqual(100);
    expect(allowed).toBeLessThanOrEqual(100 + 4 * 10);
  });

  it('see each other’s spending within a tenth of a second', async () => {
    const [here, there] = [aProcess(), aProcess()];
    expect(here.take('a', 50).valueOf()).toMatchObject({ remaining: 50 });
    void there.take('a', 1);
    await jest.advanceTimersByTimeAsync(110);
    void there.take('a', 1);
    await jest.advanceTimersByTimeAsync(110);
    expect(there.peek('a').remaining).toBeLessThanOrEqual(51);
  });

  it('allow at most burst + t · rate + a batch each, for any requests and any latency of the store', async () => {
    const step = fc.record({
      process: fc.nat({ max: 3 }),
      count: fc.nat({ max: 60 }),
      pauseMs: fc.constantFrom(0, 1, 7, 40, 300, 2_000),
      latencyMs: fc.constantFrom(0, 2, 30, 200),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        store = new SimulatedStore();
        const processes = [1, 2, 3, 4].map(() => aProcess());
        const start = performance.now();
        let allowed = 0;
        const isWithinBounds = () => {
          const seconds = (performance.now() - start) / 1_000;
          expect(allowed).toBeLessThanOrEqual(LIMIT.burst + seconds * LIMIT.perSecond + processes.length * 10);
        };
        for (const { process, count, pauseMs, latencyMs } of steps) {
          store.latencyMs = latencyMs;
          for (let i = 0; i < count; i += 1) {
            void Promise.resolve(processes[process]!.take('a')).then((verdict) => {
              if (verdict.allowed) allowed += 1;
              isWithinBounds();
            });
          }
          await jest.advanceTimersByTimeAsync(pauseMs);
          isWithinBounds();
        }
        await jest.advanceTimersByTimeAsync(2_000);
        for (const syncLoop of loops.splice(0)) syncLoop.close();
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('SharedLimit without its store', () => {
  it.each(['down', 'silent'] as const)(
    'applies the limit in each process and delays each caller at most once (store %s)',
    async (mode) => {
      store.mode = mode;
      const limit = aProcess({ ...LIMIT, perSecond: 0.001 });
      expect(await takeMany([limit], 150)).toBe(100);
      expect(limit.take('b')).toMatchObject({ allowed: true });
      for (let i = 0; i < 99; i += 1) expect(limit.take('b')).toMatchObject({ allowed: true });
      expect(limit.take('b')).toMatchObject({ allowed: false });
    },
  );

  it('calls the store once a second', async () => {
    store.mode = 'down';
    const limit = aProcess();
    for (let i = 0; i < 1_000; i += 1) {
      void limit.take('a');
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(store.rounds).toBeLessThanOrEqual(12);
  });

  it('writes the remaining debt when the store is back, not everything that was spent meanwhile', async () => {
    const limit = aProcess();
    store.mode = 'down';
    for (let i = 0; i < 60; i += 1) {
      for (let j = 0; j < 8; j += 1) void limit.take('a');
      await jest.advanceTimersByTimeAsync(1_000);
    }
    store.mode = 'up';
    void limit.take('a');
    await jest.advanceTimersByTimeAsync(1_500);
    expect(limit.peek('a').remaining).toBeGreaterThanOrEqual(90);
    void limit.take('a', 90);
    await jest.advanceTimersByTimeAsync(500);
    expect(store.fullAt.get('tests:a')! - performance.now()).toBeGreaterThan(8_000);
  });
});
