import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import { segmentText } from '../../../ui/segment';

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const count = new Intl.NumberFormat();

/** Formats a difference of two rates in percentage points. */
export const pointsOf = (share: number): string => points.format(share * 100);
export const countOf = (number: number): string => count.format(number);

type Approval = Schema<'ApprovalEstimate'>;

const NEEDED_OVERLAP = 0.95;

/** Why there is no reliable estimate for the draft, and what would help. */
export function doubtOf({
  doubt,
  payments,
  overlap,
}: Pick<Approval, 'doubt' | 'payments' | 'overlap'>): string | undefined {
  if (doubt === 'not_enough_payments') {
    return `Not enough data: only ${countOf(payments)} payments with an outcome count, or they belong to too few customers. Choose more payments, or wait for more.`;
  }
  if (doubt === 'not_enough_overlap') {
    const lack =
      overlap < NEEDED_OVERLAP
        ? `past payments cover ${percentText(overlap)} of the draft’s decisions, and ${percentText(NEEDED_OVERLAP)} are needed`
        : 'too few past payments went to some of the draft’s shops';
    return `Not enough data: ${lack}. Give the affected shops a small weight for a while to collect data.`;
  }
  return undefined;
}

/** The payments with an outcome from which approvals can be estimated. */
const NEEDED_PAYMENTS = 30;
const DAY_MS = 86_400_000;

type Backtest = Pick<Schema<'ReplayResult'>, 'shops' | 'payments' | 'first_created_at' | 'last_created_at'>;

/** For each shop of the draft that has had none of the payments: what an estimate of its approvals would need. */
export function lacksOf({ shops, payments, first_created_at: first, last_created_at: last }: Backtest): string[] {
  // less than a day says nothing about the volume
  const days = first === null || last === null ? 0 : (Date.parse(last) - Date.parse(first)) / DAY_MS;
  return shops
    .filter(({ before, after }) => before.payments === 0 && after.payments > 0)
    .map(({ shop_name: name, after: { share } }) => {
      const needed = Math.ceil(NEEDED_PAYMENTS / share);
      const duration = days >= 1 ? `, about ${daysText((needed / payments) * days)} at the present volume` : '';
      return (
        `${name} has had no payment of this flow, so its approvals are unknown. An estimate needs about ${NEEDED_PAYMENTS} ` +
        `payments with an outcome there. With the share of ${percentText(share)} in the draft, these are in ` +
        `${countOf(needed)} payments of the flow${duration}. To collect them, roll the draft out to a part.`
      );
    });
}

function daysText(days: number): string {
  const whole = Math.ceil(days);
  return whole === 1 ? 'one day' : `${countOf(whole)} days`;
}

/** A sentence about the interval of the difference. */
export function verdictOf({ difference }: Pick<Approval, 'difference'>): string | undefined {
  if (!difference) return undefined;
  const { estimate, low, high } = difference;
  if (estimate === 0 && low === 0 && high === 0) return 'The draft makes the same decisions.';
  if (low > 0) return 'More payments would have been approved.';
  if (high < 0) return 'Fewer payments would have been approved.';
  return 'No clear difference: the interval includes 0.';
}

const TESTS: Record<Schema<'RoutingTest'>, string> = {
  disabled: 'it is disabled',
  currency: 'it does not accept the currency',
  country: 'it does not accept the country',
  min_amount: 'the amount is below its minimum',
  max_amount: 'the amount is above its maximum',
  no_payment_method: 'the payer has no payment method in its account',
  capability_missing: 'its provider takes no such currency or payment method, or cannot capture later',
  unhealthy: 'it is unhealthy',
  rule: 'it is not in the rule that applies',
};

/** Why a shop is excluded; empty if the shop was possible. */
export const failuresOf = ({ tests }: Pick<Schema<'ExplainedShop'>, 'tests'>): string[] =>
  Object.entries(tests)
    .filter(([, outcome]) => outcome === 'failed')
    .map(([name]) => TESTS[name as Schema<'RoutingTest'>] ?? name);

/** The version of a payment during a rollout, and how the rollout has chosen it. */
export function versionOf({ version, bucket, percent }: NonNullable<Schema<'Explanation'>['rollout']>): string {
  const limit = Math.round(percent * 100);
  return bucket < limit
    ? `Version ${version}, because bucket ${bucket} is among the ${limit} of 10000 in its rollout`
    : `The active version, because bucket ${bucket} is not among the ${limit} of 10000 in the rollout of version ${version}`;
}

/** How the strategy has chosen the shop. */
export function reasonOf(reasoning: Schema<'Reasoning'>): string {
  switch (reasoning.by) {
    case 'round_robin':
      return `In turn: number ${reasoning.position + 1} of ${reasoning.of}`;
    case 'weighted':
      return `By weight: payment ${reasoning.cycle_position + 1} of a cycle of ${reasoning.cycle_length}`;
    case 'priority':
      return reasoning.of === 1
        ? `The only shop with priority ${reasoning.priority}`
        : `In turn: number ${reasoning.position + 1} of ${reasoning.of} shops with priority ${reasoning.priority}`;
    case 'sticky':
      return `Customer ${reasoning.customer_id} always goes to this shop`;
    case 'success_rate':
      return reasoning.explored
        ? 'A trial to measure its approval rate'
        : `The best approval rate${reasoning.segment ? ` for ${segmentText(reasoning.segment)}` : ''}, sampled from recent results`;
    case 'lowest_cost':
      return reasoning.costs.some(([, fee]) => typeof fee === 'number')
        ? 'The lowest fee for the payment'
        : 'No shop has a known fee: the first by priority';
  }
}
