/** Redelivered and not tried yet: half of what a lane that answers slowly may have in flight. */
export const MAX_WAITING = 16;
/** The same when nobody has anything else, of a receiver that has tried all there was since the last step. */
export const MAX_WAITING_QUIET = 64;
/** Without a new delivery for so long, there is nobody to give way to. */
export const QUIET_MS = 10_000;
/** Of all merchants together, so many times what one may have. */
const MERCHANTS_TOGETHER = 2;
/** What was not used is kept for so long: a step that comes late makes up for no more than this. */
const BURST_MS = 250;
/** Between two steps, so many times as long as the one took: with others, redeliveries are a tenth of the work at most. */
const REST_PER_WORK = 9;
const REST_PER_WORK_QUIET = 1;

/** Fills up by `perSecond`, to what `BURST_MS` bring and at least one. */
class Allowance {
  private left: number;

  constructor(
    private readonly perSecond: number,
    private at: number,
  ) {
    this.left = this.most;
  }

  /** Whole ones. */
  rest(now: number): number {
    this.left = Math.min(this.most, this.left + ((now - this.at) / 1_000) * this.perSecond);
    this.at = now;
    return Math.floor(this.left);
  }

  take(count: number): void {
    this.left -= count;
  }

  get isFull(): boolean {
    return this.left >= this.most;
  }

  private get most(): number {
    return Math.max(1, (this.perSecond * BURST_MS) / 1_000);
  }
}

/** What a job has in the queue. */
export interface Ahead {
  /** Redelivered so far. */
  redelivered: number;
  /** Of these not tried yet. */
  waiting: number;
}

/**
 * How fast deliveries are put back into the queue.
 * - With others' new deliveries under way: so many a second of a merchant, and twice as many of all merchants.
 * - Without: as fast as the receivers answer.
 * - Always: few of a job wait in the queue, and the pauses grow with the time that steps take. That time is a worker's
 *   event loop and the database's, so whatever holds others up slows redeliveries down.
 * Of one process: another that takes over begins anew, with what `BURST_MS` bring.
 */
export class RedeliveryPace {
  private newest: number | undefined;
  private newestAt: number;
  private readonly all: Allowance;
  private readonly merchants = new Map<number, Allowance>();

  /** `perSecond`: of one merchant. */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.newestAt = now();
    this.all = new Allowance(perSecond * MERCHANTS_TOGETHER, this.newestAt);
  }

  /** The last id that a new delivery was given. */
  note(newest: number): void {
    if (newest !== this.newest) this.newestAt = this.now();
    this.newest = newest;
    for (const [merchantId, allowance] of this.merchants) {
      allowance.rest(this.now());
      if (allowance.isFull) this.merchants.delete(merchantId);
    }
  }

  /** Nobody has had a new delivery lately. */
  get isQuiet(): boolean {
    return this.now() - this.newestAt >= QUIET_MS;
  }

  /** Until the next step, as a multiple of what the last one took. */
  get restPerWork(): number {
    return this.isQuiet ? REST_PER_WORK_QUIET : REST_PER_WORK;
  }

  /** How many more deliveries the merchant may have now, whatever waits. */
  allowed(merchantId: number): number {
    return this.isQuiet ? Infinity : Math.min(this.all.rest(this.now()), this.of(merchantId).rest(this.now()));
  }

  /** How many more of a job may wait. */
  room({ redelivered, waiting }: Ahead): number {
    const keepsUp = this.isQuiet && redelivered > 0 && waiting === 0;
    return (keepsUp ? MAX_WAITING_QUIET : MAX_WAITING) - waiting;
  }

  took(merchantId: number, count: number): void {
    if (this.isQuiet) return;
    this.all.take(count);
    this.of(merchantId).take(count);
  }

  private of(merchantId: number): Allowance {
    let allowance = this.merchants.get(merchantId);
    if (!allowance) this.merchants.set(merchantId, (allowance = new Allowance(this.perSecond, this.now())));
    return allowance;
  }
}
