import type {
  AttemptRecord,
  ClaimedRow,
  DueLane,
  LaneClaim,
  Recorded,
} from '../../src/webhooks/delivery/delivery-store.js';
import { MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import type { Invariant } from './oracle.js';

type StoreClass = new (now: () => number) => MemoryDeliveryStore;

/** Stores that break their contract, and what the oracle must say of it. */
export const SABOTAGES: readonly { does: string; finds: Invariant; Store: StoreClass }[] = [
  {
    does: 'gives retries before their time',
    finds: 'early',
    Store: class extends MemoryDeliveryStore {
      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        return super.record(attempts.map((attempt) => ({ ...attempt, waitMs: attempt.waitMs * 0.9 })));
      }
    },
  },
  {
    does: 'gives changes out of their turn',
    finds: 'order',
    Store: class extends MemoryDeliveryStore {
      private isClaiming = false;

      override claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
        this.isClaiming = true;
        const claimed = super.claim(claims, leaseMs);
        this.isClaiming = false;
        return claimed;
      }

      override isInTurn(...of: Parameters<MemoryDeliveryStore['isInTurn']>): boolean {
        return this.isClaiming || super.isInTurn(...of);
      }
    },
  },
  {
    does: 'loses what it is told to record',
    finds: 'unexplained duplicate',
    Store: class extends MemoryDeliveryStore {
      private told = 0;

      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        if (++this.told !== 3) return super.record(attempts);
        return Promise.resolve(attempts.map(({ id }) => ({ id, hasSuccessor: false })));
      }
    },
  },
  {
    does: 'gives up after the second attempt',
    finds: 'failed untried',
    Store: class extends MemoryDeliveryStore {
      override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
        const givesUp = ({ attempts: before, status }: AttemptRecord): boolean => before === 1 && status === 'pending';
        return super.record(attempts.map((one) => (givesUp(one) ? { ...one, status: 'failed' } : one)));
      }
    },
  },
  {
    does: 'never says what is due',
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
