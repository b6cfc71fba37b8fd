import type { VirtualClock } from './virtual-clock.js';
import type { Disturbance } from './scenario-plan.js';

type StoreTrouble = Extract<Disturbance, { kind: 'outage' | 'slow-store' }>;

/** When the store is away or slow. */
export class StoreWeather {
  private readonly troubles: StoreTrouble[];

  constructor(
    disturbances: Disturbance[],
    private readonly clock: VirtualClock,
  ) {
    this.troubles = disturbances.filter(
      (one): one is StoreTrouble => one.kind === 'outage' || one.kind === 'slow-store',
    );
  }

  get isAway(): boolean {
    return this.troubles.some((trouble) => trouble.kind === 'outage' && this.isNow(trouble));
  }

  get slowByMs(): number {
    const slow = this.troubles.flatMap((trouble) =>
      trouble.kind === 'slow-store' && this.isNow(trouble) ? [trouble.byMs] : [],
    );
    return Math.max(0, ...slow);
  }

  /** Whether it was away or slow at any time since then, or answers from such a time were still on their way. */
  wasBadSince(sinceMs: number): boolean {
    return this.troubles.some((trouble) => {
      const endMs = trouble.at.ms + trouble.forMs + (trouble.kind === 'slow-store' ? trouble.byMs : 0);
      return trouble.at.ms <= this.clock.nowMs && endMs >= sinceMs;
    });
  }

  private isNow({ at, forMs }: StoreTrouble): boolean {
    return at.ms <= this.clock.nowMs && this.clock.nowMs < at.ms + forMs;
  }
}
