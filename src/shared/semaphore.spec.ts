import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JobOptions, Semaphore, SemaphoreRefused } from './semaphore.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Semaphore', () => {
  let semaphore: Semaphore;
  let started: string[];
  let end: Map<string, () => void>;
  beforeEach(() => {
    started = [];
    end = new Map();
  });

  /** A job that is named and ends when the test says so. */
  const run = (name: string, options?: JobOptions): Promise<string> =>
    semaphore.run(() => {
      started.push(name);
      return new Promise((resolve) => end.set(name, () => resolve(name)));
    }, options);
  const refusal = (job: Promise<unknown>): Promise<unknown> =>
    job.then(
      () => 'ran',
      (error: unknown) => (error instanceof SemaphoreRefused ? error.reason : error),
    );
  const finish = async (name: string): Promise<void> => {
    await settled();
    end.get(name)!();
    await settled();
  };

  describe('with one key', () => {
    beforeEach(() => {
      semaphore = new Semaphore({ maxRunning: 2, maxQueued: 3 });
    });

    it('runs as many at once as it may, and the rest in their order', async () => {
      const results = ['a', 'b', 'c', 'd'].map((name) => run(name));
      await settled();
      expect(started).toEqual(['a', 'b']);
      await finish('b');
      expect(started).toEqual(['a', 'b', 'c']);
      await finish('a');
      await finish('c');
      await finish('d');
      expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('refuses a job when the queue is full, and takes the next one when it is not', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name);
      expect(await refusal(run('f'))).toBe('key_queue_full');
      await finish('a');
      void run('g');
      for (const name of ['b', 'c', 'd', 'e', 'g']) await finish(name);
      expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'g']);
    });

    it('gives the slot of a job that fails to the next', async () => {
      const failing = () => Promise.reject(new Error('of the work'));
      for (let time = 0; time < 5; time++) await expect(semaphore.run(failing)).rejects.toThrow('of the work');
      const broken = Promise.allSettled([semaphore.run(failing), semaphore.run(failing)]);
      void run('next');
      await broken;
      await settled();
      expect(started).toEqual(['next']);
    });
  });

  describe('with keys', () => {
    beforeEach(() => {
      semaphore = new Semaphore({ maxRunning: 2, maxRunningPerKey: 1, maxQueued: 4, maxQueuedPerKey: 2 });
    });

    it('leaves a slot to other keys, regardless of how many one asks for', async () => {
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      void run('x', { key: 2 });
      await settled();
      expect(started).toEqual(['a', 'x']);
      await finish('a');
      expect(started).toEqual(['a', 'x', 'b']);
    });

    it('starts a queued job of another key while its own slots are free', async () => {
      void run('a', { key: 1 });
      void run('b', { key: 1 });
      void run('x', { key: 2 });
      await finish('x');
      void run('y', { key: 2 });
      await settled();
      expect(started).toEqual(['a', 'x', 'y']);
    });

    it('gives slots to keys in turn', async () => {
      semaphore = new Semaphore({ maxRunning: 1, maxQueued: 10 });
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      for (const name of ['x', 'y']) void run(name, { key: 2 });
      void run('m', { key: 3 });
      for (const name of ['a', 'x', 'm', 'b', 'y', 'c']) await finish(name);
      expect(started).toEqual(['a', 'x', 'm', 'b', 'y', 'c']);
    });

    it('puts a key that had all its slots behind the keys that waited meanwhile', async () => {
      void run('a', { key: 1 });
      void run('x', { key: 2 });
      for (const name of ['b', 'c']) void run(name, { key: 1 });
      void run('m', { key: 3 });
      for (const name of ['a', 'x', 'm', 'b', 'c']) await finish(name);
      expect(started).toEqual(['a', 'x', 'm', 'b', 'c']);
    });

    it('refuses jobs beyond the bound of a key, and beyond the bound of all', async () => {
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      expect(await refusal(run('d', { key: 1 }))).toBe('key_queue_full');
      for (const name of ['x', 'y', 'z']) void run(name, { key: 2 });
      expect(await refusal(run('m', { key: 3 }))).toBe('queue_full');
    });

    it('gives the place of an abandoned job to one of the same key', async () => {
      let isAbandoned = false;
      void run('a', { key: 1 });
      const abandoned = refusal(run('abandoned', { key: 1, isAbandoned: () => isAbandoned }));
      void run('b', { key: 1 });
      isAbandoned = true;
      const next = run('next', { key: 1 });
      expect(await abandoned).toBe('abandoned');
      expect(await refusal(run('too many', { key: 1 }))).toBe('key_queue_full');
      for (const name of ['a', 'b', 'next']) await finish(name);
      await next;
      expect(started).toEqual(['a', 'b', 'next']);
    });

    it('starts a job in the place of the only other one of its key, which is abandoned', async () => {
      let isAbandoned = false;
      for (const key of [1, 2]) void run(`running ${key}`, { key });
      const abandoned = refusal(run('abandoned', { key: 3, isAbandoned: () => isAbandoned }));
      isAbandoned = true;
      void run('next', { key: 3 });
      expect(await abandoned).toBe('abandoned');
      await finish('running 1');
      expect(started).toEqual(['running 1', 'running 2', 'next']);
    });

    it('skips an abandoned job at its turn', async () => {
      let isAbandoned = false;
      void run('a', { key: 1 });
      const abandoned = refusal(run('abandoned', { key: 1, isAbandoned: () => isAbandoned }));
      void run('next', { key: 1 });
      isAbandoned = true;
      await finish('a');
      expect(await abandoned).toBe('abandoned');
      expect(started).toEqual(['a', 'next']);
    });

    it('keeps all slots after any order of jobs', async () => {
      for (let round = 0; round < 50; round++) {
        const jobs = Array.from({ length: 6 }, (_, index) =>
          semaphore
            .run(() => (index % 3 === 0 ? Promise.reject(new Error('no')) : settled()), {
              key: (round + index) % 4,
              isAbandoned: () => (round + index) % 5 === 0,
            })
            .catch(() => undefined),
        );
        await Promise.all(jobs);
      }
      void run('a', { key: 1 });
      void run('x', { key: 2 });
      await settled();
      expect(started).toEqual(['a', 'x']);
    });
  });
});
