/**
 * Why a charge was declined: one vocabulary for all providers, which adapters translate into. What it does not have
 * passes through as the provider's own word.
 */
export type DeclineCode = string;

/** What an adapter reads a provider's decline as; `soft_declined`: another acquirer may get another answer. */
export interface ReadDecline {
  outcome: 'declined' | 'soft_declined';
  declineCode: DeclineCode;
}

/** Another account may have the payment method: a token is made for one. */
export const UNKNOWN_TOKEN: ReadDecline = { outcome: 'soft_declined', declineCode: 'unknown_token' };

/**
 * Who is to blame for a decline: the `payer`'s card or account, the `shop` and its provider, the `issuer`'s decision, or the
 * `configuration`: the shop is asked for payment methods that its account does not have.
 */
export type DeclineParty = 'payer' | 'shop' | 'issuer' | 'configuration';

const PARTIES: ReadonlyMap<DeclineCode, DeclineParty> = new Map<DeclineCode, DeclineParty>([
  ['authentication_failed', 'payer'],
  ['authentication_required', 'payer'],
  ['cancelled_by_payer', 'payer'],
  ['card_not_supported', 'payer'],
  ['expired_card', 'payer'],
  ['incorrect_address', 'payer'],
  ['incorrect_cvc', 'payer'],
  ['incorrect_number', 'payer'],
  ['incorrect_pin', 'payer'],
  ['insufficient_funds', 'payer'],
  ['invalid_cvc', 'payer'],
  ['invalid_expiry', 'payer'],
  ['invalid_number', 'payer'],
  ['limit_exceeded', 'payer'],
  ['lost_card', 'payer'],
  ['stolen_card', 'payer'],
  ['account_blocked', 'shop'],
  ['configuration_error', 'shop'],
  ['invalid_credentials', 'shop'],
  ['processing_error', 'shop'],
  ['provider_error', 'shop'],
  ['rate_limited', 'shop'],
  [UNKNOWN_TOKEN.declineCode, 'configuration'],
]);

/** What issuers decide, in the words that adapters translate into. */
const OF_ISSUERS: readonly DeclineCode[] = [
  'approve_with_id',
  'authorization_revoked',
  'blocklisted',
  'call_issuer',
  'card_declined',
  'currency_not_supported',
  'do_not_honor',
  'do_not_try_again',
  'duplicate_transaction',
  'fraudulent',
  'invalid_account',
  'invalid_amount',
  'issuer_unavailable',
  'new_account_information_available',
  'no_action_taken',
  'not_permitted',
  'payment_attempt_failed',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'service_not_allowed',
  'transaction_not_allowed',
  'try_again_later',
  'voided',
];

/** The vocabulary: what adapters translate into. A provider's own word, which passes through, is none of it. */
export const DECLINE_CODES: readonly DeclineCode[] = [...PARTIES.keys(), ...OF_ISSUERS];

/** `issuer` for every code that is not known: banks decline in many words. */
export const declineParty = (code: DeclineCode | null): DeclineParty =>
  (code !== null && PARTIES.get(code)) || 'issuer';
