import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { HashingQueue } from './secret-hash.js';

/** Work that ends when told to. */
function job(log: string[], name: string) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async () => {
    log.push(name);
    await ended;
    return name;
  };
  return { work, end: () => end() };
}

describe('HashingQueue', () => {
  it('runs two at once and the rest in order', async () => {
    const queue = new HashingQueue();
    const log: string[] = [];
    const jobs = ['a', 'b', 'c', 'd'].map((name) => job(log, name));
    const results = jobs.map(({ work }) => queue.run(work));
    await settled();
    expect(log).toEqual(['a', 'b']);
    jobs[1]!.end();
    await settled();
    expect(log).toEqual(['a', 'b', 'c']);
    for (const { end } of jobs) end();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  it('goes on after a failure', async () => {
    const queue = new HashingQueue();
    for (let i = 0; i < 5; i += 1) {
      await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
    expect(await queue.run(() => Promise.resolve('fine'))).toBe('fine');
  });

  it('refuses what would wait behind a hundred others', async () => {
    const queue = new HashingQueue();
    const { work, end } = job([], 'slow');
    const accepted = Array.from({ length: 102 }, () => queue.run(work));
    await expect(queue.run(work)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 2 });
    end();
    await Promise.all(accepted);
  });
});
