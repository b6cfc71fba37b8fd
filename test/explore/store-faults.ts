import type { VirtualClock } from './virtual-clock.js';
import type { Disturbance } from './scenario-plan.js';

type StoreFault = Extract<Disturbance, { kind: 'outage' | 'slow-store' }>;

/** Injects the store's faults: when it is down or slow. */
export class StoreFaults {
  private readonly faults: StoreFault[];

  constructor(
    disturbances: Disturbance[],
    private readonly clock: VirtualClock,
  ) {
    this.faults = disturbances.filter((one): one is StoreFault => one.kind === 'outage' || one.kind === 'slow-store');
  }

  get isDown(): boolean {
    return this.faults.some((fault) => fault.kind === 'outage' && this.isNow(fault));
  }

  get slowByMs(): number {
    const slow = this.faults.flatMap((fault) => (fault.kind === 'slow-store' && this.isNow(fault) ? [fault.byMs] : []));
    return Math.max(0, ...slow);
  }

  /** Whether the store was down or slow at any time since then, or an answer of such a time was still on its way. */
  wasDegradedSince(sinceMs: number): boolean {
    return this.faults.some((fault) => {
      const endMs = fault.at.ms + fault.forMs + (fault.kind === 'slow-store' ? fault.byMs : 0);
      return fault.at.ms <= this.clock.nowMs && endMs >= sinceMs;
    });
  }

  private isNow({ at, forMs }: StoreFault): boolean {
    return at.ms <= this.clock.nowMs && this.clock.nowMs < at.ms + forMs;
  }
}
