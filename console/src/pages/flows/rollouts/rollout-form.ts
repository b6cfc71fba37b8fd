import type { Schema } from '@payment-orchestrator/client';
import { conditionOf, group } from '../model/condition-form';
import type { GroupNode, TypedNumber } from '../model/form';
import { reasonIn } from '../activation/reason';

/** The fields of a new rollout. */
export interface RolloutForm {
  percent: TypedNumber;
  key: Schema<'RolloutKey'>;
  /** The payments that take part; without a test: all. */
  when: GroupNode;
  hasGuardrail: boolean;
  /** In percent points. */
  maxDropPoints: TypedNumber;
  minPayments: TypedNumber;
  confidence: number;
  reason: string;
}

/** Defaults for a careful beginning: few customers, and a guardrail. */
export const firstRollout = (reason: string): RolloutForm => ({
  percent: 10,
  key: 'customer',
  when: group('every', []),
  hasGuardrail: true,
  maxDropPoints: 2,
  minPayments: 100,
  confidence: 0.95,
  reason,
});

/** The body of `POST /flows/{id}/rollouts`, without the versions. */
export function rolloutBody(form: RolloutForm): Omit<Schema<'StartRollout'>, 'version' | 'based_on_version'> {
  const { percent, key, when, hasGuardrail, maxDropPoints, minPayments, confidence, reason } = form;
  const guardrail = { max_drop_points: maxDropPoints, min_payments: minPayments, confidence };
  const body = {
    percent,
    key,
    ...(when.items.length > 0 && { when: conditionOf(when) }),
    ...(hasGuardrail && { guardrail }),
    ...reasonIn(reason),
  };
  // a typed number may be invalid: the API then reports the error at the field
  return body as ReturnType<typeof rolloutBody>;
}
