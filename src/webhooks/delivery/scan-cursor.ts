import { LRUCache } from 'lru-cache';
import { MAX_REMEMBERED } from './delivery-store.js';

/** A new delivery is due when its transaction began: this is longer than most transactions take to commit. */
const MARGIN_S = 1;
const SWEEP_INTERVAL_MS = 1_000;
/** A sweep that takes long is repeated seldom: it costs at most a twentieth of the time. */
const PAUSE_PER_SWEEP = 20;

interface Cursor {
  /** Seconds since 1970, by the clock of the database. */
  at: number;
  /** What `lower` said since the last claim began: that claim may have read too early to find it. */
  lowered: number;
  /** When the lane was last claimed from its beginning, by `now`. */
  sweptAt: number;
}

/**
 * Where in a lane a claim begins to read: everything older is gone. PostgreSQL keeps dead rows for as long as an old
 * snapshot may want them, and without a cursor every claim would read them again (0.7 ms became 247 ms).
 * A cursor is only a hint of this process. What becomes claimable below it (an expired lease, a release, a change whose
 * turn has come, a late commit) comes with `lower`, or is found by a sweep: about once a second a claim begins at the start.
 */
export class ScanCursors {
  private readonly cursors = new LRUCache<number, Cursor>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  private sweepIntervalMs = SWEEP_INTERVAL_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Where the claim that begins now reads from: seconds since 1970, `-Infinity` for a sweep. */
  begin(laneId: number): number {
    const cursor = this.cursors.get(laneId);
    if (cursor === undefined) return -Infinity;
    cursor.lowered = Infinity;
    return this.now() - cursor.sweptAt >= this.sweepIntervalMs ? -Infinity : cursor.at;
  }

  /** A claim that began at `from` found nothing claimable that is older than `reached`, in seconds since 1970. */
  advance(laneId: number, from: number, reached: number): void {
    const { lowered, sweptAt } = this.cursors.get(laneId) ?? { lowered: Infinity, sweptAt: -Infinity };
    this.cursors.set(laneId, {
      at: Math.min(reached - MARGIN_S, lowered),
      lowered,
      sweptAt: from === -Infinity ? this.now() : sweptAt,
    });
  }

  /** Sweeps were part of a statement that took so long. */
  sweptIn(tookMs: number): void {
    this.sweepIntervalMs = Math.max(SWEEP_INTERVAL_MS, tookMs * PAUSE_PER_SWEEP);
  }

  /** Something that became due at `dueAt` is claimable again. */
  lower(laneId: number, dueAt: number): void {
    const cursor = this.cursors.peek(laneId);
    if (!cursor) return;
    cursor.at = Math.min(cursor.at, dueAt - MARGIN_S);
    cursor.lowered = Math.min(cursor.lowered, dueAt - MARGIN_S);
  }
}
