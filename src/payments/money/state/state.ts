import type { DisputeState } from './dispute.js';
import type { PaymentRow } from './payment.js';
import type { AttemptOutcome } from './attempt.js';
import type { Fact } from './fact.js';
import type { OperationRow } from './operation.js';
import type { RefundRow } from './refund.js';

/** An attempt with a shop, as far as it decides about money. */
export interface MoneyAttempt {
  number: number;
  provider: string;
  /** Sent with the charge, and repeated by the provider. */
  reference: string;
  provider_transaction_id: string | null;
  /** `null`: started, and no answer recorded. */
  outcome: AttemptOutcome | null;
  decline_code: string | null;
  started_at: Date;
}

/** A request to a provider, as far as it decides about money. */
export type MoneyOperation = Pick<
  OperationRow,
  | 'id'
  | 'attempt'
  | 'kind'
  | 'cause'
  | 'state'
  | 'amount'
  | 'currency'
  | 'refund_id'
  | 'provider_operation_id'
  | 'idempotency_key'
  | 'key_calls'
  | 'reason'
> & {
  /** Whether a worker tries it; a stopped one is open and waits for a person. */
  is_tried: boolean;
};

export type MoneyRefund = Pick<
  RefundRow,
  'id' | 'attempt' | 'amount' | 'currency' | 'status' | 'origin' | 'provider_refund_id' | 'failure_code'
>;

/** `sum`: of those that did not fail, decimal text. */
export interface OtherRefunds {
  count: number;
  sum: string;
}

/** A dispute, as far as it decides about money. */
export type MoneyDispute = DisputeState & { id: number; attempt: number; provider_dispute_id: string };

/** A fact that came too early. */
export interface WaitingFact {
  /** The notification that brought it. */
  id: number;
  fact: Fact;
  /** It has waited too long. */
  isTimedOut: boolean;
  /**
   * `waits`: for the payment. `early`: for the transaction id that it names. `parked`: a refund at the provider that exceeded the
   * captured amount, and raised an alarm: it waits again when another refund fails.
   */
  state: 'waits' | 'early' | 'parked';
  /** With `early`. */
  transactionId?: string;
}

/** All that decides about the money of a payment. Rows are never changed, only replaced. */
export interface MoneyState {
  payment: PaymentRow;
  attempts: readonly MoneyAttempt[];
  /** In the order of the requests. */
  operations: readonly MoneyOperation[];
  refunds: readonly MoneyRefund[];
  /** Refunds that have ended, and that no fact at hand may be about. Their closed operations are left out as well. */
  otherRefunds: OtherRefunds;
  disputes: readonly MoneyDispute[];
  waiting: readonly WaitingFact[];
  /** The provider's ids of refunds whose failure it has reported. */
  failedRefunds: readonly string[];
  /** Transaction ids that another payment of the shop has. */
  takenIds: readonly string[];
  /** The contradictions that a person was notified of: one key each. */
  alarms: readonly string[];
}

/** The moment of a decision. */
export interface Moment {
  now: Date;
  /** How long a call of a charge may be under way. */
  chargeLeaseMs: number;
}

/** A payment of which only its row and the charge of its first attempt exist: the answer to that charge needs no other. */
export const newState = (payment: PaymentRow): MoneyState => ({
  payment,
  attempts: [],
  operations: [],
  refunds: [],
  otherRefunds: { count: 0, sum: '0' },
  disputes: [],
  waiting: [],
  failedRefunds: [],
  takenIds: [],
  alarms: [],
});

/** The attempt was charged for the payment; otherwise the payment has not been charged, or has moved to another shop. */
export const wasCharged = ({ payment }: MoneyState, attempt: number): boolean =>
  payment.attempt === attempt && (payment.status === 'completed' || payment.status === 'refunded');

/** Whether the payment still waits for the outcome of this attempt. */
export const isOutcomePending = (
  { status, attempt }: Pick<PaymentRow, 'status' | 'attempt'>,
  number: number,
): boolean => attempt === number && (status === 'pending' || status === 'processing');

/** Whether the answer of the attempt's charge may still come: only it says whether another shop may be asked. */
export function isCallUnderWay(
  { payment, attempts }: MoneyState,
  attempt: number,
  { now, chargeLeaseMs }: Moment,
): boolean {
  if (payment.status !== 'pending' || payment.attempt !== attempt) return false;
  const started = attempts.find(({ number, outcome }) => number === attempt && outcome === null);
  return started !== undefined && now.getTime() - started.started_at.getTime() < chargeLeaseMs;
}

/** The provider holds the amount of the payment, and the merchant has not captured it. */
export const isAuthorized = ({
  status,
  capture,
  amount_authorized: held,
}: Pick<PaymentRow, 'status' | 'capture' | 'amount_authorized'>): boolean =>
  status === 'processing' && capture === 'manual' && Number(held) > 0;

/** The capture of the attempt that is under way or done; at most one is. */
export const captureOf = <Row extends Pick<MoneyOperation, 'kind' | 'attempt' | 'state'>>(
  operations: readonly Row[],
  attempt: number,
): Row | undefined =>
  operations.find((row) => row.kind === 'capture' && row.attempt === attempt && row.state !== 'refused');
