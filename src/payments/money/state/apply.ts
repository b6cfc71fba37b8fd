import { subtractAmounts } from '../../../shared/money.js';
import type { AttemptEnd, AttemptOutcome } from './attempt.js';
import type { Effect, OpenedOperation, RecordedResult } from './effect.js';
import { isOpen, type OperationState } from './operation.js';
import type { PaymentRow } from './payment.js';
import type { NewRefund } from './refund.js';
import type { MoneyOperation, MoneyRefund, MoneyState, WaitingFact } from './state.js';

const REPLACED = 'replaced';

/** The state after an effect, as its statement leaves the rows. Pure. */
export function apply(state: MoneyState, effect: Effect): MoneyState {
  const { payment } = state;
  switch (effect.do) {
    case 'status':
      return afterEnd(
        { ...state, payment: effect.states.at(-1)! },
        effect.change.end,
        effect.states.at(-1)!.provider_transaction_id ?? undefined,
      );
    case 'end_attempt':
      return afterEnd(state, effect.end, effect.transactionId);
    case 'keep_answer':
      return identified({ ...state, payment: effect.after }, effect.attempt, effect.transactionId);
    case 'keep_authorization':
      return { ...state, payment: effect.after };
    case 'open':
      return { ...state, operations: [...state.operations, opened(payment, effect.id, effect.operation)] };
    case 'call':
      return withOperation(state, effect.operation, (row) => ({ ...row, key_calls: row.key_calls + 1 }));
    case 'record':
      return withOperation(state, effect.operation, (row) => recorded(row, effect.record));
    case 'repeat':
      return withOperation(state, effect.operation, (row) => ({
        ...row,
        ...{ state: 'open', provider_operation_id: null, reason: effect.reason, key_calls: 0 },
        idempotency_key: `${REPLACED} ${row.idempotency_key}`,
      }));
    case 'stop':
      return withOperations(state, (row) =>
        row.attempt === effect.attempt && isOpen(row)
          ? { ...row, state: 'unknown', reason: effect.reason, is_tried: false }
          : row,
      );
    case 'create_refund':
      return withRefund(state, effect.id, effect.refund);
    case 'end_refund':
      return endRefund(state, effect);
    case 'identify_refund':
      return withRefunds(state, effect.refund, (row) => identifiedRefund(state, row, effect.providerRefundId));
    case 'dispute':
      return withDispute(state, effect);
    case 'late_charge':
      return { ...state, payment: { ...payment, charged_after_end: true } };
    case 'alarm':
      return { ...state, alarms: state.alarms.includes(effect.key) ? state.alarms : [...state.alarms, effect.key] };
    case 'link':
      return { ...state, waiting: state.waiting.map((each) => linked(each, effect)) };
    case 'unpark':
      return {
        ...state,
        waiting: state.waiting.map((each) => (each.state === 'parked' ? { ...each, state: 'waits' } : each)),
      };
    case 'settle_waiting':
      return { ...state, waiting: settledWaiting(state, effect) };
    case 'late_charge_reversed':
    case 'capture_failed':
    case 'amount_mismatch':
      return state;
  }
}

const STATE_AFTER: Readonly<Record<AttemptOutcome, OperationState>> = {
  approved: 'confirmed',
  processing: 'pending',
  unknown: 'unknown',
  declined: 'refused',
  soft_declined: 'refused',
  unavailable: 'refused',
};

/** The attempt and its charge after an outcome: an outcome that is as definite or more definite stays. */
function afterEnd(state: MoneyState, end: AttemptEnd | undefined, transactionId: string | undefined): MoneyState {
  const named = identified(state, state.payment.attempt, transactionId);
  if (end === undefined) return named;
  const { number, outcome, declineCode } = end;
  const before = named.attempts.find((row) => row.number === number);
  const isStill = before?.outcome === 'approved' ? 'approved' : outcome;
  const attempts = named.attempts.map((row) =>
    row.number === number && isLessDefinite(row.outcome, outcome)
      ? { ...row, outcome, decline_code: declineCode }
      : row,
  );
  const id = attempts.find((row) => row.number === number)?.provider_transaction_id ?? null;
  const operations = named.operations.map((row) =>
    row.attempt === number && row.kind === 'charge' && isOpen(row) ? chargeAfter(row, isStill, id) : row,
  );
  return { ...named, attempts, operations };
}

const isLessDefinite = (known: AttemptOutcome | null, outcome: AttemptOutcome): boolean =>
  known === null || ((known === 'processing' || known === 'unknown') && outcome !== known && outcome !== 'unknown');

/** Mirrors `recordChargesFrom`: an approved charge without a transaction id is still to be looked up. */
function chargeAfter(charge: MoneyOperation, outcome: AttemptOutcome, transactionId: string | null): MoneyOperation {
  const isUndecided = outcome === 'processing' || outcome === 'unknown';
  const isKept =
    (charge.state === 'pending' && outcome === 'unknown') ||
    (!charge.is_tried && isUndecided) ||
    (charge.is_tried && outcome === 'approved' && transactionId === null);
  return isKept ? charge : { ...charge, state: STATE_AFTER[outcome], is_tried: charge.is_tried && isUndecided };
}

function identified(state: MoneyState, attempt: number, transactionId: string | undefined): MoneyState {
  if (transactionId === undefined) return state;
  const attempts = state.attempts.map((row) =>
    row.number === attempt && row.provider_transaction_id === null
      ? { ...row, provider_transaction_id: transactionId }
      : row,
  );
  return { ...state, attempts };
}

const opened = (payment: PaymentRow, id: number, operation: OpenedOperation): MoneyOperation => ({
  ...{ id, state: 'open', provider_operation_id: null, idempotency_key: `key of ${id}`, reason: null, is_tried: true },
  ...{ key_calls: operation.isCalledNow ? 1 : 0, currency: payment.currency },
  ...{ attempt: operation.attempt, kind: operation.kind, cause: operation.cause, refund_id: operation.refund_id },
  amount: operation.amount ?? payment.amount,
});

function recorded(row: MoneyOperation, { state, reason, providerOperationId }: RecordedResult): MoneyOperation {
  const isClosed = state === 'confirmed' || state === 'refused';
  return {
    ...row,
    ...{ state, reason: reason ?? row.reason, is_tried: !isClosed },
    provider_operation_id: providerOperationId ?? row.provider_operation_id,
  };
}

const withOperations = (state: MoneyState, change: (row: MoneyOperation) => MoneyOperation): MoneyState => ({
  ...state,
  operations: state.operations.map(change),
});

const withOperation = (state: MoneyState, id: number, change: (row: MoneyOperation) => MoneyOperation): MoneyState =>
  withOperations(state, (row) => (row.id === id ? change(row) : row));

const withRefunds = (state: MoneyState, id: number, change: (row: MoneyRefund) => MoneyRefund): MoneyState => ({
  ...state,
  refunds: state.refunds.map((row) => (row.id === id ? change(row) : row)),
});

/** The provider's id of a refund, unless another refund of the payment has it. */
const identifiedRefund = (state: MoneyState, row: MoneyRefund, id: string | null | undefined): MoneyRefund => {
  const isFree = row.provider_refund_id === null && id !== null && id !== undefined;
  const isTaken = state.refunds.some((other) => other.provider_refund_id === id);
  return isFree && !isTaken ? { ...row, provider_refund_id: id } : row;
};

function withRefund(state: MoneyState, id: number, refund: NewRefund): MoneyState {
  const { amount, attempt, status, origin, providerRefundId = null, uncounted = amount } = refund;
  const row = { id, attempt, amount, status, origin, currency: state.payment.currency, failure_code: null };
  const refunds = [...state.refunds, { ...row, provider_refund_id: providerRefundId }];
  return { ...state, refunds, payment: counted(state.payment, uncounted) };
}

function endRefund(state: MoneyState, effect: Effect & { do: 'end_refund' }): MoneyState {
  const { refund: id, status, failureCode = null, providerRefundId } = effect;
  const row = state.refunds.find((each) => each.id === id);
  if (!row || row.status === 'failed' || row.status === status) return state;
  const ended = withRefunds(state, id, (each) => ({
    ...identifiedRefund(state, each, providerRefundId),
    ...{ status, failure_code: failureCode },
  }));
  return status === 'failed' ? { ...ended, payment: counted(ended.payment, subtractAmounts('0', row.amount)) } : ended;
}

/** Every counted amount makes the payment newer, so that no writer that has read it before overwrites the amount. */
function counted(payment: PaymentRow, amount: string): PaymentRow {
  if (Number(amount) === 0) return payment;
  const refunded = subtractAmounts(payment.amount_refunded, subtractAmounts('0', amount));
  return { ...payment, amount_refunded: refunded, updated_at: new Date(payment.updated_at.getTime() + 1) };
}

function withDispute(state: MoneyState, { attempt, report, decision }: Effect & { do: 'dispute' }): MoneyState {
  const id = report.dispute.id;
  const isSame = (row: MoneyState['disputes'][number]) => row.attempt === attempt && row.provider_dispute_id === id;
  const before = state.disputes.find(isSame);
  if (before) {
    const disputes = state.disputes.map((row) => (isSame(row) ? { ...row, ...decision.state } : row));
    return { ...state, disputes };
  }
  const row = { id: -1 - state.disputes.length, attempt, provider_dispute_id: id, ...decision.state };
  return { ...state, disputes: [...state.disputes, row] };
}

/** An early fact about the transaction id is about the attempt that got it. */
function linked(each: WaitingFact, { attempt, transactionId }: Effect & { do: 'link' }): WaitingFact {
  if (each.state !== 'early' || each.transactionId !== transactionId) return each;
  return { ...each, state: 'waits', fact: 'attempt' in each.fact ? { ...each.fact, attempt } : each.fact };
}

function settledWaiting(
  { waiting }: MoneyState,
  { id, verdict }: Effect & { do: 'settle_waiting' },
): MoneyState['waiting'] {
  const isParked = verdict.outcome === 'alarm' && verdict.reason === 'other_refund';
  if (!isParked) return waiting.filter((each) => each.id !== id);
  return waiting.map((each) => (each.id === id ? { ...each, state: 'parked' } : each));
}
