import { Problem } from '../../shared/problem.js';
import type { WorkOwner } from './work-owner.js';

export interface SlotLimits {
  /** What takes a slot, in the plural, for the caller to read. */
  what: string;
  total: number;
  perMerchant: number;
  /** Of one merchant, besides what runs. */
  waitingPerMerchant: number;
  waiting: number;
}

interface Claim {
  owner: WorkOwner;
  grant(): void;
  drop(): void;
}

const RETRY_AFTER_SECONDS = '5';

/** Slots for work that holds more than the processor, such as a database connection. Merchants that wait take turns. */
export class FairSlots {
  private readonly running = new Map<number, number>();
  private total = 0;
  /** In the order of their turns. */
  private readonly lines = new Map<number, Claim[]>();
  private waiting = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Problems: `too_many_requests`, `client_closed_request` when the owner has gone while it waited. */
  async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    await this.enter(owner);
    try {
      return await work();
    } finally {
      this.total--;
      this.count(owner.merchantId, -1);
      this.grantNext();
    }
  }

  private enter(owner: WorkOwner): Promise<void> | undefined {
    const { merchantId } = owner;
    if (this.hasSlotFor(merchantId)) {
      this.take(merchantId);
      return undefined;
    }
    const line = this.lines.get(merchantId) ?? [];
    this.dropGone(line);
    this.requireRoom(line);
    this.lines.set(merchantId, line);
    this.waiting++;
    return new Promise((grant, reject) => {
      line.push({ owner, grant, drop: () => reject(new Problem('client_closed_request')) });
    });
  }

  /** A caller who asks anew with every key that is pressed does not fill the line with what nobody waits for any more. */
  private dropGone(line: Claim[]): void {
    const present = line.filter(({ owner }) => !owner.isGone);
    const gone = line.filter(({ owner }) => owner.isGone);
    line.splice(0, line.length, ...present);
    this.waiting -= gone.length;
    for (const claim of gone) claim.drop();
  }

  private requireRoom(line: readonly Claim[]): void {
    const { what, perMerchant, waitingPerMerchant, waiting } = this.limits;
    const isMerchants = line.length >= waitingPerMerchant;
    if (!isMerchants && this.waiting < waiting) return;
    const detail = isMerchants
      ? `a merchant may have ${perMerchant} ${what} running and ${waitingPerMerchant} waiting; try again when one of them has ended`
      : `${waiting} ${what} are waiting, which is the most; try again when some of them have ended`;
    throw new Problem('too_many_requests', { detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
  }

  private hasSlotFor(merchantId: number): boolean {
    return this.total < this.limits.total && (this.running.get(merchantId) ?? 0) < this.limits.perMerchant;
  }

  private take(merchantId: number): void {
    this.total++;
    this.count(merchantId, 1);
  }

  private count(merchantId: number, by: number): void {
    const now = (this.running.get(merchantId) ?? 0) + by;
    if (now === 0) this.running.delete(merchantId);
    else this.running.set(merchantId, now);
  }

  private grantNext(): void {
    for (const merchantId of [...this.lines.keys()]) {
      if (!this.hasSlotFor(merchantId)) continue;
      const claim = this.nextOf(merchantId);
      if (!claim) continue;
      this.take(merchantId);
      claim.grant();
    }
  }

  /** The merchant goes behind the others. */
  private nextOf(merchantId: number): Claim | undefined {
    const line = this.lines.get(merchantId)!;
    this.lines.delete(merchantId);
    for (let claim = line.shift(); claim; claim = line.shift()) {
      this.waiting--;
      if (!claim.owner.isGone) {
        if (line.length > 0) this.lines.set(merchantId, line);
        return claim;
      }
      claim.drop();
    }
    return undefined;
  }
}
