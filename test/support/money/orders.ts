import type { MoneyState } from '../../../src/payments/money/state/state.js';
import { stateText } from './canonical.js';
import type { Decider } from './decider.js';
import { type Exception, type Exceptions, isExplained } from './exceptions.js';
import type { Broken } from './invariants.js';
import { atRest } from './rest.js';
import { tellingsOf, type Telling, delivered } from './tellings.js';
import { bookOf, type Scenario } from './scenario.js';

interface Pair {
  scenario: Scenario;
  one: Telling;
  other: Telling;
  /** The money at rest after both orders. */
  ends: [string, string];
}

/** Pairs of facts of which the first to come decides. */
export const ORDER_EXCEPTIONS: readonly Exception<Pair>[] = [
  {
    why: 'a charge was declined, and its void is made: the payment failed or is cancelled, as the first says',
    isMet: ({ ends }) => ends.every((end) => /^(failed|cancelled) \d 0 0 {2}$/.test(end)),
  },
  {
    why: 'sums and reports without an id cannot say which refund failed: an alarm in both orders',
    isMet: ({ ends }) => ends.every((end) => end.endsWith('alarm')),
  },
  {
    why: 'a refund of ours that failed before its success was recorded is no alarm',
    isMet: ({ scenario, ends }) =>
      ends[0].replace('alarm', '') === ends[1].replace('alarm', '') &&
      scenario.books.some(({ outcomes }) => Object.values(outcomes).includes('refused')),
  },
  {
    why: 'a person captures a part, and the rest lapses before the capture is reported',
    isMet: ({ scenario }) =>
      scenario.books.some((book) => book.isRestOver && book.captured > 0 && book.capturedBy === null),
  },
  {
    why: 'a person refunds a late charge before it is known: the amount may differ, which is an alarm',
    isMet: ({ scenario, ends }) => hasRefundOfPerson(scenario) && ends.some((end) => end.endsWith('alarm')),
  },
  {
    why: 'a failed try of the payer ends the payment, so that a later success is reversed',
    isMet: ({ scenario }) => scenario.books.some((book) => book.status !== 'declined' && isReported(book, 'failed')),
  },
  {
    why: 'a charge that the provider cancels was not charged, if no report came before',
    isMet: ({ scenario }) => scenario.books.some((book) => book.status === 'voided' && isReported(book, 'completed')),
  },
  {
    why: 'a second part of a late charge is captured: the first amount to be reported is reversed',
    isMet: ({ scenario }) =>
      scenario.books.some(({ reports }) => reports.filter(({ status }) => status === 'completed').length > 1),
  },
  {
    why: 'a void finds that a person has given the charge back, so that nothing is charged',
    isMet: ({ scenario, one, other }) => hasRefundOfPerson(scenario) && [one, other].some(isResultOfVoid(scenario)),
  },
];

const isReported = ({ reports }: Scenario['books'][number], what: string): boolean =>
  reports.some(({ status }) => status === what);

const hasRefundOfPerson = ({ books }: Scenario): boolean =>
  books.some(({ refunds }) => refunds.some(({ call }) => call === null));

const isResultOfVoid =
  ({ state }: Scenario) =>
  ({ fact }: Telling): boolean =>
    fact.about === 'operation' && state.operations.find(({ id }) => id === fact.operation)?.kind === 'void';

/** Two facts that can overtake each other lead to the same money in both orders, at the latest when the payment rests. */
export function brokenInAnyOrder(scenario: Scenario, decider: Decider, exceptions: Exceptions): Broken {
  const tellings = tellingsOf(scenario).filter((telling) => mayOvertake(scenario, telling));
  for (const [index, one] of tellings.entries()) {
    for (const other of tellings.slice(index + 1)) {
      const [first, second] = [
        [one, other],
        [other, one],
      ].map((order) => order.reduce((now, telling) => delivered(now, telling, decider)?.to ?? now, scenario)) as [
        Scenario,
        Scenario,
      ];
      if (stateText(first.state, false) === stateText(second.state, false)) continue;
      const ends = [first, second].map((each) => moneyText(atRest(each, decider).state)) as [string, string];
      if (ends[0] === ends[1] || isExplained({ scenario, one, other, ends }, ORDER_EXCEPTIONS, exceptions)) continue;
      return `the order decides about "${one.name}" and "${other.name}"\n  this: ${ends[0]}\n  that: ${ends[1]}`;
    }
  }
  return undefined;
}

/** Money as the merchant sees it. An authorisation that is reported after its capture is not counted. */
function moneyText({ payment, refunds, alarms }: MoneyState): string {
  const { status, attempt, amount_captured: captured, amount_refunded: refunded } = payment;
  const rows = refunds
    .filter((row) => row.status !== 'failed')
    .map((row) => Number(row.amount))
    .sort();
  const isDelivered = alarms.length > 0 ? 'alarm' : '';
  return [status, attempt, Number(captured), Number(refunded), rows.join(), isDelivered].join(' ');
}

/** A report that was delivered is old; silence and loss are no facts of the provider. */
const mayOvertake = (scenario: Scenario, { fact, report }: Telling): boolean =>
  (report === undefined || !bookOf(scenario, report.attempt).reports[report.index]!.isDelivered) &&
  !(fact.about === 'charge' && (fact.status === 'unknown' || fact.status === 'lost'));
