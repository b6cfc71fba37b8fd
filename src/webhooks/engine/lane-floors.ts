import { growingCache } from '../../shared/growing-cache.js';

const LANES = 100_000;
/** Longer than what lies between the due time of a new delivery and its commit, but for the slowest. */
const MARGIN_S = 1;
const SWEEP_EVERY_MS = 1_000;
/** A sweep that takes long is repeated seldom: it costs at most a twentieth of the time. */
const PAUSE_PER_WORK = 20;
const LONGEST_PAUSE_MS = 60_000;

interface Floor {
  /** Seconds since 1970, by the clock of the database. */
  at: number;
  /** What `lower` said since the last claim began: that claim may have looked too early to find it. */
  lowered: number;
  /** When the lane was last claimed from its beginning, by `now`. */
  sweptAt: number;
}

/**
 * From where on a lane is worth looking at: what was due before is gone, and its remains, which PostgreSQL keeps for as
 * long as an old snapshot may want them, would be read again by every claim.
 * - Only a hint of this process. What comes to be claimable below it (an expired lease, what was handed back, a change whose
 *   turn has come, a late commit) is told by `lower`, or found by a sweep: about once a second a claim has no floor.
 */
export class LaneFloors {
  private readonly floors = growingCache<number, Floor>(LANES);
  private pauseMs = SWEEP_EVERY_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Where the claim that begins now begins to look: seconds since 1970, `-Infinity` for a sweep. */
  of(laneId: number): number {
    const floor = this.floors.get(laneId);
    if (floor === undefined) return -Infinity;
    floor.lowered = Infinity;
    return this.now() - floor.sweptAt >= this.pauseMs ? -Infinity : floor.at;
  }

  /**
   * A claim that began at `from` came back: nothing older than `reached` was claimable, in seconds since 1970 by the clock
   * of the database.
   */
  found(laneId: number, from: number, reached: number): void {
    const { lowered, sweptAt } = this.floors.get(laneId) ?? { lowered: Infinity, sweptAt: -Infinity };
    this.floors.set(laneId, {
      at: Math.min(reached - MARGIN_S, lowered),
      lowered,
      sweptAt: from === -Infinity ? this.now() : sweptAt,
    });
  }

  /** Sweeps were part of a statement that took so long. */
  sweptIn(tookMs: number): void {
    this.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SWEEP_EVERY_MS, tookMs * PAUSE_PER_WORK));
  }

  /** Something that became due at `dueAt` is claimable again. */
  lower(laneId: number, dueAt: number): void {
    const floor = this.floors.peek(laneId);
    if (!floor) return;
    floor.at = Math.min(floor.at, dueAt - MARGIN_S);
    floor.lowered = Math.min(floor.lowered, dueAt - MARGIN_S);
  }
}
