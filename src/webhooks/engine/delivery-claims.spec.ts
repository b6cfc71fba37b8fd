import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { eventually } from '../../../test/support/eventually.js';
import type { SealedSecrets } from '../../shops/webhook-secrets.js';
import { DeliveryClaims } from './delivery-claims.js';
import type { ClaimedRow, LaneClaim, Lease } from './delivery-store.js';
import { signBody } from './signature.js';

const BODY = Buffer.from('{}');

/** Answers claims as if they had taken long, and tells what becomes of the leases. */
class SlowStore extends MemoryDeliveryStore {
  isSlow = false;
  /** Somebody else has these. */
  lost: number[] = [];
  readonly handedBack: number[] = [];

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    const rows = await super.claim(claims, leaseMs);
    const now = performance.now();
    if (this.isSlow) jest.spyOn(performance, 'now').mockReturnValue(now + 2_500);
    return rows;
  }

  override renew(leases: Lease[], leaseMs: number): Promise<Lease[]> {
    return super.renew(
      leases.filter(({ id }) => !this.lost.includes(id)),
      leaseMs,
    );
  }

  override handBack(leases: Lease[]): Promise<void> {
    this.handedBack.push(...leases.map(({ id }) => id));
    return super.handBack(leases);
  }
}

describe('DeliveryClaims', () => {
  let store: SlowStore;
  let claims: DeliveryClaims;
  let opened: string[];

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    store = new SlowStore();
    for (const id of [1, 2]) store.addLane({ id, shop_id: id, merchant_id: 1, origin: `http://${id}` });
    opened = [];
    const openWebhookSecrets = ({ current, previous }: SealedSecrets) => {
      opened.push(current);
      if (current === 'broken') throw new Error('no such key');
      return { current: `open ${current}`, previous };
    };
    claims = new DeliveryClaims(store, { openWebhookSecrets }, { webhookTimeoutMs: 3_000 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const append = (id: number, laneId: number, paymentId = id) =>
    store.append({ id, laneId, paymentId, endpoint: `http://${laneId}/`, body: '{}' });
  const claim = (laneId: number) =>
    claims.claim({ lane: { id: laneId }, quota: 10, maxBytes: 1_000, isUrgent: true, isAnswering: true });

  it('opens the secrets of a shop once, and those that replace them', async () => {
    append(1, 1);
    const [first] = await claim(1);
    append(2, 1);
    append(3, 2);
    const [second, third] = (await Promise.all([claim(1), claim(2)])).flat();
    store.rotateSecret(1, 'new', true);
    append(4, 1);
    const [fourth] = await claim(1);
    expect(opened).toEqual(['secret of shop 1', 'secret of shop 2', 'new']);
    const signatures = [first, second, third, fourth].map((delivery) => delivery!.signer!.body(BODY));
    const secrets = ['secret of shop 1', 'secret of shop 1', 'secret of shop 2', 'new'];
    expect(signatures).toEqual(secrets.map((secret) => signBody(`open ${secret}`, BODY)));
  });

  it('tries again to open what could not be opened, and gives the others', async () => {
    store.rotateSecret(1, 'broken', false);
    append(1, 1);
    append(2, 2);
    const [broken, whole] = (await Promise.all([claim(1), claim(2)])).flat();
    expect([broken!.signer, whole!.signer === undefined]).toEqual([undefined, false]);
    append(3, 1);
    await claim(1);
    expect(opened.filter((current) => current === 'broken')).toHaveLength(2);
  });

  it('gives the next change of a payment with the one that it follows', async () => {
    append(1, 1, 7);
    append(2, 1, 7);
    append(3, 1);
    const rows = await claim(1);
    expect(rows.map(({ id, next }) => [id, next?.id])).toEqual([
      [1, 2],
      [3, undefined],
    ]);
  });

  it('renews both when the claim took long, and hands back the next change when the other is somebody else’s', async () => {
    append(1, 1, 7);
    append(2, 1, 7);
    append(3, 1, 8);
    append(4, 1, 8);
    store.isSlow = true;
    store.lost = [1];
    const rows = await claim(1);
    expect(rows.map(({ id, next }) => [id, next?.id])).toEqual([[3, 4]]);
    await eventually(() => store.handedBack.length > 0);
    expect(store.handedBack).toEqual([2]);
    expect(rows[0]!.leasedAt).toBe(performance.now());
  });
});
