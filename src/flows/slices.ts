import { setImmediate } from 'node:timers/promises';

/** How long other requests wait at most while a long calculation is under way. */
const SLICE_MS = 2;

/** Cuts a long calculation into slices, between which other requests get their turn. */
export class Slices {
  private end = performance.now() + SLICE_MS;

  /** Whether it is time for `next`. */
  isOver(): boolean {
    return performance.now() >= this.end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.end = performance.now() + SLICE_MS;
  }
}
