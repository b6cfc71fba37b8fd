import { MemoryDeliveryStore } from '../support/memory-delivery-store.js';
import { Oracle } from './oracle.js';
import { Receiver } from './receivers.js';
import { StoreWeather } from './store-weather.js';
import { VirtualClock } from './virtual-clock.js';
import type { LanePlan, WorldPlan } from './world-plan.js';

/** `queueing`: how posts were made up to commit 12e2b7b. */
export type TransportKind = 'direct' | 'queueing';

/** What all workers of a world share. */
export class World {
  readonly clock = new VirtualClock();
  readonly store = new MemoryDeliveryStore(() => this.clock.nowMs);
  readonly weather: StoreWeather;
  readonly oracle: Oracle;
  readonly lanes: ReadonlyMap<number, LanePlan>;
  readonly receivers: ReadonlyMap<number, Receiver>;
  /** What happened, line by line; only where somebody wants to read it. */
  readonly trace: string[] = [];
  /** When a request last began or a result was last recorded. */
  progressMs = 0;

  constructor(
    readonly plan: WorldPlan,
    readonly transport: TransportKind,
    private readonly isTraced: boolean,
  ) {
    this.lanes = new Map(plan.lanes.map((lane) => [lane.id, lane]));
    this.receivers = new Map(plan.lanes.map(({ id, receiver }) => [id, new Receiver(receiver, plan.seed, id)]));
    this.weather = new StoreWeather(plan.disturbances, this.clock);
    this.oracle = new Oracle(plan, this.store, this.weather, this.clock);
    for (const { id, shopId, merchantId, origin } of plan.lanes)
      this.store.addLane({ id, shop_id: shopId, merchant_id: merchantId, origin });
  }

  note(text: () => string): void {
    if (this.isTraced) this.trace.push(`${this.clock.nowMs.toFixed(1).padStart(9)}  ${text()}`);
  }
}
