import { describe, expect, it } from '@jest/globals';
import { Coalescer } from './coalescer.js';

/** A joint call that ends when told to. */
function aSlowCall() {
  const calls: { key: string; count: number; end(values: number[]): void; fail(error: Error): void }[] = [];
  const coalescer = new Coalescer<string, number>(
    (key, count) => new Promise((end, fail) => calls.push({ key, count, end, fail })),
  );
  return { calls, coalescer };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Coalescer', () => {
  it('does not make a lone caller wait', () => {
    const { calls, coalescer } = aSlowCall();
    void coalescer.call('a');
    expect(calls).toMatchObject([{ key: 'a', count: 1 }]);
  });

  it('sends together those that come while a call is under way', async () => {
    const { calls, coalescer } = aSlowCall();
    const first = coalescer.call('a');
    const others = [coalescer.call('a'), coalescer.call('a')];
    calls[0]!.end([7]);
    expect(await first).toBe(7);
    await settled();
    expect(calls[1]).toMatchObject({ key: 'a', count: 2 });
    calls[1]!.end([8, 9]);
    expect(await Promise.all(others)).toEqual([8, 9]);
    void coalescer.call('a');
    expect(calls[2]).toMatchObject({ count: 1 });
  });

  it('lets a crowd gather, also those that come while nothing is under way', async () => {
    const { calls, coalescer } = aSlowCall();
    void coalescer.call('a');
    const crowd = Array.from({ length: 16 }, () => coalescer.call('a'));
    calls[0]!.end([0]);
    await settled();
    calls[1]!.end(Array.from({ length: 16 }, (_, index) => index));
    expect(await Promise.all(crowd)).toHaveLength(16);
    const late = [coalescer.call('a'), coalescer.call('a')];
    expect(calls).toHaveLength(2);
    while (calls.length < 3) await settled();
    expect(calls[2]).toMatchObject({ count: 2 });
    calls[2]!.end([1, 2]);
    expect(await Promise.all(late)).toEqual([1, 2]);
  });

  it('keeps keys apart', () => {
    const { calls, coalescer } = aSlowCall();
    void coalescer.call('a');
    void coalescer.call('b');
    expect(calls).toMatchObject([
      { key: 'a', count: 1 },
      { key: 'b', count: 1 },
    ]);
  });

  it('fails those in a failed call, and only those', async () => {
    const { calls, coalescer } = aSlowCall();
    const first = coalescer.call('a');
    const second = coalescer.call('a');
    calls[0]!.fail(new Error('connection lost'));
    await expect(first).rejects.toThrow('connection lost');
    await settled();
    calls[1]!.end([1]);
    expect(await second).toBe(1);
  });

  it('survives a call that throws at once', async () => {
    const coalescer = new Coalescer<string, number>(() => {
      throw new Error('no such thing');
    });
    await expect(coalescer.call('a')).rejects.toThrow('no such thing');
    await expect(coalescer.call('a')).rejects.toThrow('no such thing');
  });
});
