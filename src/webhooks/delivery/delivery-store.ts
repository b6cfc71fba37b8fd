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
  encrypted_secrets: SealedSecrets;
  /** When it became due: seconds since 1970. */
  due_at: number;
  /** Until when it is claimed, as PostgreSQL writes a time. A worker that holds another lease, or none, records nothing. */
  lease: string;
  /** Attempts ever made, and those of the present run of the schedule. */
  attempts: number;
  attempts_in_run: number;
  /** The delivery of the same claim, the change before of this payment: its first attempt must end before this one begins. */
  predecessor_id: number | null;
  /** Of the span that wrote it; `null` or absent: it is not traced. */
  traceparent?: string | null;
  /** Of the attempt under way, while it is traced. */
  trace?: TraceIds;
}

export type Lease = Pick<ClaimedRow, 'id' | 'lease'>;

export interface LaneClaim {
  laneId: number;
  /** Units at most: a delivery, with the changes that come along. */
  quota: number;
  /** Bytes of body at most, except for a first unit that is larger by itself. */
  maxBytes: number;
  /**
   * A delivery that was never tried brings the next due changes of its payment along, `MAX_SUCCESSORS` at most, while they
   * are of the same lane and wait only for each other. Each says which one it `predecessor_id`.
   */
  withSuccessors: boolean;
}

/** Later changes that come along with a delivery at most. */
export const MAX_SUCCESSORS = 3;
/** No body is larger. */
export const MAX_BODY_BYTES = 288 * 1024;
/** Claims, releases or results in one statement. */
export const MAX_ROWS = 500;
/** From one statement for endpoints that may not answer to the next: their retries are seconds away, others need the database. */
export const SUSPECT_INTERVAL_MS = 50;
/** What is remembered of so many lanes, shops and origins: their endpoints' health, signers, senders and scan cursors. */
export const MAX_REMEMBERED = 20_000;
/** The wake-up that comes with a new delivery has so long before it counts as lost. */
export const WAKE_UP_MS = 1_000;

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
  hasSuccessor: boolean;
}

/** A lane with something claimable. */
export interface DueLane {
  lane_id: number;
  /** How long the oldest delivery that no worker holds has been due, in ms. */
  overdue_ms: number;
  /** A worker holds leases in the lane. */
  is_held: boolean;
  /** A due delivery was tried and got no answer. */
  is_unanswered: boolean;
}

/** What the scheduler needs to know of a lane. Never changes. */
export interface LaneInfo {
  id: number;
  shop_id: number;
  merchant_id: number;
  origin: string;
}

/**
 * Where deliveries are kept, and the one contract between the dispatcher and PostgreSQL (in the service) or memory (in the
 * exploration, `test/support/app/memory-delivery-store.ts`). Both pass one conformance suite. Each method rejects when the
 * store does not answer; then the caller does not know what was done.
 */
export abstract class DeliveryStore {
  /**
   * Leases due deliveries of each lane for `leaseMs`, oldest first, in any order between lanes. Never a row that another
   * worker holds, and of one payment never a change before the first attempt of every earlier one has ended, except the
   * changes that come along.
   */
  abstract claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]>;

  /** Ends leases without an attempt: due as before. */
  abstract release(leases: Lease[]): Promise<void>;

  /**
   * Writes down how attempts ended and answers those written. Where `attempts` has moved on or another worker has the
   * lease, the result changes nothing and leaves no attempt, so it may be repeated. Of each delivery one attempt at
   * most, or the answer would not tell which of them was written.
   */
  abstract record(attempts: AttemptRecord[]): Promise<Recorded[]>;

  /** Lanes with something claimable, longest overdue first, some thousand at most. First attempts count after a second. */
  abstract dueLanes(): Promise<DueLane[]>;

  abstract lanes(laneIds: number[]): Promise<LaneInfo[]>;
}
