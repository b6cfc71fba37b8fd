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

  /** Runs a job with a name, which ends when the test calls `finish`. */
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

    it('runs maxRunning jobs concurrently, and the others in their order', async () => {
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

    it('refuses a job while the queue is full', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name);
      expect(await refusal(run('f'))).toBe('key_queue_full');
      await finish('a');
      void run('g');
      for (const name of ['b', 'c', 'd', 'e', 'g']) await finish(name);
      expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'g']);
    });

    it('gives the slot of a failed job to the next job', async () => {
      const failing = () => Promise.reject(new Error('job failed'));
      for (let time = 0; time < 5; time++) await expect(semaphore.run(failing)).rejects.toThrow('job failed');
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

    it('keeps a slot for other keys, regardless of the number of jobs of one key', async () => {
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      void run('x', { key: 2 });
      await settled();
      expect(started).toEqual(['a', 'x']);
      await finish('a');
      expect(started).toEqual(['a', 'x', 'b']);
    });

    it('starts a job of another key that has a free slot', async () => {
      void run('a', { key: 1 });
      void run('b', { key: 1 });
      void run('x', { key: 2 });
      await finish('x');
      void run('y', { key: 2 });
      await settled();
      expect(started).toEqual(['a', 'x', 'y']);
    });

    it('gives slots to keys in round robin', async () => {
      semaphore = new Semaphore({ maxRunning: 1, maxQueued: 10 });
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      for (const name of ['x', 'y']) void run(name, { key: 2 });
      void run('m', { key: 3 });
      for (const name of ['a', 'x', 'm', 'b', 'y', 'c']) await finish(name);
      expect(started).toEqual(['a', 'x', 'm', 'b', 'y', 'c']);
    });

    it('serves a key that used all its slots after the keys that were waiting', async () => {
      void run('a', { key: 1 });
      void run('x', { key: 2 });
      for (const name of ['b', 'c']) void run(name, { key: 1 });
      void run('m', { key: 3 });
      for (const name of ['a', 'x', 'm', 'b', 'c']) await finish(name);
      expect(started).toEqual(['a', 'x', 'm', 'b', 'c']);
    });

    it('refuses jobs beyond the queue limit of their key, and beyond the total limit', async () => {
      for (const name of ['a', 'b', 'c']) void run(name, { key: 1 });
      expect(await refusal(run('d', { key: 1 }))).toBe('key_queue_full');
      for (const name of ['x', 'y', 'z']) void run(name, { key: 2 });
      expect(await refusal(run('m', { key: 3 }))).toBe('queue_full');
    });

    it('gives the place of an abandoned job to a job of the same key', async () => {
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

    it('starts a job in place of the only other job of its key, which is abandoned', async () => {
      let isAbandoned = false;
      for (const key of [1, 2]) void run(`running ${key}`, { key });
      const abandoned = refusal(run('abandoned', { key: 3, isAbandoned: () => isAbandoned }));
      isAbandoned = true;
      void run('next', { key: 3 });
      expect(await abandoned).toBe('abandoned');
      await finish('running 1');
      expect(started).toEqual(['running 1', 'running 2', 'next']);
    });

    it('skips an abandoned job that is first in the queue', async () => {
      let isAbandoned = false;
      void run('a', { key: 1 });
      const abandoned = refusal(run('abandoned', { key: 1, isAbandoned: () => isAbandoned }));
      void run('next', { key: 1 });
      isAbandoned = true;
      await finish('a');
      expect(await abandoned).toBe('abandoned');
      expect(started).toEqual(['a', 'next']);
    });

    it('loses no slot in any order of jobs', async () => {
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
