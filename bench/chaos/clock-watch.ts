/** A step of the machine's wall clock: `at` in ms since 1970, `byMs` forwards or, if negative, backwards. */
export interface ClockStep {
  at: number;
  byMs: number;
}

const EVERY_MS = 20;
const NOTICEABLE_MS = 3;
/** A reading that took longer was interrupted between its two clocks. */
const PROMPT_MS = 0.5;

/** Records steps of the wall clock relative to the monotonic one. A drift counts as steps of `NOTICEABLE_MS`. */
export class ClockWatch {
  readonly steps: ClockStep[] = [];
  private offset: number | undefined;
  private readonly timer = setInterval(() => this.read(), EVERY_MS);

  stop(): void {
    clearInterval(this.timer);
  }

  private read(): void {
    const before = performance.now();
    const at = Date.now();
    const after = performance.now();
    if (after - before > PROMPT_MS) return;
    const offset = at - after;
    const byMs = offset - (this.offset ?? offset);
    if (this.offset !== undefined && Math.abs(byMs) < NOTICEABLE_MS) return;
    if (this.offset !== undefined) this.steps.push({ at, byMs });
    this.offset = offset;
  }
}
