import type { AttemptEnd } from '../state/attempt.js';
import type { Draft } from '../state/draft.js';
import { isOpen } from '../state/operation.js';
import type { StatusChange } from '../state/status-change.js';

const CAUSE = 'charged_after_end';

/**
 * Reverses a charge of a payment that has ended or moved to another shop: a refund of a captured charge, a void of an
 * unfinished one or of an authorisation, which took nothing from the payer. The reversal is recorded with the fact, and tried until the
 * provider confirms it. The payment's status does not change. Repeated facts have no further effect. `capturedAmount`:
 * the amount to refund, if not all of the payment's.
 */
export function reverse(
  draft: Draft,
  { number: attempt, outcome }: Pick<AttemptEnd, 'number' | 'outcome'>,
  { authorized, capturedAmount }: Pick<StatusChange, 'authorized' | 'capturedAmount'> = {},
): void {
  const [charge] = draft.of(attempt, 'charge');
  if (outcome === 'processing') {
    // a late report: the provider has said since then that nothing was charged
    if (charge?.state !== 'refused') requestReversal(draft, attempt, 'void');
    return;
  }
  draft.close(attempt, 'charge', { state: 'confirmed', lastAnswer: 'approved' });
  if (authorized) return requestReversal(draft, attempt, 'void');
  draft.close(attempt, 'void', { state: 'refused', lastAnswer: 'captured', reason: 'captured' });
  requestReversal(draft, attempt, 'refund', capturedAmount);
  const { payment, attempts } = draft.state;
  if (payment.charged_after_end) return;
  const provider = attempts.find(({ number }) => number === attempt)?.provider ?? payment.payment_provider;
  draft.add({ do: 'late_charge', attempt, provider, amount: capturedAmount });
}

function requestReversal(draft: Draft, attempt: number, kind: 'void' | 'refund', amount?: string): void {
  draft.open({ attempt, kind, cause: CAUSE, amount, isCalledNow: false });
}

/** The provider holds nothing of an attempt: its charge and captures are over, and a void has nothing left to do. */
export function closeUncharged(draft: Draft, attempt: number, lastAnswer: string): void {
  const refused = { state: 'refused', lastAnswer, reason: lastAnswer } as const;
  draft.close(attempt, 'charge', refused);
  draft.close(attempt, 'capture', refused);
  const voided = draft.close(attempt, 'void', { state: 'confirmed', lastAnswer });
  if (voided?.cause === CAUSE) draft.add({ do: 'late_charge_reversed' });
}

/** A reversal that is under way is done: the provider has given the money back. */
export function closeReversed(draft: Draft, attempt: number, lastAnswer: string): void {
  const reversal = draft.of(attempt, 'refund').find((row) => row.cause === CAUSE && isOpen(row));
  if (!reversal) return;
  draft.record(reversal, { state: 'confirmed', lastAnswer });
  draft.add({ do: 'late_charge_reversed' });
}
