import { type DeclineCode, declineParty } from '../../providers/decline-code.js';
import type { ChargeAnswer, ProviderEvent } from '../../providers/payment-provider.js';
import type { ShopOutcome } from '../../shops/shop-outcomes.service.js';
import type { PaymentStatus } from './payment-state.js';

export const ATTEMPT_OUTCOMES = [
  'approved',
  'processing',
  'declined',
  'soft_declined',
  'unavailable',
  'unknown',
] as const;

/** How one attempt with one shop came out; `unknown`: no answer in time, so it may have been charged. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What became known of an attempt. */
export interface AttemptEnd {
  /** From 1. */
  number: number;
  outcome: AttemptOutcome;
  declineCode: DeclineCode | null;
}

/**
 * What a provider's answer, `null` for none, means for the attempt. `repeated`: the same attempt was sent before, and
 * what came of that is not known. Then a provider that is away now says nothing about it; a decline does, because it
 * is the answer to everything that was sent under the attempt's key. Pure.
 */
export function attemptEnd(number: number, answer: ChargeAnswer | null, repeated: boolean): AttemptEnd {
  const isUnknown = answer === null || (answer.outcome === 'unavailable' && repeated);
  return {
    number,
    outcome: isUnknown ? 'unknown' : answer.outcome,
    declineCode: answer !== null && 'declineCode' in answer ? answer.declineCode : null,
  };
}

/** Whether the next shop may be asked: only when it is certain that this attempt is not charged and never will be. */
export const canFailOver = ({ outcome }: AttemptEnd): boolean =>
  outcome === 'soft_declined' || outcome === 'unavailable';

/** Whether the provider took the attempt: charged it, or goes on with it. */
export const isAccepted = ({ outcome }: AttemptEnd): boolean => outcome === 'approved' || outcome === 'processing';

/** What a payment becomes by its last attempt; `null`: it stays as it is. */
export const STATUS_AFTER: Readonly<Record<AttemptOutcome, PaymentStatus | null>> = {
  approved: 'completed',
  processing: 'processing',
  declined: 'failed',
  soft_declined: 'failed',
  unavailable: 'failed',
  unknown: null,
};

/** What a notification tells about the attempt it is for; `null`: nothing. */
export function notifiedEnd(
  number: number,
  { status, declineCode }: Pick<ProviderEvent, 'status' | 'declineCode'>,
): AttemptEnd | null {
  const outcome = NOTIFIED[status] ?? null;
  return outcome === null ? null : { number, outcome, declineCode: (outcome === 'declined' && declineCode) || null };
}

const NOTIFIED: Readonly<Partial<Record<ProviderEvent['status'], AttemptOutcome>>> = {
  processing: 'processing',
  completed: 'approved',
  failed: 'declined',
};

/**
 * What the shop is answerable for; `null`: nothing, because the outcome is not known yet or is about the payer's card.
 * A call without an answer counts as the shop's fault when it happens, and what comes of it once that is known. Pure.
 */
export function shopOutcome({ outcome, declineCode }: AttemptEnd): ShopOutcome | null {
  if (outcome === 'approved') return 'approved';
  if (outcome === 'processing') return null;
  if (outcome === 'unavailable' || outcome === 'unknown') return 'failed';
  return OUTCOME_BY_PARTY[declineParty(declineCode)];
}

// a shop that cannot take its payments is no outage of its provider, but is to be chosen less
const OUTCOME_BY_PARTY = { payer: null, shop: 'failed', issuer: 'declined', configuration: 'declined' } as const;
