import { decide, decideWaiting } from '../../../src/payments/money/decide.js';
import { apply } from '../../../src/payments/money/state/apply.js';
import type { Effect } from '../../../src/payments/money/state/effect.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { Moment, MoneyState } from '../../../src/payments/money/state/state.js';
import type { NotificationVerdict } from '../../../src/payments/money/state/notification.js';
import { NOW } from './builders.js';
import type { Scenario } from './scenario.js';

interface Decided {
  state: MoneyState;
  effects: readonly Effect[];
  verdict: NotificationVerdict;
}

/** The decision in an exploration: the service's decision, or one with a planted mistake. Throws the `Problem` of a refusal. */
export interface Decider {
  decide: (state: MoneyState, fact: Fact, moment: Moment) => Decided;
  decideWaiting: (state: MoneyState, moment: Moment) => Decided;
}

export const REAL: Decider = { decide, decideWaiting };

/** A mistake: what it sees wrongly, or does otherwise. */
export interface Mistake {
  sees?: (fact: Fact, state: MoneyState) => Fact;
  isBlindTo?: (state: MoneyState, fact: Fact | null) => MoneyState;
  hasNow?: (moment: Moment) => Moment;
  does?: (effects: readonly Effect[], state: MoneyState, fact: Fact | null) => readonly Effect[];
}

/** The service's decision with a mistake. Effects are applied to the state as it is. */
export function withMistake({ sees, isBlindTo, hasNow, does }: Mistake): Decider {
  const after = (state: MoneyState, decided: Decided, fact: Fact | null): Decided => {
    if (!does && !isBlindTo) return decided;
    const effects = does ? does(decided.effects, state, fact) : decided.effects;
    return { ...decided, effects, state: effects.reduce(apply, state) };
  };
  return {
    decide: (state, fact, moment) => {
      const seen = isBlindTo ? isBlindTo(state, fact) : state;
      const decided = decide(seen, sees ? sees(fact, state) : fact, hasNow ? hasNow(moment) : moment);
      return after(state, decided, fact);
    },
    decideWaiting: (state, moment) =>
      after(state, decideWaiting(isBlindTo ? isBlindTo(state, null) : state, moment), null),
  };
}

const LEASE_MS = 60_000;

export const momentOf = ({ isLeaseOver }: Scenario): Moment => ({
  now: NOW,
  chargeLeaseMs: isLeaseOver ? 0 : LEASE_MS,
});
