import type { MoneyOperation, MoneyState } from '../../../src/payments/money/state/state.js';
import type { ChargeBook } from './charge-book.js';
import { callName, type Scenario } from './scenario.js';

/** A text that is equal for scenarios in which the same can happen: ids, times and texts have no part in it. */
export const scenarioText = (scenario: Scenario): string => {
  const { state, books, isLeaseOver, isOdd, requests } = scenario;
  return [stateText(state), ...books.map(bookText), Number(isLeaseOver), Number(isOdd), requests].join('#');
};

/** The money of a payment. Without `isHistory`: apart from causes, counters and the order of its operations. */
export function stateText(state: MoneyState, isHistory = true): string {
  const { payment, attempts, operations, refunds, disputes, waiting, failedRefunds, alarms } = state;
  const { status, attempt, amount_authorized: held, amount_captured: captured, amount_refunded: refunded } = payment;
  const ops = operations.map((row) => operationText(state, row, isHistory));
  const money = refunds.map(
    (row) => `${Number(row.amount)} ${row.status} ${row.origin} ${row.provider_refund_id ?? ''}`,
  );
  return [
    [status, attempt, Number(held), Number(captured), Number(refunded), payment.charged_after_end ? 'late' : ''].join(
      ' ',
    ),
    attempts.map((row) => `${row.number} ${row.outcome ?? ''} ${row.provider_transaction_id ?? ''}`).join(),
    (isHistory ? ops : ops.sort()).join(),
    (isHistory ? money : money.sort()).join(),
    disputes.map((row) => `${row.status} ${row.amount}`).join(),
    waiting
      .map((each) => `${each.id} ${each.state}`)
      .sort()
      .join(),
    [...failedRefunds].sort().join(),
    [...alarms].sort().join(),
  ].join('|');
}

function operationText(state: MoneyState, row: MoneyOperation, isHistory: boolean): string {
  const refund = state.refunds.findIndex(({ id }) => id === row.refund_id);
  const base = [row.attempt, row.kind, row.state, Number(row.amount), row.is_tried ? 'tried' : ''];
  if (!isHistory) return base.join(' ');
  const isCalledAgain = row.key_calls > 1 ? 'again' : '';
  return [...base, row.cause, refund, callName(state, row), row.provider_operation_id ?? '', isCalledAgain].join(' ');
}

function bookText(book: ChargeBook): string {
  const { status, captured, refunds, accepted, isRestOver, chargeAnswer, answers, outcomes, reports } = book;
  return [
    [
      status,
      captured,
      book.capturedBy,
      accepted ? `${accepted.kind} ${accepted.call}` : '',
      isRestOver,
      chargeAnswer,
    ].join(' '),
    refunds.map(({ id, amount, status: is }) => `${id} ${amount} ${is}`).join(),
    Object.entries(answers)
      .map(([name, { outcome }]) => `${name} ${outcome}`)
      .sort()
      .join(),
    Object.entries(outcomes).join(),
    reports.map((each) => `${each.status} ${each.amount} ${each.operationId} ${each.isDelivered}`).join(),
  ].join('|');
}
