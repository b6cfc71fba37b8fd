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
} from '../../src/webhooks/delivery/delivery-store.js';
import type { Incarnation } from './incarnation.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { StoreWeather } from './store-weather.js';
import type { VirtualClock } from './virtual-clock.js';

const MAX_LATENCY_MS = 3;

/**
 * The store as one worker sees it, over a network: calls take their time, do their work whether or not the caller lives to
 * see it, and while the store is away they fail, some of them after the work was done.
 */
export class StoreLink extends DeliveryStore {
  constructor(
    private readonly store: MemoryDeliveryStore,
    private readonly incarnation: Incarnation,
    private readonly weather: StoreWeather,
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

  /** `work` in the store, with the way there and back. */
  call<T>(work: () => Promise<T>): Promise<T> {
    const { incarnation, clock, weather } = this;
    if (!incarnation.reach()) return new Promise(() => undefined);
    const random = new SeededRandom(this.seed, 'store', incarnation.workerIndex, incarnation.call);
    const isSlowBefore = random.chance(0.5);
    const slowByMs = weather.slowByMs * random.between(0.5, 1);
    const thereMs = random.between(0.1, MAX_LATENCY_MS) + (isSlowBefore ? slowByMs : 0);
    const backMs = random.between(0.1, MAX_LATENCY_MS) + (isSlowBefore ? 0 : slowByMs);
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error('the store is away'));
      clock.after(thereMs, undefined, () => {
        if (weather.isAway) return clock.after(backMs, incarnation, fail);
        const done = work();
        return clock.after(backMs, incarnation, () => (weather.isAway ? fail() : resolve(done)));
      });
    });
  }

  private attemptsOf(id: number): number {
    return this.store.deliveries.get(id)?.attempts ?? 0;
  }
}
