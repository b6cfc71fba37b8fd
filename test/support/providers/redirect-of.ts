import type { ChargeAnswer, NextAction } from '@payment-orchestrator/provider-kit';

/** The address that the payer must go to. */
export function redirectOf(answer: { nextAction?: NextAction } | ChargeAnswer): string {
  const action = 'nextAction' in answer ? answer.nextAction : undefined;
  if (action?.type !== 'redirect') throw new Error('there is no redirect');
  return action.url;
}
