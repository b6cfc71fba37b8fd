/** A measurement of the primary: everything committed before `atMs` is below `position` in its log. */
interface Mark {
  atMs: number;
  position: number;
}

/**
 * How far a replica is behind in time, computed from positions in the log of its primary. It uses only the clock of
 * this process and does not depend on writes: a replica that has replayed everything is not behind, however old that
 * is, and a replica that has lost its primary is.
 *
 * Why not `pg_last_xact_replay_timestamp`: it grows while an idle primary writes nothing. Why not a heartbeat row: it
 * needs a process that writes it, and without one no replica would be used.
 */
export class ReplicaLag {
  /** Oldest first: the newest mark that the replica has reached, and all later ones. */
  private marks: Mark[] = [];

  /** Records a position of the primary. `atMs`: when it was requested. */
  mark(atMs: number, position: number): void {
    const last = this.marks.at(-1);
    // a new primary that had not replayed as much
    if (last && position < last.position) this.marks = [];
    this.marks.push({ atMs, position });
  }

  /**
   * Upper bound, in ms, for the age of what the replica has not replayed, when it has replayed up to `position`;
   * `undefined`: not known.
   */
  behindMs(nowMs: number, position: number): number | undefined {
    const reached = this.marks.findLastIndex((mark) => mark.position <= position);
    if (reached > 0) this.marks = this.marks.slice(reached);
    if (reached === -1) return undefined;
    return this.marks.length === 1 ? 0 : nowMs - this.marks[0]!.atMs;
  }
}
