// Answers about voids, captures and refunds without a ledger (`SANDBOX_LEDGER=false`), from the shop's `simulate`: no I/O.
import type {
  OperationAnswer,
  OperationLookup,
  OperationRequest,
  OperationState,
} from '@payment-orchestrator/provider-kit';
import { captureIdOf, refundIdOf } from './decisions.js';
import { scenarioOf } from './token.js';

type Behavior = 'pending' | 'refused' | undefined;

/** No notification ends a pending operation, as for a charge that is `processing`. */
function answerOf(behavior: Behavior, operationId: string, refusal: string): OperationAnswer {
  if (behavior === 'refused') return { outcome: 'refused', reason: refusal, retryable: false };
  return { outcome: behavior ?? 'confirmed', operationId };
}

export const captureWithoutLedger = ({ credentials, reference }: OperationRequest): OperationAnswer =>
  answerOf(scenarioOf(undefined, credentials).captures, captureIdOf(reference), 'capture_refused');

export const refundWithoutLedger = ({ credentials, idempotencyKey }: OperationRequest): OperationAnswer =>
  answerOf(scenarioOf(undefined, credentials).refunds, refundIdOf(idempotencyKey), 'refund_refused');

/** An operation whose answer was lost is not found. Voids have no id. */
export function operationStateWithoutLedger(lookup: OperationLookup): OperationState {
  if (lookup.operationId === null || lookup.kind === 'void') return { outcome: 'not_found' };
  return lookup.kind === 'refund' ? refundWithoutLedger(lookup) : captureWithoutLedger(lookup);
}

export const voidWithoutLedger = ({ credentials }: OperationRequest): OperationAnswer =>
  scenarioOf(undefined, credentials).refusesVoids
    ? { outcome: 'refused', reason: 'void_refused', retryable: false }
    : { outcome: 'confirmed' };
