/** A scan of due rows. */
export interface Scan {
  startedAt: number;
  isSweep: boolean;
  /** Rows that were due before this time have been handled. */
  since: Date;
}

/**
 * From when on the scans of a worker read due rows, so that one that finds nothing costs the same for any number of handled rows:
 * their index entries remain while an old snapshot is open. A row may be committed or unlocked up to `lookbackMs` after its
 * time. A sweep over all rows, every `sweepEveryMs`, finds any that were missed; so does one after the clock was set back.
 */
export class ScanWindow {
  private since = new Date(0);
  private sweepAt = 0;
  private lastScanAt = 0;

  constructor(
    private readonly lookbackMs: number,
    private readonly sweepEveryMs: number,
  ) {}

  begin(now: Date): Scan {
    const startedAt = now.getTime();
    const isSweep = startedAt >= this.sweepAt || startedAt < this.lastScanAt;
    this.lastScanAt = startedAt;
    return { startedAt, isSweep, since: isSweep ? new Date(0) : this.since };
  }

  /** The scan has handled all rows that were due when it started. */
  end({ startedAt, isSweep }: Scan): void {
    this.since = new Date(startedAt - this.lookbackMs);
    if (isSweep) this.sweepAt = startedAt + this.sweepEveryMs;
  }
}
