import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { eventually } from '../../../test/support/eventually.js';
import type { EncryptedReceiver } from '../endpoint/secrets/encrypted-receiver.js';
import { DeliveryClaims } from './delivery-claims.js';
import type { ClaimedRow, LaneClaim, Lease } from './delivery-store.js';
import { signBody } from '@payment-orchestrator/receiver/signing';
import { plainReceivers } from '../../../test/support/app/plain-receivers.js';

const BODY = Buffer.from('{}');

/** A store that records released leases. */
class WatchedStore extends MemoryDeliveryStore {
  /** Deliveries that another worker has: a claim does not return them. */
  lost: number[] = [];
  readonly released: number[] = [];

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    return (await super.claim(claims, leaseMs)).filter(({ id }) => !this.lost.includes(id));
  }

  override release(leases: Lease[]): Promise<void> {
    this.released.push(...leases.map(({ id }) => id));
    return super.release(leases);
  }
}

describe('DeliveryClaims', () => {
  let store: WatchedStore;
  let claims: DeliveryClaims;
  let decrypted: string[];

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    store = new WatchedStore();
    for (const id of [1, 2]) store.addLane({ id, shop_id: id, merchant_id: 1, origin: `http://${id}` });
    decrypted = [];
    const decrypt = ({ current, previous }: EncryptedReceiver) => {
      decrypted.push(current);
      if (current === 'broken') throw new Error('no such key');
      return { current: `decrypted ${current}`, previous };
    };
    claims = new DeliveryClaims(store, plainReceivers(decrypt), { webhookTimeoutMs: 3_000 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const append = (id: number, laneId: number, paymentId = id) =>
    store.append({ id, laneId, paymentId, endpoint: `http://${laneId}/`, body: '{}' });
  const claim = (laneId: number) =>
    claims.claim({ laneId, quota: 10, maxBytes: 1_000, withSuccessors: true, isHealthy: true });

  it('decrypts the secrets of a shop once for all deliveries of a claim, and the new ones after a rotation', async () => {
    for (const id of [1, 2]) append(id, 1);
    append(3, 2);
    const [first, second, third] = (await Promise.all([claim(1), claim(2)])).flat(2);
    store.rotateSecret(1, 'new', true);
    append(4, 1);
    const [fourth] = (await claim(1)).flat();
    expect(decrypted).toEqual(['secret of shop 1', 'secret of shop 2', 'new']);
    const signatures = [first, second, third, fourth].map((delivery) => delivery!.receiver!.signer.body(BODY));
    const secrets = ['secret of shop 1', 'secret of shop 1', 'secret of shop 2', 'new'];
    expect(signatures).toEqual(secrets.map((secret) => signBody(`decrypted ${secret}`, BODY)));
  });

  it('retries to decrypt secrets after a failure, and returns the other deliveries', async () => {
    store.rotateSecret(1, 'broken', false);
    append(1, 1);
    append(2, 2);
    const [broken, whole] = (await Promise.all([claim(1), claim(2)])).flat(2);
    expect([broken!.receiver, whole!.receiver === undefined]).toEqual([undefined, false]);
    append(3, 1);
    await claim(1);
    expect(decrypted.filter((current) => current === 'broken')).toHaveLength(2);
  });

  const idsOf = (units: { id: number }[][]) => units.map((unit) => unit.map(({ id }) => id));

  it('returns the due changes of a payment as one unit', async () => {
    append(1, 1, 7);
    append(2, 1, 7);
    append(3, 1);
    append(4, 1, 7);
    expect(idsOf(await claim(1))).toEqual([[1, 2, 4], [3]]);
  });

  it.each([
    { lost: 1, units: [[11, 12, 13]], released: [2, 3] },
    { lost: 2, units: [[1], [11, 12, 13]], released: [3] },
  ])('releases the successors of delivery $lost, which another worker has', async ({ lost, units, released }) => {
    for (const id of [1, 2, 3]) append(id, 1, 7);
    for (const id of [11, 12, 13]) append(id, 1, 8);
    store.lost = [lost];
    expect(idsOf(await claim(1))).toEqual(units);
    await eventually(() => store.released.length === released.length);
    expect(store.released).toEqual(released);
  });

  it('allows a send during the first half of the lease margin only', async () => {
    append(1, 1);
    const [delivery] = (await claim(1)).flat();
    expect([claims.leaseMs, claims.maySend(delivery!)]).toEqual([13_000, true]);
    jest.spyOn(performance, 'now').mockReturnValue(delivery!.leasedAt + 5_001);
    expect(claims.maySend(delivery!)).toBe(false);
  });
});
