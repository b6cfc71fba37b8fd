/** Attempts at lanes not known to answer: so many may begin at once, */
const BURST = 32;
/** and so many more each second. Over 3 s they are more than may be in flight. */
const PER_SECOND = 250;

/**
 * The pace at which attempts begin at lanes that are not known to answer. What begins together times out together, and a wave
 * of hundreds keeps the process from others for a tenth of a second, every three seconds. What answers gives back what it
 * took, so that lanes which are only new hardly wait.
 */
export class StartPace {
  private left = BURST;
  private countedAt = performance.now();

  /** Whether another may begin now. */
  get isOpen(): boolean {
    const now = performance.now();
    this.giveBack(((now - this.countedAt) * PER_SECOND) / 1_000);
    this.countedAt = now;
    return this.left >= 1;
  }

  take(): void {
    this.left -= 1;
  }

  giveBack(count: number): void {
    this.left = Math.min(BURST, this.left + count);
  }
}
