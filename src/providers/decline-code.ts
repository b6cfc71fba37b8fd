/**
 * Why a charge was declined: one vocabulary for all providers, which adapters translate into. What it does not have
 * passes through as the provider's own word.
 */
export type DeclineCode = string;

/** Who is to blame for a decline: the `payer`'s card or account, the `shop` and its provider, or the `issuer`'s decision. */
export type DeclineParty = 'payer' | 'shop' | 'issuer';

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
  ['unknown_token', 'payer'],
  ['account_blocked', 'shop'],
  ['configuration_error', 'shop'],
  ['invalid_credentials', 'shop'],
  ['processing_error', 'shop'],
  ['provider_error', 'shop'],
  ['rate_limited', 'shop'],
]);

/** `issuer` for every code that is not known: banks decline in many words. */
export const declineParty = (code: DeclineCode | null): DeclineParty =>
  (code !== null && PARTIES.get(code)) || 'issuer';
