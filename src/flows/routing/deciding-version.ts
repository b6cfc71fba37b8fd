import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import type { LoadedFlow, LoadedVersion } from './loader.service.js';
import { chooseInRollout, isCandidate, type RolloutChoice } from '@payment-orchestrator/routing/decision/rollout';

/** The version that decides about a payment, and the rollout that chose it, if any. */
export interface DecidingVersion {
  version: LoadedVersion;
  choice: RolloutChoice | undefined;
}

/** The active version, or for a payment that takes part in a rollout the one that it chooses. `randomBucket`: see `chooseInRollout`. */
export function decidingVersion(
  flow: LoadedFlow,
  request: RoutingRequest,
  randomBucket: () => number,
): DecidingVersion {
  if (!flow.rollout?.takesPart(request)) return { version: flow, choice: undefined };
  const choice = chooseInRollout(flow.rollout, request.customerId, randomBucket);
  return { version: isCandidate(choice) ? flow.rollout : flow, choice };
}
