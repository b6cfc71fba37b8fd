/** What is ended between two looks at the event loop: closing a connection and telling of it takes a tenth of a millisecond. */
export const EXPIRIES_PER_TURN = 2;
/** Of what waits, if that is more: a thousand that end together are over within some 300 turns, well within their leases. */
const SHARE = 1 / 100;

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
      const due = Math.max(EXPIRIES_PER_TURN, Math.ceil(this.waiting.length * SHARE));
      for (const expire of this.waiting.splice(0, due)) expire();
      this.schedule();
    });
  }
}
