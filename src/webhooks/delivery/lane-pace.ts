import { TokenBucket } from '../../shared/token-bucket.js';

/** Time whose attempts may begin together. A claim for each attempt would cost more than the attempts. */
const BURST_S = 1 / 10;

/**
 * The attempts that a lane with a maximum rate may begin now, in this process. Without a maximum: all. The rate may
 * change; what was sent before counts for the new rate too.
 */
export class LanePace {
  private perSecond = Infinity;
  private bucket: TokenBucket | undefined;

  /** `perSecond`: with fractions; `Infinity`: no maximum. */
  setRate(perSecond: number): void {
    if (perSecond === this.perSecond) return;
    const left = this.bucket?.available ?? Infinity;
    const capacity = capacityOf(perSecond);
    this.perSecond = perSecond;
    this.bucket = perSecond === Infinity ? undefined : new TokenBucket({ perSecond, capacity });
    this.bucket?.take(Math.max(0, capacity - left));
  }

  /** Attempts that may begin now. 0 until half a burst has collected, so that a claim is worth its statement. */
  get available(): number {
    const { bucket } = this;
    if (bucket === undefined) return Infinity;
    return bucket.available < this.threshold ? 0 : Math.floor(bucket.available);
  }

  /** Time in ms until attempts may begin again. 0: now. */
  get waitMs(): number {
    if (this.bucket === undefined) return 0;
    return Math.max(0, Math.ceil(((this.threshold - this.bucket.available) * 1_000) / this.perSecond));
  }

  /** Negative: reserved attempts that did not begin. */
  take(attempts: number): void {
    this.bucket?.take(attempts);
  }

  private get threshold(): number {
    return Math.max(1, capacityOf(this.perSecond) / 2);
  }
}

const capacityOf = (perSecond: number): number => Math.max(1, perSecond * BURST_S);
