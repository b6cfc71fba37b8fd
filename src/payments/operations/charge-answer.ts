import type { ChargeAnswer } from '../../providers/payment-provider.js';
import { type AttemptEnd, STATUS_AFTER } from '../ledger/attempt.js';
import type { StatusChange } from '../ledger/status-change.js';

/** What an answer that ends the payment's tries makes of the payment. `end` is not `unknown`. Pure. */
export function changeByAnswer(end: AttemptEnd, answer: ChargeAnswer): StatusChange {
  const isUnavailable = end.outcome === 'unavailable';
  return {
    to: STATUS_AFTER[end.outcome]!,
    // what no provider has taken never was in processing
    ...(!isUnavailable && { via: 'processing' }),
    cause: isUnavailable ? 'provider_unavailable' : 'provider_answer',
    providerMetadata: { ...answer.metadata, ...(end.declineCode !== null && { decline_code: end.declineCode }) },
    ...(answer.transactionId !== undefined && { providerTransactionId: answer.transactionId }),
    ...('nextAction' in answer && answer.nextAction && { nextAction: answer.nextAction }),
    attempt: end.number,
    end,
  };
}
