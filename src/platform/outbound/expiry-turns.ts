/** What is ended between two looks at the event loop: closing a connection and telling of it takes a tenth of a millisecond. */
export const EXPIRIES_PER_TURN = 2;

/**
 * Ends what ran out of time after all that has arrived is read, and a few in each turn of the event loop: attempts that
 * began together run out of time together, by hundreds, while the answers to others arrive.
 */
export class ExpiryTurns {
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  add(expire: () => void): void {
    this.waiting.push(expire);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      for (const expire of this.waiting.splice(0, EXPIRIES_PER_TURN)) expire();
      this.schedule();
    });
  }
}
