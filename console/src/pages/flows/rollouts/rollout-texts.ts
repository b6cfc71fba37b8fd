import type { Schema } from '@payment-orchestrator/client';
import { countOf } from '../insight/texts';

type Rollout = Schema<'Rollout'>;
type Comparison = Schema<'RolloutComparison'>;

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A percent of the API, which is not a share of 1. */
export const percentOf = (value: number): string => `${percent.format(value)} %`;

export const keyText = (key: Rollout['key']): string =>
  key === 'customer'
    ? 'By customer: always the same version. Payments without a customer: by chance'
    : 'Each payment gets a version by chance';

type Guardrail = NonNullable<Rollout['guardrail']>;

/** The effect of the guardrail, with the numbers of this rollout. */
export const guardrailText = ({ max_drop_points: drop, min_payments: least, confidence }: Guardrail): string =>
  `It aborts the rollout by itself when the approval rate is about ${percent.format(drop)} points lower than that of the active version. ` +
  `It decides after ${countOf(least)} payments with an outcome per version. ` +
  `A version that is as good is aborted by mistake in at most ${percentOf((1 - confidence) * 100)} of rollouts.`;

/** How far the guardrail is from a decision. */
export function progressText(
  { versions, guardrail: state }: Comparison,
  { min_payments: least, max_drop_points: drop }: Guardrail,
): string {
  if (state === null || state.is_waiting_for_payments)
    return `It waits until each version has ${countOf(least)} payments with an outcome.`;
  const needed = state.payments_needed;
  const seen = versions.reduce((sum, version) => sum + outcomesOf(version), 0);
  if (needed === null) return 'With this percent, these rates and these customers, such a drop cannot be found.';
  return (
    `A drop of ${percent.format(drop)} points is found after about ${countOf(needed)} payments in 90 % of cases, a larger one sooner. ` +
    `${countOf(seen)} payments have an outcome.`
  );
}

/** When a running rollout can decide, if payments go on as since its start. */
export function decisionText(
  { started_at: start, comparison }: Pick<Schema<'ComparedRollout'>, 'started_at' | 'comparison'>,
  { min_payments: least }: Guardrail,
  now: number,
): string {
  const { versions, guardrail: state } = comparison;
  const seen = versions.map(outcomesOf);
  const all = seen.reduce((sum, count) => sum + count, 0);
  if (seen.includes(0)) return 'When it can decide is known after the first payments of both versions.';
  const needed = state?.payments_needed ?? undefined;
  const parts = state === null || state.is_waiting_for_payments ? seen.map((count) => least / count) : [];
  const factor = Math.max(...parts, needed === undefined ? 0 : needed / all);
  if (factor === 0) return 'With this percent it cannot decide: more payments must get the new version.';
  const waitMs = (now - Date.parse(start)) * (factor - 1);
  return waitMs <= 0
    ? 'It has the payments that it needs to decide.'
    : `At the pace so far it can decide ${spanText(waitMs)}.`;
}

const outcomesOf = ({ approved, declined, refused }: Comparison['versions'][number]): number =>
  approved + declined + refused;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function spanText(ms: number): string {
  if (ms < HOUR_MS) return 'within an hour';
  if (ms < 2 * DAY_MS) return `in about ${countOf(Math.round(ms / HOUR_MS))} hours`;
  return ms > 366 * DAY_MS ? 'in more than a year' : `in about ${countOf(Math.round(ms / DAY_MS))} days`;
}

/** Why the guardrail has aborted the rollout. Payments that were open then still count. */
export function dropText({
  version,
  base_version: base,
  comparison: { difference },
}: Schema<'ComparedRollout'>): string {
  const found = `It found a drop of approvals and aborted the rollout: new payments got version ${base} again.`;
  if (difference === null) return found;
  return `${found} The approval rate of version ${version} is ${amountOf(-difference.estimate)} points lower.`;
}

const amountOf = (share: number): string => percent.format(share * 100);

/** A sentence about the difference of the versions. */
export function differenceText({ difference, doubt }: Pick<Comparison, 'difference' | 'doubt'>): string {
  if (doubt === 'not_enough_payments' || difference === null)
    return 'Not enough data: too few payments have an outcome, or they belong to too few customers.';
  const { low, high } = difference;
  if (low > 0) return `The new version approves more payments: by at least ${amountOf(low)} points.`;
  if (high < 0) return `The new version approves fewer payments: by at least ${amountOf(-high)} points.`;
  return 'No clear difference: the interval includes 0.';
}

const END_TEXTS: Record<NonNullable<Rollout['end_cause']>, string> = {
  requested: 'by a person',
  guardrail: 'by its guardrail',
  flow_deleted: 'because the flow was deleted',
};

/** How a rollout ended, such as `aborted by its guardrail`. */
export const endText = ({ status, end_cause: cause }: Pick<Rollout, 'status' | 'end_cause'>): string =>
  cause === null ? status : `${status} ${END_TEXTS[cause]}`;
