import { describe, expect, it } from '@jest/globals';
import { DeadlineWheel, type Expirable } from './deadline-wheel.js';

/** Settles when it expires, with the time that took. */
function item(): Expirable & { expired: Promise<number>; times: number } {
  const startedMs = performance.now();
  let tell: (ms: number) => void = () => undefined;
  const expired = new Promise<number>((resolve) => (tell = resolve));
  return {
    deadlineTick: 0,
    times: 0,
    expired,
    expire() {
      this.times += 1;
      tell(performance.now() - startedMs);
    },
  };
}

describe('DeadlineWheel', () => {
  it('expires nothing early, each item once', async () => {
    const wheel = new DeadlineWheel<ReturnType<typeof item>>();
    const items = [10, 60, 60, 110].map((ms) => {
      const one = item();
      wheel.add(one, ms);
      return { ms, one };
    });
    for (const { ms, one } of items) expect(await one.expired).toBeGreaterThanOrEqual(ms - 1);
    expect(items.map(({ one }) => one.times)).toEqual([1, 1, 1, 1]);
    expect([...wheel]).toEqual([]);
  });

  it('expires nothing that was removed', async () => {
    const wheel = new DeadlineWheel<ReturnType<typeof item>>();
    const [removed, kept] = [item(), item()];
    wheel.add(removed, 30);
    wheel.add(kept, 60);
    wheel.remove(removed);
    wheel.remove(removed);
    await kept.expired;
    expect(removed.times).toBe(0);
  });

  it('begins again after it ran empty', async () => {
    const wheel = new DeadlineWheel<ReturnType<typeof item>>();
    for (let i = 0; i < 2; i += 1) {
      const one = item();
      wheel.add(one, 30);
      await one.expired;
    }
    expect([...wheel]).toEqual([]);
  });

  it('gives what is due a chance to end after the process was held up', async () => {
    const wheel = new DeadlineWheel<ReturnType<typeof item>>();
    const [answered, silent] = [item(), item()];
    wheel.add(answered, 50);
    wheel.add(silent, 50);
    const end = performance.now() + 400;
    while (performance.now() < end); // holds the event loop
    setTimeout(() => setImmediate(() => setImmediate(() => wheel.remove(answered))), 0); // some turns of the loop later
    await silent.expired;
    expect([answered.times, silent.times]).toEqual([0, 1]);
  });

  it('lets an item that expires add another', async () => {
    const wheel = new DeadlineWheel<Expirable>();
    const second = item();
    wheel.add({ deadlineTick: 0, expire: () => wheel.add(second, 30) }, 30);
    expect(await second.expired).toBeGreaterThanOrEqual(59);
  });
});
