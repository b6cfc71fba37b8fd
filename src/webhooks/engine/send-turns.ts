import { Turns } from '../../shared/turns.js';

/** What is begun between two looks at the event loop: signing and writing so many requests takes a millisecond or two. */
export const SENDS_PER_TURN = 16;

/**
 * Deals out the beginning of requests, which occupies this process: a large claim is not sent in one go, while answers,
 * and the few deliveries of others, wait. Of what waits merchants take turns, then shops, then lanes.
 */
export class SendTurns {
  private readonly line = new Turns<() => void>();
  private left = SENDS_PER_TURN;
  private isResting = false;
  private lastId = 0;

  /** `path`: merchant, shop, lane. Without a promise when it may be sent at once. */
  take(path: readonly number[]): Promise<void> | undefined {
    this.rest();
    if (this.left > 0) {
      this.left -= 1;
      return undefined;
    }
    return new Promise((resolve) => this.line.add([...path, ++this.lastId], resolve));
  }

  /** The next turn comes when the event loop has seen to everything else. */
  private rest(): void {
    if (this.isResting) return;
    this.isResting = true;
    setImmediate(() => {
      this.isResting = false;
      this.left = SENDS_PER_TURN;
      while (this.left > 0 && !this.line.isEmpty) {
        this.left -= 1;
        this.line.next()!();
      }
      if (!this.line.isEmpty) this.rest();
    });
  }
}
