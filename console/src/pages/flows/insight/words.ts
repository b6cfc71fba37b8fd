import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const count = new Intl.NumberFormat();

/** Of a difference of two rates. */
export const pointsOf = (share: number): string => points.format(share * 100);
export const countOf = (number: number): string => count.format(number);

type Approval = Schema<'ApprovalEstimate'>;

/** Why there is no estimate for the draft, and what would help. */
export function doubtOf({
  doubt,
  payments,
  overlap,
}: Pick<Approval, 'doubt' | 'payments' | 'overlap'>): string | undefined {
  if (doubt === 'not_enough_payments') {
    return `The past cannot tell: only ${countOf(payments)} payments with an outcome count, or they are of too few customers. Take more payments, or wait for more.`;
  }
  if (doubt === 'not_enough_overlap') {
    return `The past cannot tell: it sent too few such payments where the draft sends them (${percentText(overlap)} of the draft is covered, 95 % are needed). Give the shops in question a small weight for a while, and it can.`;
  }
  return undefined;
}

/** What the interval of the difference says. */
export function verdictOf({ difference }: Pick<Approval, 'difference'>): string | undefined {
  if (!difference) return undefined;
  const { estimate, low, high } = difference;
  if (estimate === 0 && low === 0 && high === 0) return 'The draft decides as the past did.';
  if (low > 0) return 'More payments would have been approved.';
  if (high < 0) return 'Fewer payments would have been approved.';
  return 'No clear difference: the interval includes 0.';
}

const TESTS: Record<Schema<'RoutingTest'>, string> = {
  disabled: 'it is disabled',
  currency: 'it does not take the currency',
  country: 'it does not take the country',
  min_amount: 'the amount is below its minimum',
  max_amount: 'the amount is above its maximum',
  unhealthy: 'it is unhealthy',
  rule: 'the rule that decides does not name it',
};

/** Why a shop is left out; empty: it might have been picked. */
export const failuresOf = ({ tests }: Pick<Schema<'ExplainedShop'>, 'tests'>): string[] =>
  Object.entries(tests)
    .filter(([, outcome]) => outcome === 'failed')
    .map(([name]) => TESTS[name as Schema<'RoutingTest'>] ?? name);

/** What the strategy chose by. */
export function reasonOf(reasoning: Schema<'Reasoning'>): string {
  switch (reasoning.by) {
    case 'round_robin':
      return `Turn ${reasoning.position + 1} of ${reasoning.of} (counter ${reasoning.counter})`;
    case 'weighted':
      return `Place ${reasoning.cycle_position + 1} in a cycle of ${reasoning.cycle_length} payments (counter ${reasoning.counter})`;
    case 'priority':
      return reasoning.of === 1
        ? `The only shop with priority ${reasoning.priority}`
        : `Turn ${reasoning.position + 1} of the ${reasoning.of} shops with priority ${reasoning.priority}`;
    case 'sticky':
      return `Customer ${reasoning.customer_id} always goes to this shop`;
    case 'success_rate':
      return reasoning.explored ? 'Drawn to try each shop now and then' : 'The best approval rate in this draw';
  }
}
