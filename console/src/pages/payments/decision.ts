import type { Schema } from '@payment-orchestrator/client';
import { ruleTitle } from '@payment-orchestrator/routing/words/target-words';
import { percentText } from '../../ui/percent';
import { segmentRates, segmentText } from '../../ui/segment';
import { TESTS } from './meanings';

type Decision = Schema<'PaymentDecision'>;
type NameOf = (shopId: number) => string;
type Rules = readonly { name?: string | undefined }[];

/** An explanation of the routing decision, in sentences. */
export interface Explanation {
  /** The shop, and how it was chosen. */
  reason: string;
  /** Further facts about the decision. */
  notes: string[];
  /** Shops that were not possible. */
  leftOut: { shopId: number; why: string }[];
  /** The shops to try next, in this order. */
  fallbacks: number[];
}

/** `rules`: those of the version that decided; without them a rule is called by its number. */
export function explain(decision: Decision, nameOf: NameOf, rules: Rules = []): Explanation {
  const { failed, fallbacks } = decision;
  const leftOut = Object.entries(failed).map(([id, tests]) => ({
    shopId: Number(id),
    why: tests.map((test) => TESTS[test]).join(', '),
  }));
  return {
    reason: reasonOf(decision, nameOf),
    notes: notesOf(decision, nameOf, (index) => ruleTitle(rules[index] ?? {}, index)),
    leftOut,
    fallbacks,
  };
}

function reasonOf(decision: Decision, nameOf: NameOf): string {
  const { picked, declined } = decision;
  if (declined) return `Declined by a rule of the flow, with the code ${declined.code}.`;
  return picked === null ? 'No shop of the flow could take this payment.' : `${nameOf(picked)}: ${howChosen(decision)}`;
}

/** Positions count from 0 in the API and from 1 in the text. */
function howChosen({ reasoning, shops, failed }: Decision): string {
  if (shops.length - Object.keys(failed).length === 1) return 'the only shop that could take this payment.';
  if (reasoning === undefined) return 'chosen by the flow’s strategy.';
  switch (reasoning.by) {
    case 'round_robin':
      return `in turn, number ${reasoning.position + 1} of ${reasoning.of} shops.`;
    case 'weighted':
      return `by weight, payment ${reasoning.cycle_position + 1} of a cycle of ${reasoning.cycle_length}.`;
    case 'priority':
      return reasoning.of === 1
        ? `the shop with the lowest priority number, ${reasoning.priority}.`
        : `in turn, number ${reasoning.position + 1} of ${reasoning.of} shops with priority ${reasoning.priority}.`;
    case 'sticky':
      return `customer ${reasoning.customer_id} stays with this shop.`;
    case 'success_rate':
      return reasoning.explored
        ? 'a trial to measure its approval rate. A part of all payments is used for such trials.'
        : 'the best approval rate, sampled from the recent results of the shops.';
    case 'lowest_cost':
      return reasoning.costs.some(([, fee]) => fee !== null)
        ? 'the lowest fee for the payment.'
        : 'no shop has a known fee, so the first by priority.';
  }
}

function notesOf(
  { rule, passed_over: passedOver = [], probability, least_bad, probed, reasoning }: Decision,
  nameOf: NameOf,
  titleOf: (rule: number) => string,
): string[] {
  const notes: string[] = [];
  for (const index of passedOver)
    notes.push(`${titleOf(index)} matched, but none of its shops could take the payment.`);
  if (rule === 'default') notes.push('No rule had a shop for it: the default decided.');
  else if (rule !== undefined) notes.push(`${titleOf(rule)} decided.`);
  if (least_bad) notes.push('No shop was healthy, so the shop with the fewest failures was chosen.');
  if (probed)
    notes.push(
      probed.let_through
        ? `${nameOf(probed.shop_id)} is recovering and got this payment as a trial.`
        : `${nameOf(probed.shop_id)} is recovering, so another shop got this payment.`,
    );
  if (reasoning?.by === 'success_rate' && reasoning.segment) {
    const { segment } = reasoning;
    notes.push(`Approval rates for ${segmentText(segment)}: ${segmentRates(segment, nameOf)}.`);
  }
  if (probability !== undefined) notes.push(`The probability of this choice was ${percentText(probability)}.`);
  return notes;
}
