import type { RequestFact, SettlementFact } from '../../../src/payments/money/state/fact.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import { isAuthorized, type MoneyOperation } from '../../../src/payments/money/state/state.js';
import { transactionId } from './book-facts.js';
import { type ChargeBook, heldIn, OTHER_PART, PART, WHOLE } from './charge-book.js';
import type { Telling } from './tellings.js';
import { bookOf, callName, type Scenario } from './scenario.js';

const MAX_REQUESTS = 3;

/** Requests of clients and persons that are possible now. */
export const wishesOf = (scenario: Scenario): Telling[] => [...requestsOf(scenario), ...settlementsOf(scenario)];

function requestsOf({ state, requests, style, books }: Scenario): Telling[] {
  if (requests >= MAX_REQUESTS) return [];
  const { payment, refunds } = state;
  const request = (name: string, fact: RequestFact): Telling => ({ name: `request: ${name}`, fact });
  const capture = { about: 'request', what: 'capture', canCaptureParts: style !== 'bare' } as const;
  const fields = {};
  const refund = {
    about: 'request',
    what: 'refund',
    canRefundParts: style !== 'bare',
    isConfirmed: true,
    fields,
  } as const;
  const isMixed = style === 'bare' && books.some((book) => book.refunds.some(({ call }) => call === null));
  const isEnded = payment.status === 'failed' || payment.status === 'cancelled';
  return [
    ...(isEnded ? [] : [request('cancel', { about: 'request', what: 'cancel' })]),
    ...(isAuthorized(payment)
      ? [
          request('capture all', { ...capture, amount: undefined }),
          request(`capture ${PART}`, { ...capture, amount: String(PART) }),
        ]
      : []),
    ...(payment.status === 'completed' && refunds.length < 2 && !isMixed
      ? [
          request('refund the rest', { ...refund, amount: undefined, isRest: true }),
          request(`refund ${OTHER_PART}`, { ...refund, amount: String(OTHER_PART), isRest: false }),
        ]
      : []),
  ];
}

/** True findings of a person at the provider. */
function settlementsOf(scenario: Scenario): Telling[] {
  return scenario.state.operations
    .filter((row) => isOpen(row) && !isCallOnItsWay(scenario, row))
    .flatMap((row) => {
      const book = bookOf(scenario, row.attempt);
      return outcomesOf(book, row, scenario).map((outcome): Telling => {
        const amount = row.kind === 'refund' ? row.amount : String(book.captured || WHOLE);
        const made = book.refunds.find(({ call }) => call === callName(scenario.state, row));
        const providerId = row.kind === 'charge' ? transactionId(row.attempt) : made?.id;
        const fact: SettlementFact = {
          ...{ about: 'settlement', operation: row.id, outcome, amount, providerId, reason: 'seen' },
        };
        return { name: `a person settles ${row.kind} ${callName(scenario.state, row)} as ${outcome}`, fact };
      });
    });
}

/** The call may arrive later, so no one settles it. */
const isCallOnItsWay = (scenario: Scenario, row: MoneyOperation): boolean => {
  const book = bookOf(scenario, row.attempt);
  if (row.kind === 'charge') return book.status === 'none' || book.status === 'processing';
  return row.is_tried && !book.answers[callName(scenario.state, row)];
};

function outcomesOf(book: ChargeBook, row: MoneyOperation, scenario: Scenario): SettlementFact['outcome'][] {
  if (row.kind === 'refund') {
    const made = book.refunds.find(({ call }) => call === callName(scenario.state, row));
    if (made?.status === 'pending') return [];
    if (made?.status === 'succeeded') return ['refunded'];
    return row.cause === 'charged_after_end' ? [] : ['not_refunded'];
  }
  switch (book.status) {
    case 'captured':
      return book.refunds.length === 0 ? ['captured'] : heldIn(book) === 0 ? ['refunded'] : [];
    case 'voided':
      return ['voided'];
    case 'declined':
      return ['not_captured'];
    case 'authorized':
      return row.kind !== 'charge' && book.accepted === null ? ['not_captured'] : [];
    default:
      return [];
  }
}
