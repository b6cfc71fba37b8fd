import type { Schema } from '@payment-orchestrator/client';
import { countOf } from '../insight/texts';

type Rollout = Schema<'Rollout'>;

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

const END_TEXTS: Record<NonNullable<Rollout['end_cause']>, string> = {
  requested: 'by a person',
  guardrail: 'by its guardrail',
  flow_deleted: 'because the flow was deleted',
};

/** How a rollout ended, such as `aborted by its guardrail`. */
export const endText = ({ status, end_cause: cause }: Pick<Rollout, 'status' | 'end_cause'>): string =>
  cause === null ? status : `${status} ${END_TEXTS[cause]}`;
