import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { AttemptRecorder } from './attempt-recorder.js';
import { type Claim, type ClaimedDelivery, withNext } from './delivery-claims.js';
import { sendTraced } from './attempt-span.js';
import type { SendTurns } from './send-turns.js';
import { FAST_MAX, FAST_MS } from './permits/concurrency-limit.js';
import type { DeliveryPermits, Grant } from './permits/delivery-permits.js';
import type { PermitLane } from './permits/permit-lane.js';
import type { SignedRequest } from './webhook-sender.js';

/** What a run works with; the same for all lanes of a process. */
export interface LaneRunContext {
  permits: DeliveryPermits;
  claims: {
    claim(claim: Claim): Promise<ClaimedDelivery[]>;
    handBack(rows: ClaimedDelivery[]): Promise<void>;
  };
  sender: { send(request: SignedRequest): Promise<OutboundResult> };
  turns: Pick<SendTurns, 'take' | 'drop'>;
  recorder: Pick<AttemptRecorder, 'record' | 'hurry' | 'unrecorded'>;
  /** A claim brought so many deliveries. */
  claimed(deliveries: number): void;
  /** Permits were given back, or the run may be over. */
  freed(run: LaneRun): void;
  /** Gives back the permit of an attempt that nobody answered, a little later. */
  rest(giveBack: () => void): void;
  failed(laneId: number, error: unknown): void;
  /** An attempt could not begin, for want of something on this machine. */
  lacked(result: OutboundResult): void;
  /** The process is stopping and something may be due. */
  handOver(laneId: number): void;
}

/** Asked for at first, and again after a claim that came back short. */
const FEW = 4;
/**
 * No body is larger: a claim may bring so much more than is reserved, for a delivery and for the next change that comes along,
 * so that one that brings less left nothing behind.
 */
const MAX_BODY_BYTES = 288 * 1024;

/** Of the margin of a lease, what may go by until a delivery is sent. */
const MAX_UNSENT_MS = 1_000;
/** And until its attempt was answered, for the next change to follow at once: the rest is for a record that takes some tries. */
const FOLLOWS_WITHIN_MS = 500;

/** Otherwise it was no attempt, for reasons of ours. */
const wasSent = (result: OutboundResult | undefined): result is OutboundResult =>
  result !== undefined && result.error !== 'shutting_down' && result.error !== 'local_failure';

/**
 * A lane that may have something due, or has something in flight: asks for permits, claims as many deliveries as it got,
 * posts them, a few in each turn of the event loop, and has the results recorded.
 * - One claim at a time, and only with permits. Those that it brings nothing for go back.
 * - The next change of a payment comes with the claim, and is posted as soon as the attempt before it was answered, under
 *   its permit and without waiting for its record: they are as many as without it, one after the other.
 * - What is committed while it runs wakes it once more. So it need not claim again after a claim that came back short,
 *   unless a row of its own was holding up a later change of the same payment.
 */
export class LaneRun {
  private isDue = false;
  private isClaiming = false;
  private isStopped = false;
  private unrecorded = 0;
  /** Of the next claim, at most. */
  private quota = FEW;
  private claimedAt = -Infinity;
  private wokenAt = -Infinity;

  constructor(
    readonly lane: PermitLane,
    private readonly context: LaneRunContext,
  ) {}

  /** Something may be due. The permits asked for come with the next deal. */
  wake(): void {
    this.isDue = true;
    this.wokenAt = performance.now();
    if (this.unrecorded > 0) this.context.recorder.hurry();
    this.ask();
  }

  /** No claims from now on. What is in flight is still recorded. */
  stop(): void {
    this.isStopped = true;
    this.ask();
    this.context.turns.drop(this.lane.path);
  }

  /** Whether nothing is due and nothing under way. */
  get isOver(): boolean {
    return !this.isDue && !this.isClaiming && this.lane.held === 0 && this.unrecorded === 0;
  }

  /** Whether what has become due meanwhile is worth a look: a slow endpoint keeps the lane from being found by others. */
  isStale(now: number, afterMs: number): boolean {
    return !this.isDue && !this.isClaiming && now - this.claimedAt >= afterMs;
  }

  /** Claims under permits just granted. Never rejects. */
  async claim(grant: Grant): Promise<void> {
    const { lane, context } = this;
    const isUrgent = lane.held === grant.count;
    this.isClaiming = true;
    this.isDue = false;
    context.permits.ask(lane, 0);
    const rows = await this.claimed(grant, isUrgent);
    const sizes = rows.map(sizeOf);
    this.isDue ||= rows.length === grant.count || sum(sizes) > grant.bytes;
    this.isClaiming = false;
    this.claimedAt = performance.now();
    context.permits.settle(lane, grant, sizes);
    if (this.isStopped) await this.giveUp(rows, sizes);
    else rows.forEach((row, index) => this.deliver(row, sizes[index]!));
    this.ask();
    context.freed(this);
  }

  private async claimed(grant: Grant, isUrgent: boolean): Promise<ClaimedDelivery[]> {
    const { info: lane, standing } = this.lane;
    const isAnswering = standing === 'answering';
    const maxBytes = grant.bytes + (isAnswering ? 2 : 1) * MAX_BODY_BYTES;
    try {
      const rows = await this.context.claims.claim({ lane, quota: grant.count, maxBytes, isUrgent, isAnswering });
      this.context.claimed(rows.length);
      const isFull = rows.length === grant.count;
      this.quota = isFull ? Math.min(Math.max(this.quota, 2 * rows.length), FAST_MAX) : Math.max(FEW, 2 * rows.length);
      return rows;
    } catch (error) {
      this.context.failed(this.lane.info.id, error);
      return [];
    }
  }

  private ask(): void {
    if (this.isStopped) {
      this.context.permits.ask(this.lane, 0);
      if (this.isDue) this.context.handOver(this.lane.info.id);
      this.isDue = false;
    } else if (this.isDue && !this.isClaiming) {
      this.context.permits.ask(this.lane, this.quota);
    }
  }

  private async giveUp(rows: ClaimedDelivery[], sizes: number[]): Promise<void> {
    this.unrecorded += rows.length;
    sizes.forEach((size) => this.context.permits.release(this.lane, 1, size));
    await this.context.claims.handBack(withNext(rows));
    this.unrecorded -= rows.length;
    this.isDue ||= rows.length > 0;
  }

  /** Begins its attempt when its turn has come, unless that is too late, or the process is stopping. */
  private deliver(delivery: ClaimedDelivery, size: number): void {
    const since = performance.now();
    this.unrecorded += 1;
    this.context.turns.take(this.lane.path, (isDropped) => {
      if (!isDropped && performance.now() - since <= MAX_UNSENT_MS) void this.attempt(delivery, size);
      else void this.giveUp([delivery], [size]).then(() => this.ended());
    });
  }

  /** Never rejects. */
  private async attempt(delivery: ClaimedDelivery, size: number): Promise<void> {
    let result: OutboundResult | undefined;
    try {
      result = await this.send(delivery);
      if (result.error === 'local_failure') await this.restAfter(result);
    } catch (error) {
      this.context.failed(this.lane.info.id, error);
    }
    delivery.request_body = ''; // a thousand wait to be recorded: without bodies they are no burden to the garbage collector
    const isFollowed = this.passOn(delivery, size, result);
    try {
      if (wasSent(result)) await this.record(delivery, result, isFollowed);
      else if (result) await this.takeBack(delivery, result);
    } catch (error) {
      this.context.failed(this.lane.info.id, error);
    }
    this.ended();
  }

  private ended(): void {
    this.unrecorded -= 1;
    this.ask();
    this.context.freed(this);
  }

  private send(delivery: ClaimedDelivery): Promise<OutboundResult> {
    const { webhook_id: id, shop_id: shopId, webhook_endpoint: url, request_body: body, signer } = delivery;
    if (!signer) throw new Error(`no webhook secret of shop ${shopId}`);
    const request = { id, shopId, url, body, signer };
    const { sender } = this.context;
    return delivery.traceparent ? sendTraced(delivery, request, sender) : sender.send(request);
  }

  /** The permit of an attempt that has ended. `true`: it went to the payment's next change. */
  private passOn({ next }: ClaimedDelivery, size: number, result: OutboundResult | undefined): boolean {
    const { lane, context } = this;
    if (!wasSent(result)) this.giveBack(size);
    else if (result.statusCode === null) {
      context.permits.unanswered(lane);
      if (this.isStopped) this.giveBack(size);
      else context.rest(() => this.giveBack(size));
    } else {
      context.permits.answered(lane, result.durationMs);
      const isFollowed = this.mayFollow(next, result);
      if (isFollowed) this.deliver(next!, size);
      else this.giveBack(size);
      return isFollowed;
    }
    return false;
  }

  private async takeBack(delivery: ClaimedDelivery, { error }: OutboundResult): Promise<void> {
    await this.context.claims.handBack(withNext([delivery]));
    this.isDue ||= error === 'local_failure';
  }

  /**
   * A later change of the payment that was committed while this one was under way has woken the lane in vain: nobody wakes
   * it again. `isFollowed`: the next one is under way, and sees to those after it. Unless something may wait for the record, that
   * waits for others.
   */
  private async record(delivery: ClaimedDelivery, result: OutboundResult, isFollowed: boolean): Promise<void> {
    const askedAt = performance.now();
    const recording = this.context.recorder.record(delivery, result);
    if (this.wokenAt > delivery.leasedAt || (delivery.next && !isFollowed)) this.context.recorder.hurry();
    const recorded = await recording;
    // a claim beside the statement may have seen the change, and not yet that its turn has come
    const wasMissed = delivery.attempts === 0 && (this.isClaiming || this.claimedAt >= askedAt);
    const isWaitedFor = recorded?.isFollowed === true && !isFollowed;
    if (delivery.next && !isFollowed) await this.context.claims.handBack([delivery.next]);
    this.isDue ||= wasMissed || isWaitedFor;
  }

  /** A permit that others wait for is not kept from them for a second attempt, unless that is soon over. */
  private mayFollow(next: ClaimedDelivery | undefined, { durationMs }: OutboundResult): boolean {
    if (next === undefined || this.isStopped || performance.now() - next.leasedAt > FOLLOWS_WITHIN_MS) return false;
    return durationMs <= FAST_MS || !this.context.permits.isFullFor(this.lane);
  }

  /** Keeps permit and lease meanwhile: whatever is claimed next would lack the same. */
  private async restAfter(result: OutboundResult): Promise<void> {
    this.context.lacked(result);
    if (!this.isStopped) await new Promise<void>((rested) => this.context.rest(rested));
  }

  private giveBack(size: number): void {
    this.context.permits.release(this.lane, 1, size);
    this.ask();
    this.context.freed(this);
  }
}

/** Bytes of its body, and of that of the next change. */
const sizeOf = ({ request_body, next }: ClaimedDelivery): number =>
  Buffer.byteLength(request_body) + (next ? Buffer.byteLength(next.request_body) : 0);

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);
