import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { KeyedBatcher } from './keyed-batcher.js';

/** Combined calls that end when the test calls `end` or `fail`. */
function aSlowCall() {
  const calls: { key: string; count: number; end(values: number[]): void; fail(error: Error): void }[] = [];
  const batcher = new KeyedBatcher<string, number>(
    (key, count) => new Promise((end, fail) => calls.push({ key, count, end, fail })),
  );
  const called = (count: number) => eventually(() => expect(calls).toHaveLength(count), { intervalMs: 1 });
  return { calls, batcher, called };
}

describe('KeyedBatcher', () => {
  it('combines the calls that are made during a call for the same key', async () => {
    const { calls, batcher, called } = aSlowCall();
    const first = batcher.call('a');
    await called(1);
    const others = [batcher.call('a'), batcher.call('a')];
    calls[0]!.end([7]);
    expect(await first).toBe(7);
    await called(2);
    expect(calls[1]).toMatchObject({ key: 'a', count: 2 });
    calls[1]!.end([8, 9]);
    expect(await Promise.all(others)).toEqual([8, 9]);
  });

  it('makes calls for different keys concurrently', async () => {
    const { calls, batcher, called } = aSlowCall();
    void batcher.call('a');
    void batcher.call('b');
    await called(2);
    expect(calls).toMatchObject([
      { key: 'a', count: 1 },
      { key: 'b', count: 1 },
    ]);
  });

  it('rejects only the callers of a failed call', async () => {
    const { calls, batcher, called } = aSlowCall();
    const first = batcher.call('a');
    await called(1);
    const second = batcher.call('a');
    calls[0]!.fail(new Error('connection lost'));
    await expect(first).rejects.toThrow('connection lost');
    await called(2);
    calls[1]!.end([1]);
    expect(await second).toBe(1);
  });
});
