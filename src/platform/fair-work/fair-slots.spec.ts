import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairSlots } from './fair-slots.js';
import { WorkOwner } from './work-owner.js';

describe('FairSlots', () => {
  let slots: FairSlots;
  let started: string[];
  let end: Map<string, () => void>;
  beforeEach(() => {
    slots = new FairSlots({ what: 'replays', total: 2, perMerchant: 1, waitingPerMerchant: 2, waiting: 4 });
    started = [];
    end = new Map();
  });

  const take = (merchantId: number, name: string, isGone: () => boolean = () => false): Promise<void> => {
    const reply = {
      raw: {
        get destroyed() {
          return isGone();
        },
      },
    };
    return slots.run(new WorkOwner(merchantId, { clientId: 'c', reply: reply as never }), () => {
      started.push(name);
      return new Promise((resolve) => end.set(name, resolve));
    });
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const finish = async (name: string): Promise<void> => {
    await settled();
    end.get(name)!();
    await settled();
  };

  it('leaves a slot to others, however many one merchant asks for', async () => {
    void take(1, 'a');
    void take(1, 'b');
    void take(1, 'c');
    void take(2, 'x');
    await settled();
    expect(started).toEqual(['a', 'x']);
    await finish('a');
    expect(started).toEqual(['a', 'x', 'b']);
  });

  it('takes merchants that wait in turn', async () => {
    void take(1, 'a');
    void take(2, 'x');
    void take(1, 'b');
    void take(1, 'c');
    void take(3, 'm');
    await finish('a');
    await finish('b');
    await finish('x');
    expect(started).toEqual(['a', 'x', 'b', 'm', 'c']);
  });

  it('refuses what a merchant has waiting beyond its bound, and what waits beyond the bound of all', async () => {
    for (const name of ['a', 'b', 'c']) void take(1, name);
    await expect(take(1, 'd')).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining('a merchant may have 1 replays running and 2 waiting'),
      headers: { 'retry-after': '5' },
    });
    for (const name of ['x', 'y', 'z']) void take(2, name);
    await expect(take(3, 'm')).rejects.toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining('4 replays are waiting'),
    });
  });

  it('gives the place of a caller that has gone from the line to one that comes', async () => {
    let isGone = false;
    void take(1, 'a');
    const gone = take(1, 'gone', () => isGone).catch((error: unknown) => error);
    void take(1, 'b');
    isGone = true;
    const next = take(1, 'next');
    expect(await gone).toMatchObject({ code: 'client_closed_request' });
    await expect(take(1, 'too many')).rejects.toMatchObject({ code: 'too_many_requests' });
    await finish('a');
    await finish('b');
    await finish('next');
    await next;
    expect(started).toEqual(['a', 'b', 'next']);
  });

  it('skips a caller that has gone, and gives the slot of one that fails to the next', async () => {
    let isGone = false;
    const failing = slots.run(new WorkOwner(1), () => Promise.reject(new Error('of the work')));
    const gone = take(1, 'gone', () => isGone).catch((error: unknown) => error);
    void take(1, 'next');
    isGone = true;
    await expect(failing).rejects.toThrow('of the work');
    expect(await gone).toMatchObject({ code: 'client_closed_request' });
    await settled();
    expect(started).toEqual(['next']);
  });
});
