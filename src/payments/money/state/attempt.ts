import {
  type ChargeAnswer,
  type DeclineCode,
  declineParty,
  PERMISSION_MISSING,
  validFacts,
} from '@payment-orchestrator/provider-kit';
import type { ShopOutcome } from '../../../shops/shop-outcomes.service.js';
import type { CardFacts } from '../../../shared/payment-method.js';

export const ATTEMPT_OUTCOMES = [
  'approved',
  'processing',
  'declined',
  'soft_declined',
  'unavailable',
  'unknown',
] as const;

/** Outcome of one attempt with one shop. `unknown`: no answer in time, so it may have been charged. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The known outcome of an attempt. */
export interface AttemptEnd {
  /** From 1. */
  number: number;
  outcome: AttemptOutcome;
  declineCode: DeclineCode | null;
  /** The provider's facts about the card; absent: none. */
  card?: CardFacts;
}

/** An outcome that is certain. */
export type KnownEnd = AttemptEnd & { outcome: Exclude<AttemptOutcome, 'unknown'> };

/**
 * The attempt's outcome according to the provider's answer, `null` for none. `repeated`: the attempt was sent before,
 * with an unknown outcome. An unavailable provider then says nothing about the earlier call, nor does a permission that
 * was missing before the call. Another decline does, because it answers every call under the attempt's key. An
 * authorisation is an approval. Pure.
 */
export function attemptEnd(number: number, answer: ChargeAnswer | null, repeated: boolean): AttemptEnd {
  const card = validFacts(answer?.card);
  const code = answer !== null && 'declineCode' in answer ? answer.declineCode : null;
  const isOfThisCall = answer?.outcome === 'unavailable' || code === PERMISSION_MISSING.declineCode;
  const isUnknown = answer === null || (isOfThisCall && repeated);
  return {
    number,
    outcome: isUnknown ? 'unknown' : answer.outcome === 'authorized' ? 'approved' : answer.outcome,
    declineCode: isUnknown ? null : code,
    ...(card && { card }),
  };
}

/** Whether the next shop may be asked: only if this attempt is certainly not charged and never will be. */
export const canFailOver = ({ outcome }: AttemptEnd): boolean =>
  outcome === 'soft_declined' || outcome === 'unavailable';

/** Whether the provider accepted the attempt: it charged it, or is still processing it. */
export const isAccepted = ({ outcome }: AttemptEnd): boolean => outcome === 'approved' || outcome === 'processing';

/**
 * The outcome that counts for the shop. `null`: none yet, or the reason is the payer's card. A call without an answer
 * counts as the shop's fault at once. Its final outcome counts too when it is known. Pure.
 */
export function shopOutcome({ outcome, declineCode }: AttemptEnd): ShopOutcome | null {
  if (outcome === 'approved') return 'approved';
  if (outcome === 'processing') return null;
  if (outcome === 'unavailable' || outcome === 'unknown') return 'failed';
  return OUTCOME_BY_PARTY[declineParty(declineCode)];
}

const OUTCOME_BY_PARTY = { payer: null, shop: 'failed', issuer: 'declined', configuration: 'unusable' } as const;
