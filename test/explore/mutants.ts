import type {
  AttemptRecord,
  ClaimedRow,
  DueLane,
  LaneClaim,
  Recorded,
} from '../../src/webhooks/engine/delivery-store.js';
import { type MemoryDelivery, MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import type { Invariant } from './oracle.js';
import { RecoveringStore } from './recovering-store.js';

type StoreClass = new (now: () => number) => MemoryDeliveryStore;

/** Stores that break their contract, and the invariant that the oracle must report for each. */
export const MUTANTS: readonly { does: string; finds: Invariant; Store: StoreClass }[] = [
  {
    does: 'returns retries too early',
    finds: 'early',
    Store: class extends MemoryDeliveryStore {
      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        return super.record(attempts.map((attempt) => ({ ...attempt, waitMs: attempt.waitMs * 0.9 })));
      }
    },
  },
  {
    does: 'returns the changes of a payment out of order',
    finds: 'order',
    Store: class extends MemoryDeliveryStore {
      private isClaiming = false;

      override claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
        this.isClaiming = true;
        const claimed = super.claim(claims, leaseMs);
        this.isClaiming = false;
        return claimed;
      }

      override isUnblocked(...of: Parameters<MemoryDeliveryStore['isUnblocked']>): boolean {
        return this.isClaiming || super.isUnblocked(...of);
      }
    },
  },
  {
    does: 'loses a recorded result',
    finds: 'unexplained duplicate',
    Store: class extends MemoryDeliveryStore {
      private records = 0;

      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        if (++this.records !== 3) return super.record(attempts);
        return Promise.resolve(attempts.map(({ id }) => ({ id, hasSuccessor: false })));
      }
    },
  },
  {
    does: 'fails a delivery after the second attempt',
    finds: 'failed too early',
    Store: class extends MemoryDeliveryStore {
      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        const isLast = ({ attempts: before, status }: AttemptRecord): boolean => before === 1 && status === 'pending';
        return super.record(attempts.map((one) => (isLast(one) ? { ...one, status: 'failed' } : one)));
      }
    },
  },
  {
    does: 'never returns due lanes',
    finds: 'lost',
    Store: class extends MemoryDeliveryStore {
      override dueLanes(): Promise<DueLane[]> {
        return Promise.resolve([]);
      }
    },
  },
  {
    does: 'counts attempts twice',
    finds: 'attempt without request',
    Store: class extends MemoryDeliveryStore {
      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        const recorded = super.record(attempts);
        for (const { id } of attempts) {
          const delivery = this.deliveries.get(id)!;
          if (delivery.status === 'pending') delivery.attempts += 1;
        }
        return recorded;
      }
    },
  },
];

/** Loses one delivery of a recovery. */
export class DroppingStore extends RecoveringStore {
  private redelivered = 0;

  override redeliver(delivery: MemoryDelivery): void {
    if (++this.redelivered !== 100) super.redeliver(delivery);
  }
}
