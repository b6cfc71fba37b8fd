/** What was measured of the primary: all that was committed before `atMs` lies below `position` in its log. */
interface Mark {
  atMs: number;
  position: number;
}

/**
 * Why not `pg_last_xact_replay_timestamp`: it grows while an idle primary writes nothing. Why not a heartbeat row: it needs a
 * writer, and without one no replica would be used.
 *
 * How far a replica is behind, in time, of positions in the log of its primary. No clock but ours is asked, and none of it
 * depends on writes: a replica that has all is not behind however long ago that was, and one that hears of nothing any more is.
 */
export class ReplicaLag {
  /** Oldest first: the newest that the replica has reached, and all that it has not. */
  private marks: Mark[] = [];

  /** Of the primary. `atMs`: when it was asked. */
  mark(atMs: number, position: number): void {
    const last = this.marks.at(-1);
    // another server took its place, and had not got so far
    if (last && position < last.position) this.marks = [];
    this.marks.push({ atMs, position });
  }

  /** ms at most that what the replica lacks is old, when it has replayed up to `position`; `undefined`: not known. */
  behindMs(nowMs: number, position: number): number | undefined {
    const reached = this.marks.findLastIndex((mark) => mark.position <= position);
    if (reached > 0) this.marks = this.marks.slice(reached);
    if (reached === -1) return undefined;
    return this.marks.length === 1 ? 0 : nowMs - this.marks[0]!.atMs;
  }
}
