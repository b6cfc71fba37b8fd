import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ClaimedDelivery } from './delivery-claims.js';
import { DeliveryPermits } from './permits/delivery-permits.js';
import { LaneRun, type LaneRunContext } from './lane-run.js';
import { WebhookSigner } from './signature.js';

const DELIVERY = { id: 1, shop_id: 1, request_body: '{}', signer: new WebhookSigner({ current: 's', previous: null }) };

describe('LaneRun', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('hands back what its process was too slow to send within the lease', async () => {
    const permits = new DeliveryPermits(16);
    const handedBack: number[] = [];
    let send = (_isDropped: boolean): void => undefined;
    const context: LaneRunContext = {
      permits,
      claims: {
        claim: () => Promise.resolve([{ ...DELIVERY, leasedAt: performance.now() } as ClaimedDelivery]),
        handBack: (rows) => Promise.resolve(void handedBack.push(...rows.map(({ id }) => id))),
      },
      sender: { send: () => Promise.reject(new Error('sent too late')) },
      turns: { take: (_, begin) => void (send = begin), drop: () => undefined },
      recorder: { record: () => Promise.resolve(undefined), hurry: () => undefined, unrecorded: 0 },
      claimed: () => undefined,
      freed: () => undefined,
      rest: (giveBack: () => void) => giveBack(),
      failed: (_, error) => {
        throw error;
      },
      lacked: () => undefined,
      handOver: () => undefined,
    };
    const run = new LaneRun(permits.lane({ id: 1, shop_id: 1, merchant_id: 1, origin: 'http://a' }, 'new'), context);
    run.wake();
    await run.claim(permits.deal().get(run.lane)!);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1_500);
    send(false);
    await nextTurn();
    expect([handedBack, permits.total]).toEqual([[1], 0]);
  });
});
