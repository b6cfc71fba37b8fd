import type { ReadDecline } from '@payment-orchestrator/provider-kit';
import type { Payment } from './documents.js';

/**
 * `failureReason` of cards: https://docs.mollie.com/docs/handling-errors-with-mollie-components. Another one is passed
 * through as soft. Hard: about the card or the payer, so no other shop can charge it.
 */
const DECLINES: Readonly<Record<string, ReadDecline>> = {
  authentication_abandoned: { outcome: 'declined', declineCode: 'authentication_failed' },
  authentication_failed: { outcome: 'declined', declineCode: 'authentication_failed' },
  authentication_required: { outcome: 'declined', declineCode: 'authentication_required' },
  authentication_unavailable_acs: { outcome: 'soft_declined', declineCode: 'authentication_failed' },
  card_declined: { outcome: 'soft_declined', declineCode: 'card_declined' },
  card_expired: { outcome: 'declined', declineCode: 'expired_card' },
  inactive_card: { outcome: 'declined', declineCode: 'restricted_card' },
  insufficient_funds: { outcome: 'declined', declineCode: 'insufficient_funds' },
  invalid_cvv: { outcome: 'declined', declineCode: 'invalid_cvc' },
  invalid_card_holder_name: { outcome: 'declined', declineCode: 'invalid_card_holder_name' },
  invalid_card_number: { outcome: 'declined', declineCode: 'invalid_number' },
  invalid_card_type: { outcome: 'soft_declined', declineCode: 'card_not_supported' },
  possible_fraud: { outcome: 'declined', declineCode: 'fraudulent' },
  refused_by_issuer: { outcome: 'soft_declined', declineCode: 'card_declined' },
  unknown_reason: { outcome: 'soft_declined', declineCode: 'card_declined' },
};

/** Why direct debits fail, by ISO 20022. */
const BANK_REASONS: Readonly<Record<string, string>> = {
  AC01: 'invalid_account',
  AC04: 'invalid_account',
  AC06: 'account_blocked',
  AM04: 'insufficient_funds',
  MD01: 'authorization_revoked',
  MD07: 'invalid_account',
};

/** Why a failed payment failed. Methods with a redirect, such as iDEAL, do not tell. */
export function declineOf({ details }: Pick<Payment, 'details'>): ReadDecline {
  const bank = details?.bankReasonCode;
  if (bank) return { outcome: 'declined', declineCode: BANK_REASONS[bank] ?? codeOf(bank) };
  const reason = details?.failureReason;
  if (!reason) return { outcome: 'soft_declined', declineCode: 'payment_attempt_failed' };
  return DECLINES[reason] ?? { outcome: 'soft_declined', declineCode: codeOf(reason) };
}

const codeOf = (text: string): string => text.toLowerCase().replace(/\W/g, '_').slice(0, 100);
