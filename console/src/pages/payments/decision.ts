import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../ui/percent';
import { TESTS } from './meanings';

type Decision = Schema<'PaymentDecision'>;
type NameOf = (shopId: number) => string;

/** Why the payment went where it went, in sentences. */
export interface Explanation {
  /** Which shop, and by what. */
  reason: string;
  /** What else mattered. */
  notes: string[];
  /** The shops that could not take it. */
  leftOut: { shopId: number; why: string }[];
  /** In the order in which they would be tried next. */
  fallbacks: number[];
}

export function explain(decision: Decision, nameOf: NameOf): Explanation {
  const { picked, failed, fallbacks } = decision;
  const leftOut = Object.entries(failed).map(([id, tests]) => ({
    shopId: Number(id),
    why: tests.map((test) => TESTS[test]).join(', '),
  }));
  const reason = picked === null ? 'No shop of the flow could take it.' : `${nameOf(picked)}: ${byWhat(decision)}`;
  return { reason, notes: notesOf(decision, nameOf), leftOut, fallbacks };
}

/** Positions count from 0 in the API, and from 1 for a reader. */
function byWhat({ reasoning, shops, failed }: Decision): string {
  if (shops.length - Object.keys(failed).length === 1) return 'the only shop that could take it.';
  if (reasoning === undefined) return 'chosen by the flow’s strategy.';
  switch (reasoning.by) {
    case 'round_robin':
      return `its turn, number ${reasoning.position + 1} of ${reasoning.of} shops that take turns.`;
    case 'weighted':
      return `its turn by weight, at position ${reasoning.cycle_position + 1} of a cycle of ${reasoning.cycle_length} payments.`;
    case 'priority':
      return reasoning.of === 1
        ? `the shop of the lowest priority number, ${reasoning.priority}.`
        : `number ${reasoning.position + 1} of ${reasoning.of} shops of priority ${reasoning.priority}, which take turns.`;
    case 'sticky':
      return `customer ${reasoning.customer_id} stays with it.`;
    case 'success_rate':
      return reasoning.explored
        ? 'tried to learn how it does; a part of all payments is spread like that.'
        : 'the best approval rate that was drawn from what the shops did lately.';
  }
}

function notesOf({ rule, probability, least_bad, probed }: Decision, nameOf: NameOf): string[] {
  const notes: string[] = [];
  if (rule !== undefined)
    notes.push(rule === 'default' ? 'No rule matched: the default decided.' : `Rule ${rule + 1} decided.`);
  if (least_bad) notes.push('No shop was healthy: the one with the fewest failures was taken.');
  if (probed)
    notes.push(
      probed.let_through
        ? `${nameOf(probed.shop_id)} is on its way back to health, and got this payment as a trial.`
        : `${nameOf(probed.shop_id)} is on its way back to health; its turn went to another shop.`,
    );
  if (probability !== undefined) notes.push(`This pick had a probability of ${percentText(probability)}.`);
  return notes;
}
