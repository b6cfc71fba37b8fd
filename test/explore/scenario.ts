import { MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import { Oracle } from './oracle.js';
import { Receiver } from './receivers.js';
import { RecoveringStore } from './recovering-store.js';
import { Redeliveries } from './redeliveries.js';
import { StoreFaults } from './store-faults.js';
import { VirtualClock } from './virtual-clock.js';
import type { LanePlan, ScenarioPlan } from './scenario-plan.js';

export interface ScenarioOptions {
  /** `old`: claims and posts as the engine of commit 12e2b7b. */
  engine?: 'present' | 'old';
  /** Whether a trace of events is wanted. */
  isTraced?: boolean;
  /** Replaces `MemoryDeliveryStore`: to redeliver on recovery (`RecoveringStore`), or to test the oracle. */
  Store?: new (now: () => number) => MemoryDeliveryStore;
}

/** The state that all workers of a scenario share. */
export class Scenario {
  readonly clock = new VirtualClock();
  readonly store: MemoryDeliveryStore;
  readonly storeFaults: StoreFaults;
  readonly oracle: Oracle;
  readonly lanes: ReadonlyMap<number, LanePlan>;
  readonly receivers: ReadonlyMap<number, Receiver>;
  readonly redeliveries: Redeliveries | undefined;
  /** The events, one per line. */
  readonly trace: string[] = [];
  /** When a request last began or a result was last recorded. */
  progressMs = 0;
  private nextScanAtMs = 0;

  constructor(
    readonly plan: ScenarioPlan,
    private readonly options: ScenarioOptions,
  ) {
    const { Store = MemoryDeliveryStore } = options;
    this.store = new Store(() => this.clock.nowMs);
    this.lanes = new Map(plan.lanes.map((lane) => [lane.id, lane]));
    this.receivers = new Map(plan.lanes.map(({ id, receiver }) => [id, new Receiver(receiver, plan.seed, id)]));
    this.storeFaults = new StoreFaults(plan.disturbances, this.clock);
    this.oracle = new Oracle(plan, this.store, this.storeFaults, this.clock);
    if (this.store instanceof RecoveringStore) {
      const merchantOf = (endpointId: number): number => this.lanes.get(endpointId)!.merchantId;
      this.redeliveries = new Redeliveries(this.store, this.clock, merchantOf, plan.seed);
    }
    for (const { id, shopId, merchantId, origin } of plan.lanes)
      this.store.addLane({ id, shop_id: shopId, merchant_id: merchantId, origin });
  }

  get isOld(): boolean {
    return this.options.engine === 'old';
  }

  /** Whether the scan is due; only one worker gets it. */
  claimScan(forMs: number): boolean {
    if (this.clock.nowMs < this.nextScanAtMs) return false;
    this.nextScanAtMs = this.clock.nowMs + forMs;
    return true;
  }

  note(text: () => string): void {
    if (this.options.isTraced) this.trace.push(`${this.clock.nowMs.toFixed(1).padStart(9)}  ${text()}`);
  }
}
