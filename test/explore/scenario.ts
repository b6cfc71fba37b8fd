import { MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';
import { Oracle } from './oracle.js';
import { Receiver } from './receivers.js';
import { StoreWeather } from './store-weather.js';
import { VirtualClock } from './virtual-clock.js';
import type { LanePlan, ScenarioPlan } from './scenario-plan.js';

export interface ScenarioOptions {
  /** `old`: as deliveries were claimed and posted up to commit 12e2b7b. */
  engine?: 'present' | 'old';
  /** Whether somebody wants to read what happened. */
  isTraced?: boolean;
  /** Another store than `MemoryDeliveryStore`, to see what the oracle says of it. */
  Store?: new (now: () => number) => MemoryDeliveryStore;
}

/** What all workers of a scenario share. */
export class Scenario {
  readonly clock = new VirtualClock();
  readonly store: MemoryDeliveryStore;
  readonly weather: StoreWeather;
  readonly oracle: Oracle;
  readonly lanes: ReadonlyMap<number, LanePlan>;
  readonly receivers: ReadonlyMap<number, Receiver>;
  /** What happened, line by line. */
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
    this.weather = new StoreWeather(plan.disturbances, this.clock);
    this.oracle = new Oracle(plan, this.store, this.weather, this.clock);
    for (const { id, shopId, merchantId, origin } of plan.lanes)
      this.store.addLane({ id, shop_id: shopId, merchant_id: merchantId, origin });
  }

  get isOld(): boolean {
    return this.options.engine === 'old';
  }

  /** Whether the scan was due: one worker of all gets it. */
  claimScan(forMs: number): boolean {
    if (this.clock.nowMs < this.nextScanAtMs) return false;
    this.nextScanAtMs = this.clock.nowMs + forMs;
    return true;
  }

  note(text: () => string): void {
    if (this.options.isTraced) this.trace.push(`${this.clock.nowMs.toFixed(1).padStart(9)}  ${text()}`);
  }
}
