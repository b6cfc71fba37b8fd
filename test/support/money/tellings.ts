import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { NotificationVerdict } from '../../../src/payments/money/state/notification.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import type { MoneyState, WaitingFact } from '../../../src/payments/money/state/state.js';
import { Problem } from '../../../src/shared/problem.js';
import {
  answerOf,
  isObsolete,
  lookUpOf,
  notificationOf,
  obsoleteOf,
  outcomeOf,
  resultOf,
  silenceOf,
  transactionId,
} from './book-facts.js';
import type { Report } from './charge-book.js';
import { type Decider, momentOf } from './decider.js';
import { bookOf, callName, type Step, withBook, type Scenario } from './scenario.js';

/** A step whose fact is to be decided. */
export interface Telling {
  name: string;
  fact: Fact;
  /** Its notification: attempt, and place in the provider's reports. */
  report?: { attempt: number; index: number };
}

/** All that may be reported about a payment now: answers, states that are looked up, notifications, results of calls. */
export const tellingsOf = (scenario: Scenario): Telling[] => [
  ...scenario.books.flatMap(({ attempt }) => [
    ...chargeTellings(scenario, attempt),
    ...reportTellings(scenario, attempt),
  ]),
  ...operationTellings(scenario),
];

function chargeTellings(scenario: Scenario, attempt: number): Telling[] {
  const book = bookOf(scenario, attempt);
  const { payment, attempts, operations } = scenario.state;
  const charge = operations.find((row) => row.kind === 'charge' && row.attempt === attempt)!;
  const isAnswered = attempts.find(({ number }) => number === attempt)!.outcome !== null;
  const mayAnswer = book.chargeAnswer !== null && charge.state !== 'refused';
  const wasKept = payment.attempt === attempt && Number(payment.amount_captured) > 0;
  const possible: Telling[] = [];
  if (mayAnswer) possible.push({ name: `answer to charge ${attempt}: ${book.chargeAnswer}`, fact: answerOf(book) });
  if (!isAnswered) possible.push({ name: `no answer to charge ${attempt}`, fact: silenceOf(attempt) });
  const isUnasked = book.status === 'none' && (payment.status === 'pending' || charge.state === 'refused');
  if (!isUnasked && !(wasKept && book.status === 'none'))
    possible.push({ name: `look-up of charge ${attempt}: ${book.status}`, fact: lookUpOf(scenario, attempt) });
  if (scenario.isLeaseOver && isOpen(charge) && charge.is_tried && Number(payment.amount_authorized) === 0)
    possible.push({
      name: `charge ${attempt} is lost`,
      fact: { about: 'charge', source: 'look_up', attempt, status: 'lost' },
    });
  return possible;
}

const reportTellings = (scenario: Scenario, attempt: number): Telling[] =>
  bookOf(scenario, attempt).reports.map((report, index) => ({
    name: `notification of charge ${attempt}: ${report.status} ${report.amount ?? ''} ${report.operationId ?? ''}`.trim(),
    fact: notificationOf(scenario, attempt, report),
    report: { attempt, index },
  }));

const operationTellings = (scenario: Scenario): Telling[] =>
  scenario.state.operations.flatMap((row) => {
    if (row.kind === 'charge' || !isOpen(row) || !row.is_tried) return [];
    const name = `${row.kind} ${callName(scenario.state, row)}`;
    if (isObsolete(row, scenario)) return [{ name: `${name} is not needed`, fact: obsoleteOf(row) }];
    const answer = bookOf(scenario, row.attempt).answers[callName(scenario.state, row)];
    const outcome = outcomeOf(scenario, row);
    return [
      ...(answer ? [{ name: `answer to ${name}: ${answer.outcome}`, fact: resultOf(scenario, row) }] : []),
      ...(outcome ? [{ name: `look-up of ${name}: ${outcome.result.outcome}`, fact: outcome }] : []),
    ];
  });

/** The scenario after a fact was decided, and kept where it waits. `null`: it was refused, or has no effect now. */
export function delivered(
  scenario: Scenario,
  telling: Telling,
  decider: Decider,
): (Step & { verdict: NotificationVerdict }) | null {
  const { report, fact, name } = telling;
  const book = report && bookOf(scenario, report.attempt);
  const id = report ? report.attempt * 1_000 + report.index : 0;
  if (report && scenario.state.waiting.some((each) => each.id === id)) return null;
  if (book && isNamelessAgain(scenario, book.reports[report.index]!)) return null;
  const known = book ? withFailure(scenario.state, fact) : scenario.state;
  if (report && isEarly(scenario, report.attempt)) return early(scenario, telling, id);
  try {
    const { state: decided, verdict } = decider.decide(known, fact, momentOf(scenario));
    const state = report ? kept(decided, id, fact, verdict) : decided;
    const to = { ...scenario, state };
    return { name, fact, verdict, to: book ? withBook(to, isDelivered(book, report.index)) : to };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Without an id of the operation only the inbox can say that it was delivered before. */
const isNamelessAgain = ({ style }: Scenario, { isDelivered: isAgain, status }: Report): boolean =>
  isAgain && style === 'bare' && /^(refunded|.*_failed)$/.test(status);

const isDelivered = (book: Scenario['books'][number], index: number): Scenario['books'][number] => ({
  ...book,
  reports: book.reports.map((each, at) => (at === index ? { ...each, isDelivered: true } : each)),
});

/** The inbox stores each notification before it is decided. */
function withFailure(state: MoneyState, fact: Fact): MoneyState {
  if (fact.about !== 'refund' || fact.event.status !== 'refund_failed') return state;
  const { operationId } = fact.event;
  if (operationId === null || state.failedRefunds.includes(operationId)) return state;
  return { ...state, failedRefunds: [...state.failedRefunds, operationId] };
}

const isEarly = ({ style, state }: Scenario, attempt: number): boolean =>
  style === 'unnamed' && state.attempts.find(({ number }) => number === attempt)!.provider_transaction_id === null;

function early(
  scenario: Scenario,
  { report, fact, name }: Telling,
  id: number,
): Step & { verdict: NotificationVerdict } {
  const state = withWaiting(withFailure(scenario.state, fact), {
    id,
    fact,
    isTimedOut: false,
    state: 'early',
    transactionId: transactionId(report!.attempt),
  });
  const to = withBook({ ...scenario, state }, isDelivered(bookOf(scenario, report!.attempt), report!.index));
  return { name, fact, verdict: { outcome: 'waiting', reason: 'unknown_payment' }, to };
}

function kept(state: MoneyState, id: number, fact: Fact, { outcome, reason }: NotificationVerdict): MoneyState {
  if (outcome === 'waiting') return withWaiting(state, { id, fact, isTimedOut: false, state: 'waits' });
  const isParked = outcome === 'alarm' && reason === 'other_refund';
  return isParked ? withWaiting(state, { id, fact, isTimedOut: false, state: 'parked' }) : state;
}

/** In the order in which they are loaded. */
function withWaiting(state: MoneyState, each: WaitingFact): MoneyState {
  const order = ({ fact }: WaitingFact): number => {
    const place = 'event' in fact && fact.event ? LOADED_IN_ORDER.indexOf(fact.event.status) : -1;
    return place < 0 ? LOADED_IN_ORDER.length : place;
  };
  const waiting = [...state.waiting, each].sort((one, other) => order(one) - order(other) || one.id - other.id);
  return { ...state, waiting };
}

const LOADED_IN_ORDER: readonly string[] = ['processing', 'authorized', 'completed', 'failed', 'cancelled'];

/** The waits end: what has not become legal is ignored, or reported to a person. */
export function timedOut(scenario: Scenario, decider: Decider): Scenario {
  const waiting = scenario.state.waiting.map((each) => ({ ...each, isTimedOut: true }));
  return { ...scenario, state: decider.decideWaiting({ ...scenario.state, waiting }, momentOf(scenario)).state };
}
