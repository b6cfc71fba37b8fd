import type { Effect } from '../../../src/payments/money/state/effect.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { MoneyState } from '../../../src/payments/money/state/state.js';
import type { Mistake } from './decider.js';
import { type Start, STARTS } from './starts.js';

/** A mistake, the rule that it breaks, and the words with which an exploration must report it. */
export interface PlantedMistake extends Mistake {
  rule: string;
  instead: string;
  finds: RegExp;
  /** The length of the shortest path to it. */
  steps: number;
  /** Where the search begins; absent: at all starts. */
  from?: Start;
}

export const MANUAL: Start = { capture: 'manual', attempt: 1, style: 'full' };
export const UNNAMED: Start = { capture: 'manual', attempt: 1, style: 'unnamed' };
export const FAILED_OVER: Start = { capture: 'manual', attempt: 2, style: 'full' };
export const CAPTURING = STARTS.find(({ after }) => after?.at(-1) === 'request: capture 60')!;
export const DISPUTED = STARTS.find(({ isDisputed }) => isDisputed)!;

export const without = (
  isMeant: (effect: Effect, state: MoneyState, fact: Fact | null) => boolean,
): Pick<Mistake, 'does'> => ({
  does: (effects, state, fact) => effects.filter((each) => !isMeant(each, state, fact)),
});

export const opens = (effect: Effect, kind: string): boolean => effect.do === 'open' && effect.operation.kind === kind;

export const kindOf = (state: MoneyState, id: number): string | undefined =>
  state.operations.find((row) => row.id === id)?.kind;

/** The fact, if it is about a charge with this status. */
export const chargeIs = (fact: Fact | null, status: string) =>
  fact?.about === 'charge' && fact.status === status ? fact : undefined;
