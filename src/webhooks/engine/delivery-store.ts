import type { SealedSecrets } from '../../shops/webhook-secrets.js';
import type { TraceIds } from '../../platform/tracing/tracing.js';
import type { OutboundErrorCode } from '../../platform/outbound/outbound-result.js';

/** A claimed delivery: what an attempt needs. */
export interface ClaimedRow {
  id: number;
  /** What its receiver knows it by: the header `webhook-id` of every attempt. */
  webhook_id: string;
  shop_id: number;
  lane_id: number;
  payment_id: number;
  webhook_endpoint: string;
  request_body: string;
  /** What its shop signs with at the moment of the claim. */
  sealed_secrets: SealedSecrets;
  /** When it became due: seconds since 1970. */
  due_at: number;
  /** Until when it is claimed, as PostgreSQL writes a time. Whoever holds another lease, or none any more, records nothing. */
  lease: string;
  /** Attempts ever made, and those of the present run of the schedule. */
  attempts: number;
  attempts_in_run: number;
  /** The delivery of the same claim, a change before of this payment, whose first attempt has to end before this one begins. */
  follows: number | null;
  /** Of the span that wrote it; `null` or absent: it is not traced. */
  traceparent?: string | null;
  /** Of the attempt under way, while it is traced. */
  trace?: TraceIds;
}

export type Lease = Pick<ClaimedRow, 'id' | 'lease'>;

export interface LaneClaim {
  laneId: number;
  /** Deliveries at most. */
  quota: number;
  /** Bytes of body at most, but for a first delivery that is larger by itself. */
  maxBytes: number;
  /**
   * Each that was never tried brings the next change of its payment along, beyond the quota, if that is of the same lane
   * and waits for nothing else. It says which one it `follows`.
   */
  withNext: boolean;
}

/** How an attempt ended, and what follows. */
export interface AttemptRecord {
  id: number;
  /** As claimed: the fence together with `lease`. */
  attempts: number;
  lease: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Until the next attempt is due, in ms from now; 0 unless `pending`. */
  waitMs: number;
  statusCode: number | null;
  error: OutboundErrorCode | null;
  /** Seconds since 1970. */
  startedAt: number;
  durationMs: number;
  responseBody: string | null;
}

/** What became of a result. */
export interface Recorded {
  id: number;
  /** A later change of the payment waited for this first attempt. */
  isFollowed: boolean;
}

/** A lane with something due that nobody holds. */
export interface DueLane {
  lane_id: number;
  /** How long its oldest due delivery has been due, in ms. */
  overdue_ms: number;
  /** Something is claimable, and nobody holds a lease in the lane. */
  is_idle: boolean;
  /** Its oldest due delivery was tried and got no answer. */
  is_unanswered: boolean;
}

/** What a lane is, for sharing out what is scarce. Never changes. */
export interface LaneInfo {
  id: number;
  shop_id: number;
  merchant_id: number;
  origin: string;
}

/**
 * Where deliveries are, and the one contract between the engine and whatever keeps them: PostgreSQL in the service, memory
 * in the exploration (`test/support/app/memory-delivery-store.ts`). Both pass the same conformance suite. Rejects when the
 * store does not answer; then nothing is known of what was done.
 */
export abstract class DeliveryStore {
  /**
   * Leases due deliveries of each lane for `leaseMs`, oldest first, in any order between lanes. Never a row that somebody
   * else holds, and of one payment never a change before the first attempt of every earlier one has ended.
   */
  abstract claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]>;

  /** Those leases that are still held begin anew, for `leaseMs`; answers them. */
  abstract renew(leases: Lease[], leaseMs: number): Promise<Lease[]>;

  /** Gives back what was not sent: due as before. */
  abstract handBack(leases: Lease[]): Promise<void>;

  /**
   * Writes down how attempts ended and answers those written. Where `attempts` has moved on or somebody else has the
   * lease, the result changes nothing and leaves no attempt, so that it may be repeated. Of each delivery one attempt at
   * most, or the answer would not tell which of them was written.
   */
  abstract record(attempts: AttemptRecord[]): Promise<Recorded[]>;

  /**
   * Lanes with something due, longest overdue first, some thousand at most. First attempts count a second after they are due.
   * `recent`: those in which something became due since the last look are enough.
   */
  abstract dueLanes(what?: 'all' | 'recent'): Promise<DueLane[]>;

  abstract lanes(laneIds: number[]): Promise<LaneInfo[]>;
}
