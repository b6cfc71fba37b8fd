import { describe, expect, it } from '@jest/globals';
import type { Promised } from '../../../bench/chaos/stories/merchant.js';
import type { Evidence } from '../../../bench/chaos/oracle/evidence.js';
import { type Loss, withoutLoss } from '../../../bench/rehearsal/loss.js';

const LOSS: Loss = {
  payments: new Set([7]),
  changes: new Set(['7 completed', '5 refunded']),
  notifications: new Set(['note-5']),
  webhooks: new Set([123]),
  attempted: new Set([50]),
  references: new Set(),
  from: 1_000,
  to: 2_000,
};

const kept = (promised: Promised[], receipts: { deliveryId: number; arrivedAt: number }[] = []) =>
  withoutLoss({ promised, receipts } as unknown as Evidence, LOSS);

describe('withoutLoss, after an old backup was restored', () => {
  it.each<Promised>([
    { kind: 'created', paymentId: 7, reference: 'a', status: 'completed' },
    { kind: 'cancelled', paymentId: 7 },
    { kind: 'refunded', paymentId: 5 },
    { kind: 'notified', paymentId: 5, notificationId: 'note-5' },
  ])('removes a promise about lost data: $kind', (promise) => {
    expect(kept([promise]).promised).toEqual([]);
  });

  it.each<Promised>([
    { kind: 'created', paymentId: 5, reference: 'a', status: 'completed' },
    { kind: 'cancelled', paymentId: 5 },
    { kind: 'notified', paymentId: 5, notificationId: 'note-6' },
  ])('keeps a promise about data in the backup: $kind', (promise) => {
    expect(kept([promise]).promised).toEqual([promise]);
  });

  it('removes the request of a lost delivery, but no forged one', () => {
    const [lost, forged] = [-123, -124].map((deliveryId) => ({ deliveryId, arrivedAt: 500 }));
    expect(kept([], [lost!, forged!]).receipts).toEqual([forged]);
  });

  it('removes a request whose attempt is lost, but none before or after', () => {
    const receipts = [900, 1_500, 2_500].map((arrivedAt) => ({ deliveryId: 50, arrivedAt }));
    expect(kept([], receipts).receipts.map(({ arrivedAt }) => arrivedAt)).toEqual([900, 2_500]);
  });

  it('keeps a request of a delivery whose attempts are recorded', () => {
    const receipt = { deliveryId: 51, arrivedAt: 1_500 };
    expect(kept([], [receipt]).receipts).toEqual([receipt]);
  });
});
