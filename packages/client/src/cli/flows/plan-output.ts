import type { Backtest, Estimate } from './flows-api.js';
import type { Plan, PlannedFlow } from './plan.js';
import { rolloutText } from './rollout-options.js';

/** A plan for a person, and for a comment on a pull request. */
export function planLines({ flows, others, shopNames }: Plan): string[] {
  const withNames = (text: string): string =>
    text.replace(/\bshop (\d+)\b/g, (all, id: string) => shopNames.get(Number(id)) ?? all);
  const count = (action: PlannedFlow['action']): number => flows.filter((flow) => flow.action === action).length;
  return [
    ...flows.flatMap((flow) => [...flowLines(flow, withNames), '']),
    `${count('create')} to create, ${count('change')} to change, ${count('unchanged')} unchanged`,
    ...(others.length > 0 ? [`not in the file, so unchanged: ${others.join(', ')}`] : []),
  ];
}

function flowLines(flow: PlannedFlow, withNames: (text: string) => string): string[] {
  const { name, action, served, diff, sentences, backtest, violations, wanted } = flow;
  const version = served ? ` (version ${served.version} is active)` : '';
  const assertions = (wanted['assertions'] as unknown[] | undefined)?.length ?? 0;
  return [
    `flow ${name}: ${action}${version}`,
    ...sentences.map((sentence) => `  ${sentence}`),
    ...diff.map((line) => `    ${line}`),
    ...(backtest ? backtestLines(backtest) : []),
    ...violations.map(({ field, message }) => `  VIOLATED ${field}: ${withNames(message)}`),
    ...(action !== 'unchanged' && assertions > 0 && violations.length === 0
      ? [`  assertions: all ${assertions} hold`]
      : []),
    ...warningsOf(flow).map((warning) => `  warning: ${warning}`),
  ];
}

function backtestLines({ payments, truncated, first_created_at: since, ...result }: Backtest): string[] {
  if (payments === 0 || since === null) return ['  backtest: no past payments'];
  const { changed, shops, approval, declined, costs = [] } = result;
  const shares = shops
    .filter(({ before, after }) => before.payments !== after.payments)
    .map(({ shop_name, before, after }) => `${shop_name} ${before.payments} → ${after.payments}`);
  return [
    `  backtest: ${payments} payments since ${since}${truncated ? ' (the newest)' : ''}, ${changed} go to another shop`,
    ...(shares.length > 0 ? [`    ${shares.join(', ')}`] : []),
    ...(declined.before === declined.after ? [] : [`    declined by rules: ${declined.before} → ${declined.after}`]),
    `    approvals: ${approvalText(approval)}`,
    ...costs
      .filter(({ payments: withFees }) => withFees > 0)
      .map(
        ({ currency, before, after, without_fees: without }) =>
          `    costs in ${currency}: ${before} → ${after}${without > 0 ? `, ${without} payments without known fees` : ''}`,
      ),
  ];
}

function approvalText({ before, after, difference, doubt }: Backtest['approval']): string {
  const rate = ({ estimate, low, high }: Estimate): string =>
    `${percent(estimate)} % (${percent(low)} … ${percent(high)})`;
  if (!before) return 'none known';
  if (!after || !difference) return `${rate(before)} before; no estimate for the change: ${doubt ?? 'unknown'}`;
  const points = [difference.estimate, difference.low, difference.high].map(signed);
  return `${rate(before)} → ${rate(after)}, ${points[0]} points (${points[1]} … ${points[2]})`;
}

const percent = (rate: number): string => (100 * rate).toFixed(1);
const signed = (rate: number): string => `${rate < 0 ? '' : '+'}${percent(rate)}`;

function warningsOf({ served, backtest }: PlannedFlow): string[] {
  const rollout = served?.rollout;
  return [
    ...(backtest && backtest.without_shop > 0 ? [`${backtest.without_shop} past payments would have no shop`] : []),
    ...(rollout ? [rolloutText(rollout)] : []),
  ];
}

/** The same for programs. */
export const planJson = ({ flows, others }: Plan) => ({
  flows: flows.map(({ name, action, served, diff, sentences, backtest, violations, ...flow }) => ({
    name,
    action,
    active_version: served?.version ?? null,
    rollout: served?.rollout ?? null,
    diff,
    sentences,
    backtest: backtest ?? null,
    violations,
    warnings: warningsOf({ name, action, served, diff, sentences, backtest, violations, ...flow }),
  })),
  others,
});
