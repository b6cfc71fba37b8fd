import { apply } from '../../../src/payments/money/state/apply.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import { captureOf, isAuthorized, wasCharged } from '../../../src/payments/money/state/state.js';
import {
  capturedBook,
  type ChargeBook,
  chargedBook,
  DISPUTE_WORDS,
  endedAccepted,
  endedRefund,
  heldIn,
  OTHER_PART,
  PART,
  refundedBook,
  reported,
  voidedBook,
  WHOLE,
} from './charge-book.js';
import { called, FATES } from './provider-calls.js';
import { isObsolete } from './book-facts.js';
import { arriving, bookOf, callName, type Step, withBook, type Scenario } from './scenario.js';

/** Steps of the providers that are possible now: calls arrive, outcomes come, people act in a dashboard, authorisations lapse. */
export const happeningsOf = (scenario: Scenario): Step[] => [
  ...scenario.books.flatMap((book) => bookSteps(scenario, book)),
  ...callSteps(scenario),
  ...timeSteps(scenario),
];

type Change = [name: string, book: ChargeBook, isOdd?: boolean];

function bookSteps(scenario: Scenario, book: ChargeBook): Step[] {
  const changes: Change[] = [
    ...chargeChanges(scenario, book),
    ...authorizationChanges(scenario, book),
    ...acceptedChanges(book),
    ...oddChanges(scenario, book),
    ...disputeChanges(scenario, book),
    ...refundChanges(scenario, book),
  ];
  return changes.map(([what, after, isOdd = false]) => ({
    name: `provider ${book.attempt}: ${what}`,
    to: { ...withBook(scenario, after), isOdd: scenario.isOdd || isOdd },
  }));
}

function chargeChanges({ state }: Scenario, book: ChargeBook): Change[] {
  const isManual = state.payment.capture === 'manual';
  if (book.status !== 'none' && book.status !== 'processing') return [];
  if (book.accepted !== null) return [];
  // the charge of an attempt that failed over arrives late
  const fates = (['captured', 'authorized', 'processing', 'declined'] as const).filter(
    (to) => to !== book.status && to !== (isManual ? 'captured' : 'authorized'),
  );
  return fates.map((to) => [`the charge is ${to}`, chargedBook(book, to)]);
}

function authorizationChanges({ style }: Scenario, book: ChargeBook): Change[] {
  const { accepted, captured } = book;
  const isRest = !book.isRestOver && (accepted?.kind === 'capture' ? accepted.amount : captured) % WHOLE !== 0;
  const rest: Change[] = isRest
    ? [['the rest lapses', reported({ ...book, isRestOver: true }, 'authorization_expired')]]
    : [];
  if (book.status !== 'authorized' || accepted !== null) return rest;
  return [
    ['the authorisation lapses', voidedBook(book, 'authorization_expired')],
    ['a person cancels', voidedBook(book, 'cancelled')],
    ['a person captures all', capturedBook(book, WHOLE, null)],
    ...(style === 'bare' ? [] : [['a person captures a part', capturedBook(book, PART, null)] satisfies Change]),
  ];
}

/** Contradictions of earlier reports, for which a person must look. */
function oddChanges({ style, state }: Scenario, book: ChargeBook): Change[] {
  const isManual = state.payment.capture === 'manual';
  const { status, captured, refunds, reports } = book;
  const changes: Change[] = [];
  const isTried = reports.some((report) => report.status === 'failed');
  // the report of a failed try confirms a void that was not called: a try that is authorised after it is held until it lapses
  if (status === 'processing' && !isTried && book.accepted === null && !isManual)
    changes.push(['a try of the payer fails', reported(book, 'failed')]);
  if (style !== 'bare' && status === 'none' && !isManual) {
    const other = { ...capturedBook(book, OTHER_PART, null), chargeAnswer: 'processing' } as const;
    changes.push([`${OTHER_PART} is captured, which no one asked for`, other, true]);
  }
  if (status !== 'captured' || refunds.length > 0 || captured === OTHER_PART) return changes;
  if (captured < WHOLE && !book.isRestOver)
    changes.push([
      'a second part is captured',
      { ...capturedBook(book, WHOLE, null), capturedBy: book.capturedBy },
      true,
    ]);
  // a notification cannot tell it from the cancellation of the rest
  if (captured < WHOLE) return changes;
  const cancelled = { ...book, captured: 0, capturedBy: null };
  return [...changes, ['the captured charge is cancelled', voidedBook(cancelled, 'cancelled'), true]];
}

function disputeChanges({ isDisputed }: Scenario, book: ChargeBook): Change[] {
  const word = book.reports.filter(({ status }) => status === 'disputed').length;
  if (!isDisputed || book.status !== 'captured' || word >= DISPUTE_WORDS.length) return [];
  return [[`the dispute is ${DISPUTE_WORDS[word]}`, reported(book, 'disputed', { word })]];
}

function acceptedChanges(book: ChargeBook): Change[] {
  const { accepted } = book;
  if (!accepted) return [];
  return [
    [`the accepted ${accepted.kind} is made`, endedAccepted(book, true)],
    [`the accepted ${accepted.kind} fails`, endedAccepted(book, false), true],
  ];
}

function refundChanges(scenario: Scenario, book: ChargeBook): Change[] {
  const isKept = wasCharged(scenario.state, book.attempt);
  const isOurs = scenario.state.operations.some((row) => row.kind === 'refund' && row.attempt === book.attempt);
  // without ids, the refunds of a person cannot be distinguished from ours
  const isDelivered = scenario.style !== 'bare' || !isOurs;
  const isFirst = isDelivered && book.refunds.every(({ call }) => call !== null) && book.status === 'captured';
  const made = (scenario.style === 'bare' ? [WHOLE] : [heldIn(book), OTHER_PART])
    .filter((amount, index, all) => isFirst && amount > 0 && amount <= heldIn(book) && all.indexOf(amount) === index)
    .map((amount): Change => {
      const isOdd = !isKept || isOurs || scenario.style === 'bare';
      return [`a person refunds ${amount}`, refundedBook(book, { call: null, amount, status: 'succeeded' }), isOdd];
    });
  const ended = book.refunds.flatMap(({ id, status, call }): Change[] => {
    if (status === 'failed') return [];
    // a failure without an id says nothing about a refund that has one
    if (scenario.style === 'bare')
      return status === 'pending' ? [[`the refund ${id} is made`, endedRefund(book, id, 'succeeded')]] : [];
    const failed = endedRefund(book, id, 'failed');
    const isOddFailure = status === 'succeeded' || call === null || !isKept;
    const fails: Change = [`the refund ${id} fails`, failed, isOddFailure];
    return status === 'pending' ? [[`the refund ${id} is made`, endedRefund(book, id, 'succeeded')], fails] : [fails];
  });
  return [...made, ...ended];
}

/** Calls of open operations arrive. A key that was replaced twice is not called: the state would grow for ever. */
function callSteps(scenario: Scenario): Step[] {
  return scenario.state.operations.flatMap((row) => {
    if (row.kind === 'charge' || !isOpen(row) || !row.is_tried || isObsolete(row, scenario)) return [];
    const book = bookOf(scenario, row.attempt);
    const name = callName(scenario.state, row);
    if (book.answers[name] || name.includes("''")) return [];
    return FATES.flatMap((fate) => {
      const after = called(book, arriving(scenario.state, row), fate);
      return after ? [{ name: `call of ${row.kind} ${name} arrives: ${fate}`, to: withBook(scenario, after) }] : [];
    });
  });
}

/** Times that pass: of the call of the charge, of the payment, of the authorisation. */
function timeSteps(scenario: Scenario): Step[] {
  const { state, isLeaseOver } = scenario;
  const { payment, operations } = state;
  const { status, attempt } = payment;
  const steps: Step[] = [];
  if (!isLeaseOver) steps.push({ name: 'the time of the call is over', to: { ...scenario, isLeaseOver: true } });
  const isVoided = operations.some((row) => row.kind === 'void' && row.attempt === attempt && row.state !== 'refused');
  if (isVoided || !isLeaseOver) return steps;
  if (status === 'pending') steps.push(opened('the payment expires', scenario, 'expired'));
  if (isAuthorized(payment) && !captureOf(operations, attempt))
    steps.push(opened('the authorisation is over', scenario, 'authorization_expired'));
  return steps;
}

function opened(name: string, scenario: Scenario, cause: 'expired' | 'authorization_expired'): Step {
  const { attempt } = scenario.state.payment;
  const id = Math.min(0, ...[...scenario.state.operations, ...scenario.state.refunds].map((row) => row.id)) - 1;
  const operation = { attempt, kind: 'void', cause, refund_id: null, isCalledNow: false } as const;
  return { name, to: { ...scenario, state: apply(scenario.state, { do: 'open', id, operation }) } };
}
