import { describe, expect, it } from '@jest/globals';
import type { Promised } from '../../../bench/chaos/load.js';
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

const left = (promised: Promised[], receipts: { deliveryId: number; arrivedAt: number }[] = []) =>
  withoutLoss({ promised, receipts } as unknown as Evidence, LOSS);

describe('the oracle after the restore of an old backup', () => {
  it.each<Promised>([
    { kind: 'created', paymentId: 7, reference: 'a', status: 'completed' },
    { kind: 'cancelled', paymentId: 7 },
    { kind: 'refunded', paymentId: 5 },
    { kind: 'notified', paymentId: 5, notificationId: 'note-5' },
  ])('excuses a promise about lost rows: $kind', (promise) => {
    expect(left([promise]).promised).toEqual([]);
  });

  it.each<Promised>([
    { kind: 'created', paymentId: 5, reference: 'a', status: 'completed' },
    { kind: 'cancelled', paymentId: 5 },
    { kind: 'notified', paymentId: 5, notificationId: 'note-6' },
  ])('excuses no promise about rows of the backup: $kind', (promise) => {
    expect(left([promise]).promised).toEqual([promise]);
  });

  it('excuses the webhook of a lost delivery, and no other without a row', () => {
    const [lost, forged] = [-123, -124].map((deliveryId) => ({ deliveryId, arrivedAt: 500 }));
    expect(left([], [lost!, forged!]).receipts).toEqual([forged]);
  });

  it('excuses a request whose attempt is lost, and none before or after', () => {
    const receipts = [900, 1_500, 2_500].map((arrivedAt) => ({ deliveryId: 50, arrivedAt }));
    expect(left([], receipts).receipts.map(({ arrivedAt }) => arrivedAt)).toEqual([900, 2_500]);
  });

  it('excuses no request of a delivery with recorded attempts', () => {
    const receipt = { deliveryId: 51, arrivedAt: 1_500 };
    expect(left([], [receipt]).receipts).toEqual([receipt]);
  });
});
