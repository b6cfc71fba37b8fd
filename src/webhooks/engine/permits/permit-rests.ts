/** How long a permit rests at most, in ms. */
const LONGEST_MS = 1_500;
/** So many of a moment do not rest: what begins together again is too little to keep anybody waiting. */
const AT_ONCE = 16;
const MOMENT_MS = 1_000;
/** Multiples of it, taken modulo 1, fill the range evenly, however many there are: no two rests that follow are alike. */
const GOLDEN_RATIO = 0.618_034;

/**
 * Permits of attempts that nobody answered rest before they are dealt out again, each for a time of its own. Attempts that
 * begin together time out together, by hundreds; with their permits the next ones would begin together, too, and keep this
 * process and the database from all others for a quarter of a second every three seconds.
 */
export class PermitRests {
  private readonly resting = new Map<() => void, NodeJS.Timeout>();
  private place = 0;
  private momentAt = -Infinity;
  private ofMoment = 0;

  add(giveBack: () => void): void {
    const now = performance.now();
    if (now - this.momentAt > MOMENT_MS) [this.momentAt, this.ofMoment] = [now, 0];
    if (++this.ofMoment <= AT_ONCE) return giveBack();
    this.place = (this.place + GOLDEN_RATIO) % 1;
    const timer = setTimeout(() => {
      this.resting.delete(giveBack);
      giveBack();
    }, this.place * LONGEST_MS);
    this.resting.set(giveBack, timer);
  }

  /** All at once: this process is stopping. */
  end(): void {
    const resting = [...this.resting];
    this.resting.clear();
    for (const [giveBack, timer] of resting) {
      clearTimeout(timer);
      giveBack();
    }
  }
}
