import type { ChargeFact, Source } from '../../../src/payments/money/state/fact.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import { captureOf, isAuthorized, isCallUnderWay, type MoneyState } from '../../../src/payments/money/state/state.js';
import { stateText } from './canonical.js';
import { type Decider, momentOf } from './decider.js';
import { type Exception, type Exceptions, isExplained } from './exceptions.js';
import type { Broken } from './invariants.js';
import { tellingsOf } from './tellings.js';
import type { Scenario } from './scenario.js';

interface SaidByTwo {
  scenario: Scenario;
  fact: ChargeFact;
  one: Source;
  other: Source;
}

/** Where the source decides: see `SOURCES`. */
export const SOURCE_EXCEPTIONS: readonly Exception<SaidByTwo>[] = [
  {
    why: 'only the answer says that the call under way has ended',
    isMet: ({ scenario, fact, one, other }) =>
      (one === 'answer' || other === 'answer') &&
      fact.status !== 'captured' &&
      fact.status !== 'authorized' &&
      isCallUnderWay(scenario.state, fact.attempt, momentOf(scenario)),
  },
  {
    why: 'a failed try that is reported late ends no authorisation; the present state does',
    isMet: ({ scenario, fact, one, other }) =>
      fact.status === 'declined' && isAuthorized(scenario.state.payment) && isNotification(one, other),
  },
  {
    why: 'a reported cancellation may be about the rest of a captured charge; the present state is about all of it',
    isMet: ({ scenario, fact, one, other }) =>
      fact.status === 'cancelled' && isNotification(one, other) && mayHaveRest(scenario.state, fact.attempt),
  },
];

const isNotification = (one: Source, other: Source): boolean => one === 'notification' || other === 'notification';

function mayHaveRest({ payment, operations }: MoneyState, attempt: number): boolean {
  if (payment.capture !== 'manual' || payment.attempt !== attempt) return false;
  const capture = captureOf(operations, attempt);
  return payment.status === 'completed' || (isAuthorized(payment) && capture !== undefined && isOpen(capture));
}

const ALL: readonly Source[] = ['answer', 'look_up', 'notification'];
const STATUSES: readonly ChargeFact['status'][] = ['processing', 'authorized', 'captured', 'declined', 'cancelled'];

/** The same fact of a charge leads to the same state from any source, apart from causes and codes. */
export function brokenBySource(scenario: Scenario, decider: Decider, exceptions: Exceptions): Broken {
  for (const { name, fact } of tellingsOf(scenario)) {
    if (fact.about !== 'charge' || !STATUSES.includes(fact.status)) continue;
    const ends = ALL.map((source) => {
      const { state } = decider.decide(scenario.state, { ...fact, source }, momentOf(scenario));
      return { source, text: stateText(state, false) };
    });
    for (const [index, { source: one, text }] of ends.entries()) {
      const differing = ends
        .slice(index + 1)
        .find(
          (end) =>
            end.text !== text &&
            !isExplained({ scenario, fact, one, other: end.source }, SOURCE_EXCEPTIONS, exceptions),
        );
      if (differing)
        return `the source decides about "${name}"\n  ${one}: ${text}\n  ${differing.source}: ${differing.text}`;
    }
  }
  return undefined;
}
