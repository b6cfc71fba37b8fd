// Decisions of the sandbox about voids, captures and refunds, from its rows: no I/O.
import { Decimal } from 'decimal.js';
import type {
  CaptureRequest,
  OperationAnswer,
  OperationLookup,
  RefundRequest,
} from '@payment-orchestrator/provider-kit';
import { difference, stateOf } from './answers.js';
import { SETTLES_IN_MS } from './charge.js';
import type { SandboxOperation, SandboxRefund } from './operations.queries.js';
import type { SandboxStatus, SandboxTransaction } from './transactions.queries.js';

/** An operation's answer, and the transaction's next status: at once, or a little later. */
export interface OperationDecision {
  answer: OperationAnswer;
  to?: SandboxStatus;
  /** The answer is the first one to this request; `false`: it repeats an earlier answer. */
  isNew?: boolean;
  later?: boolean;
  /** The refunded amount, decimal text. */
  amount?: string;
}

/** Source of an operation: a call by this service, or a person at the sandbox's dashboard. */
export type Origin = 'api' | 'dashboard';

/** A notification about an operation, and in how many ms it is due. */
interface Report {
  status: 'completed' | 'capture_failed' | 'refund_pending' | 'refunded' | 'refund_failed';
  dueInMs: number;
}

const refused = (reason: string, retryable = false): OperationDecision => ({
  answer: { outcome: 'refused', reason, retryable },
});

const CONFIRMED: OperationDecision = { answer: { outcome: 'confirmed' } };

const confirmed = (operationId: string): OperationDecision => ({ answer: { outcome: 'confirmed', operationId } });
const pending = (operationId: string): OperationDecision => ({ answer: { outcome: 'pending', operationId } });

export const captureIdOf = (reference: string): string => `sbc_${reference}`;
export const refundIdOf = (idempotencyKey: string): string => `sbr_${idempotencyKey}`;

/**
 * Repeats an earlier refusal under the key, regardless of later changes; `undefined`: the transaction's state decides.
 */
export function decisionByKey(
  earlier: SandboxOperation | undefined,
  fingerprint: string,
): OperationDecision | undefined {
  if (!earlier) return undefined;
  if (earlier.is_charge || earlier.fingerprint !== fingerprint) return refused('idempotency_key_reused');
  return earlier.refusal ? refused(earlier.refusal.reason, earlier.refusal.retryable) : undefined;
}

/** Captured money is refunded, not voided. A transaction that holds nothing is voided unchanged. */
export function decideVoid({ status, becomes, refuses_voids: refuses }: SandboxTransaction): OperationDecision {
  if (status === 'captured' || (status === 'authorized' && becomes === 'captured')) return refused('already_captured');
  if (status !== 'open' && status !== 'authorized') return CONFIRMED;
  return refuses ? refused('void_refused') : { ...CONFIRMED, to: 'voided' };
}

/** The answer to a void or a refund, with the charge that refuses it. */
export function withCharge(
  { answer }: OperationDecision,
  transaction: SandboxTransaction | undefined,
): OperationAnswer {
  const charge = stateOf(transaction);
  return answer.outcome === 'refused' && charge.status !== 'not_found' ? { ...answer, charge } : answer;
}

/** The present outcome of a capture or void that was accepted before. */
export const decideAccepted = (
  { kind, amount, currency }: Pick<OperationLookup, 'kind' | 'amount' | 'currency'>,
  transaction: SandboxTransaction,
): OperationDecision =>
  kind === 'void' ? decideVoid(transaction) : decideCapture(transaction, { amount, currency }, true);

/** Captures an authorisation once, in whole or in part. `isRepeat`: the key was accepted before. */
export function decideCapture(
  transaction: SandboxTransaction | undefined,
  { amount, currency }: Pick<CaptureRequest, 'amount' | 'currency'>,
  isRepeat: boolean,
): OperationDecision {
  if (!transaction) return refused('transaction_not_found');
  const { status, becomes, captures, reference } = transaction;
  const id = captureIdOf(reference);
  if (isRepeat && becomes === 'captured') return pending(id);
  if (isRepeat) return isCharged(status) ? confirmed(id) : refused('capture_failed');
  if (isCharged(status) || becomes === 'captured') return refused('already_captured');
  if (status !== 'authorized') return refused('not_authorized', status === 'open');
  if (transaction.currency !== currency) return refused('amount_differs');
  if (new Decimal(amount).gt(transaction.amount)) return refused('amount_exceeds_authorized');
  if (captures === 'refused') return refused('capture_refused');
  if (captures === null) return { ...confirmed(id), to: 'captured', isNew: true };
  return { ...pending(id), to: 'captured', isNew: true, later: true };
}

const isCharged = (status: SandboxStatus): boolean => status === 'captured' || status === 'refunded';

/** The remaining captured amount; pending refunds count as made. Decimal text. */
export const leftOf = ({ captured_amount: captured, reserved_amount: reserved }: SandboxTransaction): string =>
  difference(captured, reserved);

export function stateOfRefund({ id, status }: SandboxRefund): OperationAnswer {
  if (status === 'failed') return { outcome: 'refused', reason: 'refund_failed', retryable: false, operationId: id };
  return { outcome: status === 'succeeded' ? 'confirmed' : 'pending', operationId: id };
}

/** Refunds a part of the capture, or all of it. `repeated`: the refund that the key was accepted for. */
export function decideRefund(
  transaction: SandboxTransaction | undefined,
  request: RefundRequest,
  repeated: SandboxRefund | undefined,
): OperationDecision {
  if (repeated) return { answer: stateOfRefund(repeated) };
  if (!transaction) return refused('transaction_not_found');
  const { status, refunds } = transaction;
  if (!isCharged(status)) return refused('not_captured', status === 'open' || status === 'authorized');
  if (transaction.currency !== request.currency) return refused('amount_differs');
  const left = new Decimal(leftOf(transaction));
  if (request.isRest && left.isZero()) return status === 'refunded' ? CONFIRMED : refused('refund_pending', true);
  const amount = request.isRest && left.lt(request.amount) ? left.toFixed() : request.amount;
  if (left.lt(amount)) return refused('amount_exceeds_captured');
  if (refunds === 'refused') return refused('refund_refused');
  const id = refundIdOf(request.idempotencyKey);
  const after = { ...afterRefund(transaction, amount, refunds === 'pending'), isNew: true, amount };
  return { ...(refunds === 'pending' ? pending(id) : confirmed(id)), ...after };
}

const REPORTED = {
  capture: { accepted: undefined, done: 'completed', failed: 'capture_failed' },
  refund: { accepted: 'refund_pending', done: 'refunded', failed: 'refund_failed' },
} as const;

/**
 * The notifications of an accepted operation. The caller has its answer; a person at the dashboard is not the caller, so
 * this service is notified of the acceptance, too.
 */
export function reportsOf(
  kind: 'capture' | 'refund',
  { answer }: OperationDecision,
  { fails }: SandboxTransaction,
  origin: Origin,
): Report[] {
  const { accepted, done, failed } = REPORTED[kind];
  const isPending = answer.outcome === 'pending';
  const first = isPending ? accepted : done;
  const later = fails === kind ? failed : isPending ? done : undefined;
  return [
    ...(origin === 'dashboard' && first !== undefined ? [{ status: first, dueInMs: 0 }] : []),
    ...(later === undefined ? [] : [{ status: later, dueInMs: SETTLES_IN_MS }]),
  ];
}

/** The refund of the version before under this key: of the whole amount, without a row. */
export function decideOldRefund(transaction: SandboxTransaction | undefined): OperationDecision | undefined {
  if (!transaction) return undefined;
  const { status, becomes, reference } = transaction;
  if (status === 'refunded') return CONFIRMED;
  return becomes === 'refunded' ? pending(`sbr_${reference}`) : undefined;
}

/** The transaction's next status, if nothing is left. It waits for pending refunds. */
function afterRefund(
  transaction: SandboxTransaction,
  amount: string,
  isPending: boolean,
): Pick<OperationDecision, 'to' | 'later'> {
  if (transaction.fails === 'refund' || !new Decimal(amount).equals(leftOf(transaction))) return {};
  const othersArePending = !new Decimal(transaction.refunded_amount).equals(transaction.reserved_amount);
  return isPending || othersArePending ? { to: 'refunded', later: true } : { to: 'refunded' };
}
