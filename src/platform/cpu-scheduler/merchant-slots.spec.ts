import { beforeEach, describe, expect, it } from '@jest/globals';
import { MerchantSlots } from './merchant-slots.js';
import { WorkOwner } from './work-owner.js';

describe('MerchantSlots', () => {
  let slots: MerchantSlots;
  let end: Map<string, () => void>;
  beforeEach(() => {
    slots = new MerchantSlots({ what: 'replays', total: 2, perMerchant: 1, waitingPerMerchant: 2, waiting: 4 });
    end = new Map();
  });

  const take = (merchantId: number, name: string, isGone: () => boolean = () => false): Promise<void> => {
    const raw = Object.defineProperty({}, 'destroyed', { get: isGone });
    return slots.run(
      new WorkOwner(merchantId, { clientId: 'c', reply: { raw } as never }),
      () => new Promise((resolve) => end.set(name, resolve)),
    );
  };

  it('refuses jobs beyond the limit of a merchant, and beyond the limit of all merchants', async () => {
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

  it('drops a job whose caller has disconnected, and passes on what a job throws', async () => {
    let isGone = false;
    const failing = slots.run(new WorkOwner(1), () => Promise.reject(new Error('of the work')));
    const gone = take(1, 'gone', () => isGone).catch((error: unknown) => error);
    const next = take(1, 'next');
    isGone = true;
    await expect(failing).rejects.toThrow('of the work');
    expect(await gone).toMatchObject({ code: 'client_closed_request' });
    end.get('next')!();
    await next;
  });
});
