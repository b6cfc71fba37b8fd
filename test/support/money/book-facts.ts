import { factOf, factOfAnswer, factOfState } from '../../../src/payments/money/state/call-fact.js';
import type { ChargeFact, Fact, OperationFact } from '../../../src/payments/money/state/fact.js';
import type { ReportedEvent } from '../../../src/payments/money/state/notification.js';
import { mustReverse } from '../../../src/payments/money/state/operation.js';
import { isOutcomePending, type MoneyOperation } from '../../../src/payments/money/state/state.js';
import type { ProviderState } from '@payment-orchestrator/provider-kit';
import type { DisputeReport } from '../../../src/payments/money/state/dispute.js';
import { type ChargeBook, DISPUTE_WORDS, idOf, type Report, succeededIn, WHOLE } from './charge-book.js';
import { NOW } from './builders.js';
import { bookOf, callName, type Scenario } from './scenario.js';

const LAPSES_AT = new Date('2026-01-09T00:00:00Z');

export const transactionId = (attempt: number): string => `tx${attempt}`;

/** The provider's state when it is asked. */
function stateOf(book: ChargeBook, { style }: Pick<Scenario, 'style'>): ProviderState {
  if (book.status === 'none') return { status: 'not_found' };
  const base = { transactionId: transactionId(book.attempt), amount: String(WHOLE), currency: 'EUR' };
  const refunded = succeededIn(book);
  const isRefunded = book.status === 'captured' && refunded === book.captured;
  const status = isRefunded ? 'refunded' : book.status === 'processing' ? 'open' : book.status;
  const sums = { capturedAmount: String(book.captured), refundedAmount: String(refunded) };
  return { status, ...base, ...(style !== 'bare' && book.status === 'captured' && sums) };
}

export const lookUpOf = (scenario: Scenario, attempt: number): ChargeFact =>
  factOfState(
    stateOf(bookOf(scenario, attempt), scenario),
    attempt,
    scenario.state.payment.capture,
    scenario.state.payment.amount_refunded,
  );

/** The fact of the answer to the charge's call. */
export function answerOf({ attempt, chargeAnswer }: ChargeBook): ChargeFact {
  const id = { transactionId: transactionId(attempt) };
  const end = { number: attempt, declineCode: null } as const;
  switch (chargeAnswer!) {
    case 'captured':
      return factOfAnswer({ ...end, outcome: 'approved' }, { outcome: 'approved', ...id });
    case 'authorized':
      return factOfAnswer({ ...end, outcome: 'approved' }, { outcome: 'authorized', captureBefore: LAPSES_AT, ...id });
    case 'processing':
      return factOfAnswer({ ...end, outcome: 'processing' }, { outcome: 'processing', ...id });
    case 'declined': {
      const declineCode = 'do_not_honor';
      return factOfAnswer({ ...end, outcome: 'declined', declineCode }, { outcome: 'declined', declineCode, ...id });
    }
  }
}

/** No answer came in time. */
export const silenceOf = (attempt: number): ChargeFact => ({
  ...{ about: 'charge', source: 'answer', attempt, status: 'unknown' },
  end: { number: attempt, outcome: 'unknown', declineCode: null },
});

/** A notification, as the provider's style tells it. */
function eventOf({ style }: Scenario, attempt: number, report: Report): ReportedEvent {
  const isBare = style === 'bare';
  return {
    ...{ provider: `p${attempt}`, status: report.status, transactionId: transactionId(attempt) },
    ...{
      reference: style === 'unnamed' ? null : `ref${attempt}`,
      currency: 'EUR',
      declineCode: null,
      dispute: disputeOf(report),
    },
    amount: report.amount === null || isBare ? null : String(report.amount),
    ...{ operationId: isBare ? null : report.operationId, data: {}, receivedAt: NOW },
  };
}

function disputeOf({ word }: Report): DisputeReport | null {
  if (word === undefined) return null;
  const at = new Date(NOW.getTime() + word * 1_000);
  const dispute = { id: 'dp_1', kind: 'chargeback', amount: String(WHOLE), currency: 'EUR', openedAt: NOW } as const;
  return { dispute: { ...dispute, status: DISPUTE_WORDS[word]! }, at };
}

export const notificationOf = (scenario: Scenario, attempt: number, report: Report): Fact =>
  factOf(eventOf(scenario, attempt, report), attempt, scenario.state.payment.capture);

/**
 * The fact of the provider's answer to the call of an operation, as the runner hands it over: after a refusal of a capture or a necessary
 * reversal the charge is looked up, and its state decides if it says anything.
 */
export function resultOf(scenario: Scenario, operation: MoneyOperation): OperationFact {
  const { state } = scenario;
  const { id, attempt, kind, idempotency_key: key } = operation;
  const { outcome, operationId } = bookOf(scenario, attempt).answers[callName(state, operation)]!;
  const base = { about: 'operation', operation: id, key, lastAnswer: outcome } as const;
  const named = scenario.style === 'bare' && outcome !== 'pending' ? undefined : (operationId ?? undefined);
  if (outcome === 'pending') return { ...base, result: { outcome, operationId: named! } };
  if (outcome === 'confirmed') return { ...base, result: { outcome, operationId: named } };
  const result = { outcome, reason: 'refused' } as const;
  const charge = lookUpOf(scenario, attempt);
  const isAsked = kind === 'capture' || kind === 'void' || mustReverse(operation, state.payment.status);
  const isUndecided = charge.status === 'processing' || charge.status === 'authorized';
  const isCaptured =
    bookOf(scenario, attempt).status === 'captured' &&
    stateOf(bookOf(scenario, attempt), scenario).status === 'captured';
  const saysNothing =
    isUndecided || (kind === 'capture' && charge.status === 'not_found') || (kind === 'refund' && isCaptured);
  if (!isAsked || saysNothing) return { ...base, result };
  return { ...base, lastAnswer: charge.status, result, charge };
}

/** The outcome of an accepted operation, when it is looked up by its id. `undefined`: none yet. */
export function outcomeOf(scenario: Scenario, operation: MoneyOperation): OperationFact | undefined {
  const { id, attempt, idempotency_key: key } = operation;
  const name = callName(scenario.state, operation);
  const outcome = bookOf(scenario, attempt).outcomes[name];
  if (outcome === undefined || scenario.style === 'bare') return undefined;
  const result =
    outcome === 'confirmed'
      ? { outcome, operationId: idOf(name) }
      : { outcome, reason: 'refused', operationId: idOf(name) };
  return { about: 'operation', operation: id, key, lastAnswer: outcome, result };
}

/** A void that is no longer needed, as the runner refuses it. */
export const obsoleteOf = ({ id, idempotency_key: key }: MoneyOperation): OperationFact => ({
  ...{ about: 'operation', operation: id, key, lastAnswer: 'refused' },
  result: { outcome: 'refused', reason: 'the payment already has its outcome', isFinal: true },
});

export const isObsolete = ({ kind, cause, attempt }: MoneyOperation, { state: { payment } }: Scenario): boolean =>
  kind === 'void' &&
  cause !== 'charged_after_end' &&
  payment.attempt === attempt &&
  !isOutcomePending(payment, attempt) &&
  payment.status !== 'cancelled';
