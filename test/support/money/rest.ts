import { isOpen } from '../../../src/payments/money/state/operation.js';
import { isAuthorized, isOutcomePending, wasCharged } from '../../../src/payments/money/state/state.js';
import { isObsolete, lookUpOf, obsoleteOf, outcomeOf, resultOf } from './book-facts.js';
import { chargedBook, DISPUTE_WORDS, endedAccepted, endedRefund, heldIn, refundedIn } from './charge-book.js';
import type { Decider } from './decider.js';
import type { Broken } from './invariants.js';
import { called } from './provider-calls.js';
import { tellingsOf, type Telling, timedOut, delivered } from './tellings.js';
import { arriving, bookOf, withBook, type Scenario } from './scenario.js';

const ROUNDS = 8;

/**
 * Whether the payment comes to rest, and agrees with its providers then: their outcomes come, all their notifications arrive, and recovery
 * tries each open operation. What an alarm was raised may differ.
 */
export function brokenAtRest(scenario: Scenario, decider: Decider): Broken {
  const now = atRest(scenario, decider);
  if (now.state.alarms.length > 0 && !areAlarmsOfKnownRefunds(now)) return undefined;
  // a person says that a void was not made, and knows what to do
  if (now.state.operations.some(({ kind, reason }) => kind === 'void' && reason === 'settled as not_captured: seen'))
    return undefined;
  const open = now.state.operations.find(isOpen);
  if (now.books.some((book) => isDisputeOpen(now, book))) return 'the last word about the dispute is lost';
  if (open) return `open at rest: ${open.kind} of attempt ${open.attempt} is ${open.state}`;
  return now.books.map((book) => differenceOf(now, book)).find((found) => found !== undefined);
}

/** A payment that keeps its charge follows the reports of its refunds, besides the alarm, if their ids are known. */
function areAlarmsOfKnownRefunds({ style, state }: Scenario): boolean {
  const { alarms, refunds, payment } = state;
  const isKnown = refunds.length > 0 || Number(payment.amount_refunded) === 0;
  if (style === 'bare' || !isKnown || !wasCharged(state, payment.attempt)) return false;
  const refundPattern = new RegExp(`^${payment.attempt} (refund_failed|other_refund) (op|re)_`);
  return (
    alarms.every((key) => refundPattern.test(key)) &&
    refunds.every(({ status, provider_refund_id: id }) => status === 'failed' || id !== null)
  );
}

/** Outcomes come, notifications arrive, and recovery tries what is open, until nothing is. */
export function atRest(scenario: Scenario, decider: Decider): Scenario {
  let now: Scenario = { ...scenario, isLeaseOver: true };
  for (let round = 0; round < ROUNDS; round++) {
    now = recovered(notified(finished(now), decider), decider);
    if (!isBusy(now)) break;
  }
  return timedOut(now, decider);
}

const isBusy = ({ state, books }: Scenario): boolean =>
  state.operations.some((row) => isOpen(row) && row.is_tried) ||
  state.payment.status === 'pending' ||
  books.some(({ reports, accepted }) => accepted !== null || reports.some(({ isDelivered }) => !isDelivered));

/** Providers end what they have accepted. */
const finished = (scenario: Scenario): Scenario =>
  scenario.books.reduce((now, { attempt }) => {
    let book = bookOf(now, attempt);
    if (book.accepted) book = endedAccepted(book, true);
    if (book.status === 'processing')
      book = chargedBook(book, scenario.state.payment.capture === 'manual' ? 'authorized' : 'captured');
    for (const { id, status } of book.refunds) if (status === 'pending') book = endedRefund(book, id, 'succeeded');
    return withBook(now, book);
  }, scenario);

function notified(scenario: Scenario, decider: Decider): Scenario {
  const isUntold = ({ report }: Telling): boolean =>
    report !== undefined && !bookOf(scenario, report.attempt).reports[report.index]!.isDelivered;
  return tellingsOf(scenario)
    .filter(isUntold)
    .reduce((now, telling) => delivered(now, telling, decider)?.to ?? now, scenario);
}

/** Recovery tries each operation. */
function recovered(scenario: Scenario, decider: Decider): Scenario {
  const give = (now: Scenario, fact: Telling['fact']): Scenario =>
    delivered(now, { name: '', fact }, decider)?.to ?? now;
  let now = scenario;
  for (const { id } of scenario.state.operations) {
    const row = now.state.operations.find((each) => each.id === id);
    if (!row || !isOpen(row) || !row.is_tried) continue;
    if (row.kind === 'charge') {
      const { payment } = now.state;
      const isKnown = payment.attempt === row.attempt && (Number(payment.amount_captured) > 0 || isAuthorized(payment));
      const about = { about: 'charge', source: 'look_up', attempt: row.attempt } as const;
      if (!isKnown && bookOf(now, row.attempt).status === 'none' && isOutcomePending(payment, row.attempt))
        now = withBook(
          now,
          chargedBook(bookOf(now, row.attempt), payment.capture === 'manual' ? 'authorized' : 'captured'),
        );
      now = give(
        now,
        isKnown ? { ...about, status: 'identified', transactionId: `tx${row.attempt}` } : lookUpOf(now, row.attempt),
      );
      continue;
    }
    if (isObsolete(row, now)) {
      now = give(now, obsoleteOf(row));
      continue;
    }
    now = withBook(now, called(bookOf(now, row.attempt), arriving(now.state, row), 'done')!);
    // an accepted operation is looked up
    const charge = row.state === 'pending' && row.kind !== 'refund' ? lookedUp(now, row) : undefined;
    now = give(now, outcomeOf(now, row) ?? charge ?? resultOf(now, row));
  }
  return now;
}

function lookedUp(scenario: Scenario, row: Parameters<typeof resultOf>[1]): Telling['fact'] | undefined {
  const charge = lookUpOf(scenario, row.attempt);
  if (charge.status === 'processing' || charge.status === 'authorized') return undefined;
  const base = { about: 'operation', operation: row.id, key: row.idempotency_key, lastAnswer: charge.status } as const;
  return { ...base, result: { outcome: 'refused', reason: `the provider says: ${charge.status}` }, charge };
}

/** The provider's last word about a dispute counts, in any order of its reports. */
function isDisputeOpen({ state }: Scenario, { reports }: Scenario['books'][number]): boolean {
  const words = reports.flatMap(({ word }) => (word === undefined ? [] : [DISPUTE_WORDS[word]]));
  return words.length > 0 && state.disputes[0]?.status !== words.at(-1);
}

function differenceOf({ state }: Scenario, book: Scenario['books'][number]): Broken {
  const { payment } = state;
  const { status, attempt } = payment;
  const isKept = attempt === book.attempt && (status === 'completed' || status === 'refunded');
  const text = `different at rest: the payment is ${status}, and provider ${book.attempt} has ${book.status} ${book.captured} and refunded ${refundedIn(book)}`;
  if (
    !isKept &&
    book.capturedBy !== null &&
    heldIn({ ...book, refunds: book.refunds.filter(({ call }) => call === null) }) > 0
  )
    return `what the merchant captured is given back: ${text}`;
  if (isKept) {
    const isSame =
      Number(payment.amount_captured) === book.captured && Number(payment.amount_refunded) === refundedIn(book);
    return isSame
      ? undefined
      : `${text}; we count ${Number(payment.amount_captured)} and ${Number(payment.amount_refunded)}`;
  }
  const isWaiting = attempt === book.attempt && isAuthorized(payment);
  if (isWaiting !== (book.status === 'authorized') || heldIn(book) !== 0) return text;
  return status === 'pending' || (status === 'processing' && !isWaiting && attempt === book.attempt) ? text : undefined;
}
