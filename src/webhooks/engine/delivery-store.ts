import type { EncryptedReceiver } from '../endpoint/secrets/encrypted-receiver.js';
import type { TraceIds } from '../../platform/tracing/tracing.js';
import type { OutboundErrorCode } from '../../platform/outbound/outbound-result.js';

/** A claimed delivery with the data for an attempt. */
export interface ClaimedRow {
  id: number;
  /** The id that the receiver sees, in the header `webhook-id` of every attempt. */
  webhook_id: string;
  /** `null`: the event is of no shop. */
  shop_id: number | null;
  lane_id: number;
  /** `null`: the event is of no payment. */
  payment_id: number | null;
  /** The standing endpoint, or `DEFAULT_ENDPOINT`. */
  endpoint_id: number;
  /** The address when the delivery was written; after the claim, the present address of a standing endpoint. */
  webhook_endpoint: string;
  request_body: string;
  /** The endpoint with its secrets at the time of the claim. */
  encrypted_receiver: EncryptedReceiver;
  /** Time when it became due, in seconds since 1970. */
  due_at: number;
  /** End of the lease, as PostgreSQL formats a time. A worker with another lease, or with none, records nothing. */
  lease: string;
  /** All attempts so far, followed by the attempts in the current run of the schedule. */
  attempts: number;
  attempts_in_run: number;
  /** The previous change of the payment, if the same claim has it: its first attempt must end before this one begins. */
  predecessor_id: number | null;
  /** The span that wrote the delivery. `null` or absent: not traced. */
  traceparent?: string | null;
  /** The trace of the current attempt, if it is traced. */
  trace?: TraceIds;
}

export type Lease = Pick<ClaimedRow, 'id' | 'lease'>;

export interface LaneClaim {
  laneId: number;
  /** Maximum units. A unit is a delivery with the successors that are claimed with it. */
  quota: number;
  /** Maximum bytes of bodies. The first unit may exceed it. */
  maxBytes: number;
  /**
   * Whether an untried delivery is claimed with the next due changes of its payment, `MAX_SUCCESSORS` at most. They must be
   * in the same lane and wait only for this delivery and each other. `predecessor_id` links each to the previous one.
   */
  withSuccessors: boolean;
}

/** Maximum later changes that are claimed with a delivery. */
export const MAX_SUCCESSORS = 3;
/** Maximum bytes of a body. */
export const MAX_BODY_BYTES = 288 * 1024;
/** Maximum claims, releases or results in one statement. */
export const MAX_ROWS = 500;
/** Interval of statements for endpoints that may not answer. Their retries are seconds away, and other lanes need the database. */
export const SUSPECT_INTERVAL_MS = 50;
/** Lanes, shops or origins in each cache: health of endpoints, signers, senders, scan cursors. */
export const MAX_REMEMBERED = 20_000;
/** Time after which the wake-up of a new delivery counts as lost. */
export const WAKE_UP_MS = 1_000;

/** The result of an attempt and the next step. */
export interface AttemptRecord {
  id: number;
  /** Number of attempts at the claim. It is the fence together with `lease`. */
  attempts: number;
  lease: string;
  status: 'pending' | 'delivered' | 'failed';
  /** Time until the next attempt is due; 0 unless `pending`. */
  waitMs: number;
  statusCode: number | null;
  error: OutboundErrorCode | null;
  /** One sentence about `error`; `null` or absent: none. */
  errorMessage?: string | null;
  /** Seconds since 1970. */
  startedAt: number;
  durationMs: number;
  responseBody: string | null;
}

/** A result that was recorded. */
export interface Recorded {
  id: number;
  /** A later change of the payment waited for this first attempt. */
  hasSuccessor: boolean;
}

/** A lane with a claimable delivery. */
export interface DueLane {
  lane_id: number;
  /** Time since the oldest delivery that no worker holds became due, in ms. */
  overdue_ms: number;
  /** A worker holds leases in the lane. */
  is_held: boolean;
  /** A due delivery was tried and got no answer. */
  is_unanswered: boolean;
}

/** Data of a lane for the scheduler. Only the maximum rate changes; a claim brings the present one. */
export interface LaneInfo {
  id: number;
  /** The shop, or minus the id of a standing endpoint, which has a turn of its own. */
  shop_id: number;
  merchant_id: number;
  origin: string;
  /** Maximum attempts per second of all workers; `null` or absent: no maximum. */
  max_per_second?: number | null;
}

/**
 * The store of deliveries: in PostgreSQL (in the service) or in memory (in the exploration,
 * `test/support/app/memory-delivery-store.ts`). Both pass the same conformance suite. Each method rejects if the store
 * does not answer; the outcome is then unknown.
 */
export abstract class DeliveryStore {
  /**
   * Leases due deliveries of each lane for `leaseMs`, oldest first, in any order between lanes. Never returns a row that
   * another worker holds. A change of a payment is returned only after the first attempt of every earlier change, except
   * the successors that are claimed with their predecessor.
   */
  abstract claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]>;

  /** Ends leases without an attempt: the deliveries are due as before. */
  abstract release(leases: Lease[]): Promise<void>;

  /**
   * Records results of attempts and returns the recorded ones. If `attempts` has increased or another worker has the
   * lease, a result changes nothing and writes no attempt, so the call may be repeated. It takes at most one attempt per
   * delivery, because the returned ids could not distinguish two.
   */
  abstract record(attempts: AttemptRecord[]): Promise<Recorded[]>;

  /** Returns lanes with a claimable delivery, longest overdue first, a few thousand at most. First attempts count after a second. */
  abstract dueLanes(): Promise<DueLane[]>;

  abstract lanes(laneIds: number[]): Promise<LaneInfo[]>;
}
