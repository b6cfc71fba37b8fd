import type { MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  type DueLane,
  type LaneClaim,
  type LaneInfo,
  type Lease,
  type Recorded,
} from '../../src/webhooks/engine/delivery-store.js';
import type { ProcessInstance } from './process-instance.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import type { StoreFaults } from './store-faults.js';
import type { VirtualClock } from './virtual-clock.js';

const MAX_LATENCY_MS = 3;

/**
 * The store as one worker sees it over a network. A call takes time, and takes effect even if its caller crashes
 * meanwhile. While the store is down calls fail, some of them after they took effect.
 */
export class StoreLink extends DeliveryStore {
  constructor(
    private readonly store: MemoryDeliveryStore,
    private readonly instance: ProcessInstance,
    private readonly storeFaults: StoreFaults,
    private readonly clock: VirtualClock,
    private readonly seed: number,
    private readonly onRecorded: (attempt: AttemptRecord) => void,
  ) {
    super();
  }

  override claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    return this.call(() => this.store.claim(claims, leaseMs));
  }

  override release(leases: Lease[]): Promise<void> {
    return this.call(() => this.store.release(leases));
  }

  override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    return this.call(() => {
      const before = attempts.map(({ id }) => this.attemptsOf(id));
      const recorded = this.store.record(attempts);
      attempts.forEach((attempt, index) => {
        if (this.attemptsOf(attempt.id) > before[index]!) this.onRecorded(attempt);
      });
      return recorded;
    });
  }

  override dueLanes(): Promise<DueLane[]> {
    return this.call(() => this.store.dueLanes());
  }

  override lanes(laneIds: number[]): Promise<LaneInfo[]> {
    return this.call(() => this.store.lanes(laneIds));
  }

  /** Runs `work` in the store, with the latency of the network before and after. */
  call<T>(work: () => Promise<T>): Promise<T> {
    const { instance, clock, storeFaults } = this;
    if (!instance.reach()) return new Promise(() => undefined);
    const random = new SeededRandom(this.seed, 'store', instance.workerIndex, instance.call);
    const isSlowBefore = random.chance(0.5);
    const slowByMs = storeFaults.slowByMs * random.between(0.5, 1);
    const requestDelayMs = random.between(0.1, MAX_LATENCY_MS) + (isSlowBefore ? slowByMs : 0);
    const answerDelayMs = random.between(0.1, MAX_LATENCY_MS) + (isSlowBefore ? 0 : slowByMs);
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error('the store is down'));
      clock.after(requestDelayMs, undefined, () => {
        if (storeFaults.isDown) return clock.after(answerDelayMs, instance, fail);
        const done = work();
        return clock.after(answerDelayMs, instance, () => (storeFaults.isDown ? fail() : resolve(done)));
      });
    });
  }

  private attemptsOf(id: number): number {
    return this.store.deliveries.get(id)?.attempts ?? 0;
  }
}
