import type { OutboundErrorCode, OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { ClaimedDelivery } from './delivery-claims.js';
import type { LaneWindow } from './lane-window.js';
import type { SentRequest, SignedRequest } from './webhook-sender.js';

interface Claims {
  claim(laneId: number, quota: number, isUrgent: boolean): Promise<ClaimedDelivery[]>;
}

interface Sender {
  send(request: SignedRequest): Promise<SentRequest>;
}

interface Recorder {
  record(delivery: ClaimedDelivery, result: OutboundResult): Promise<void>;
}

/** After this long a lane goes back behind the others that wait for a worker. */
const TIME_SLICE_MS = 1_000;

/** While a slow endpoint keeps the run waiting, what has become due meanwhile is looked for this often. */
const LOOK_AGAIN_MS = 100;

/** Results that may wait for being recorded; with more of them the database is too slow to claim on. */
const MAX_UNRECORDED = 1_000;

/** Nothing was sent, for reasons of ours: no attempt. The delivery comes back when its lease expires. */
const NOT_SENT: readonly (OutboundErrorCode | null)[] = ['shutting_down'];

/**
 * One run of a lane: claim, post, record, until nothing is due or the time slice is over.
 * - Never more posted at once than the lane's window and its share, and never more claimed than can be posted: a lease outlasts its
 *   attempt. An answer makes room for the next; its record is written meanwhile.
 * - The next claim goes out when half of the window is free, so that posting does not wait for the database.
 * - What is committed while it runs wakes the lane once more. So a run may end when a claim came back short and no row of
 *   its own was holding up a later change of the same payment.
 */
export class LaneRun {
  /** Claimed, and not on record yet; of these, those without an answer so far. */
  private inFlight = 0;
  private posting = 0;
  /** A first attempt has ended that a later change of its payment was waiting for. */
  private unblocked = false;
  private failure: { error: unknown } | undefined;
  private stopped = false;
  /** Ends the present wait. */
  private wake: (() => void) | undefined;
  private waitingForRoom = false;

  constructor(
    private readonly laneId: number,
    private readonly window: LaneWindow,
    private readonly claims: Claims,
    private readonly sender: Sender,
    private readonly recorder: Recorder,
    /** The lane's share of what this process may have in flight, as it is now. */
    private readonly share: () => number = () => Infinity,
  ) {}

  /** Resolves to whether there may be more to do. Rejects once everything in flight has ended. */
  async run(): Promise<boolean> {
    const sliceEnd = Date.now() + TIME_SLICE_MS;
    for (;;) {
      const isFull = await this.claimAndStart();
      await this.pause(isFull);
      if (this.failure || this.stopped || Date.now() >= sliceEnd) return this.finish(isFull);
      if (!isFull && !this.unblocked && this.inFlight === 0) return false;
    }
  }

  stop(): void {
    this.stopped = true;
    this.wake?.();
  }

  private get room(): number {
    return Math.min(this.window.size, this.share());
  }

  /** Answers that the database has not taken yet. */
  private get unrecorded(): number {
    return this.inFlight - this.posting;
  }

  /** Whether there is probably more to claim. */
  private async claimAndStart(): Promise<boolean> {
    const quota = this.room - this.posting;
    if (quota <= 0 || this.unrecorded >= MAX_UNRECORDED) return true;
    this.unblocked = false;
    try {
      const deliveries = await this.claims.claim(this.laneId, quota, this.posting === 0);
      for (const delivery of deliveries) void this.deliver(delivery);
      return deliveries.length === quota;
    } catch (error) {
      this.failure ??= { error };
      return true;
    }
  }

  /** Until a claim is worthwhile again: there is room, something was unblocked, or a little time has passed. */
  private pause(isFull: boolean): Promise<void> {
    this.waitingForRoom = isFull;
    if (this.isWorthClaiming()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = isFull ? undefined : setTimeout(() => this.wake?.(), LOOK_AGAIN_MS);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
    });
  }

  private isWorthClaiming(): boolean {
    if (this.inFlight === 0 || this.stopped || this.failure !== undefined) return true;
    if (!this.waitingForRoom) return this.unblocked;
    return this.posting <= this.room / 2 && this.unrecorded < MAX_UNRECORDED;
  }

  private async finish(isFull: boolean): Promise<boolean> {
    while (this.inFlight > 0) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.failure) throw this.failure.error;
    return isFull || this.unblocked || this.stopped;
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    this.inFlight += 1;
    try {
      const result = await this.post(delivery);
      if (!NOT_SENT.includes(result.error)) {
        const recorded = this.recorder.record(delivery, result);
        this.claimIfWorthwhile();
        await recorded;
      }
      if (delivery.blocks_later) this.unblocked = true;
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.inFlight -= 1;
      this.claimIfWorthwhile();
    }
  }

  private claimIfWorthwhile(): void {
    if (this.isWorthClaiming()) this.wake?.();
  }

  private async post(delivery: ClaimedDelivery): Promise<OutboundResult> {
    const { secrets } = delivery;
    if (!secrets) throw new Error(`no webhook secret of shop ${delivery.shop_id}`);
    this.posting += 1;
    try {
      const { result } = await this.sender.send({
        id: String(delivery.id),
        url: delivery.webhook_endpoint,
        body: delivery.request_body,
        secrets,
      });
      if (result.statusCode === null) this.window.unanswered();
      else this.window.answered(result.durationMs);
      return result;
    } finally {
      this.posting -= 1;
    }
  }
}
