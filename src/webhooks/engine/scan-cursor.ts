import { MAX_REMEMBERED } from './delivery-store.js';
import { boundedCache } from '../../shared/bounded-cache.js';

/** Longer than most transactions take to commit: a new delivery is due from the start of its transaction. */
const MARGIN_S = 1;
const SWEEP_INTERVAL_MS = 1_000;
/** Pause after a sweep, as a multiple of its duration. So sweeps take at most a twentieth of the time. */
const PAUSE_PER_SWEEP = 20;

interface Cursor {
  /** Seconds since 1970, by the clock of the database. */
  at: number;
  /** The lowest value from `lower` since the last claim began. That claim may have read too early to find the delivery. */
  lowered: number;
  /** Time of the last sweep, by `now`. */
  sweptAt: number;
}

/**
 * Scan cursors: the due time at which a claim of a lane starts to read, because older rows are gone. PostgreSQL keeps
 * dead tuples as long as an old snapshot may need them. Without a cursor every claim would read them again (0.7 ms
 * became 247 ms). A cursor is only a hint in this process. Deliveries may become claimable below it: after an expired
 * lease, a release, the first attempt of a predecessor, or a late commit. `lower` reports them, or a sweep finds them:
 * about once a second a claim reads from the start.
 */
export class ScanCursors {
  private readonly cursors = boundedCache<number, Cursor>(MAX_REMEMBERED);
  private sweepIntervalMs = SWEEP_INTERVAL_MS;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Returns where a claim that begins now starts to read: seconds since 1970, or `-Infinity` for a sweep. */
  begin(laneId: number): number {
    const cursor = this.cursors.get(laneId);
    if (cursor === undefined) return -Infinity;
    cursor.lowered = Infinity;
    return this.now() - cursor.sweptAt >= this.sweepIntervalMs ? -Infinity : cursor.at;
  }

  /** Records that a claim from `from` found nothing claimable older than `reached`, in seconds since 1970. */
  advance(laneId: number, from: number, reached: number): void {
    const { lowered, sweptAt } = this.cursors.get(laneId) ?? { lowered: Infinity, sweptAt: -Infinity };
    this.cursors.set(laneId, {
      at: Math.min(reached - MARGIN_S, lowered),
      lowered,
      sweptAt: from === -Infinity ? this.now() : sweptAt,
    });
  }

  /** Records the duration of a statement that included sweeps. */
  sweptIn(tookMs: number): void {
    this.sweepIntervalMs = Math.max(SWEEP_INTERVAL_MS, tookMs * PAUSE_PER_SWEEP);
  }

  /** Lowers the cursor: a delivery that became due at `dueAt` is claimable again. */
  lower(laneId: number, dueAt: number): void {
    const cursor = this.cursors.peek(laneId);
    if (!cursor) return;
    cursor.at = Math.min(cursor.at, dueAt - MARGIN_S);
    cursor.lowered = Math.min(cursor.lowered, dueAt - MARGIN_S);
  }
}
