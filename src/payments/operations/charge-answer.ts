import type { ChargeAnswer } from '../../providers/payment-provider.js';
import { type AttemptEnd, STATUS_AFTER } from '../ledger/attempt.js';
import type { StatusChange } from '../ledger/status-change.js';

/** The change of a payment by an answer after which no further shop is tried. `end` is not `unknown`. Pure. */
export function changeByAnswer(end: AttemptEnd, answer: ChargeAnswer): StatusChange {
  const isUnavailable = end.outcome === 'unavailable';
  const isAuthorized = answer.outcome === 'authorized';
  return {
    to: isAuthorized ? 'processing' : STATUS_AFTER[end.outcome]!,
    ...(isAuthorized && { authorized: { captureBefore: answer.captureBefore } }),
    // a payment that no provider accepted was never in processing
    ...(!isUnavailable && !isAuthorized && { via: 'processing' }),
    cause: isUnavailable ? 'provider_unavailable' : 'provider_answer',
    providerMetadata: { ...answer.metadata, ...(end.declineCode !== null && { decline_code: end.declineCode }) },
    ...(answer.transactionId !== undefined && { providerTransactionId: answer.transactionId }),
    ...('nextAction' in answer && answer.nextAction && { nextAction: answer.nextAction }),
    attempt: end.number,
    end,
  };
}
