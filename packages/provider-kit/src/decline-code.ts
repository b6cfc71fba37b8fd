/**
 * Why a charge was declined: one list of codes for all providers, to which adapters map. Other codes are the provider's
 * own and are passed through.
 */
export type DeclineCode = string;

/** A provider's decline as an adapter reads it. `soft_declined`: another acquirer may answer differently. */
export interface ReadDecline {
  outcome: 'declined' | 'soft_declined';
  declineCode: DeclineCode;
}

/**
 * The account does not have the payment method: it is of another account or mode, has expired or was deleted. Another
 * account may have it.
 */
export const PAYMENT_METHOD_UNUSABLE: ReadDecline = {
  outcome: 'soft_declined',
  declineCode: 'payment_method_unusable',
};

/** The credentials lack a permission that this payment needs and others do not, for example to save its payment method. */
export const PERMISSION_MISSING: ReadDecline = { outcome: 'soft_declined', declineCode: 'permission_missing' };

/**
 * The party that caused a decline: the `payer`'s card or account, the `shop` and its provider, the `issuer`'s decision,
 * or the shop's `configuration`, because its account does not have the payment method or a permission for this payment.
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
  [PAYMENT_METHOD_UNUSABLE.declineCode, 'configuration'],
  [PERMISSION_MISSING.declineCode, 'configuration'],
  // the name of that code in attempts of earlier releases
  ['unknown_token', 'configuration'],
]);

/** Codes for decisions of issuers, and of providers about one payment. */
const ISSUER_CODES: readonly DeclineCode[] = [
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
  'request_refused',
  'restricted_card',
  'security_violation',
  'service_not_allowed',
  'transaction_not_allowed',
  'try_again_later',
  'voided',
];

/** The codes to which adapters map. A provider's own code, which is passed through, is not among them. */
export const DECLINE_CODES: readonly DeclineCode[] = [...PARTIES.keys(), ...ISSUER_CODES];

/** `issuer` for every unknown code: banks use many codes. */
export const declineParty = (code: DeclineCode | null): DeclineParty =>
  (code !== null && PARTIES.get(code)) || 'issuer';
