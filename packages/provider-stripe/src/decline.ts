import type { DeclineCode, ReadDecline } from '@payment-orchestrator/provider-kit';

/** The fields of Stripe's error object and of `last_payment_error` about a decline. */
export interface StripeDecline {
  code?: string | null;
  decline_code?: string | null;
  advice_code?: string | null;
  network_advice_code?: string | null;
  network_decline_code?: string | null;
}

type Rule = ['hard' | 'soft', DeclineCode];

/**
 * Declines by `decline_code`, else by `code` (https://docs.stripe.com/declines/codes and /error-codes); the table in
 * docs/integrate/providers.md. `soft`: another acquirer may answer differently. `hard`: it is about the card, its
 * account or the payer.
 */
export const STRIPE_DECLINES: Readonly<Record<string, Rule>> = {
  approve_with_id: ['soft', 'approve_with_id'],
  authentication_not_handled: ['hard', 'authentication_required'],
  authentication_required: ['hard', 'authentication_required'],
  call_issuer: ['soft', 'call_issuer'],
  card_declined: ['soft', 'card_declined'],
  card_not_supported: ['soft', 'card_not_supported'],
  card_velocity_exceeded: ['hard', 'limit_exceeded'],
  currency_not_supported: ['soft', 'currency_not_supported'],
  do_not_honor: ['soft', 'do_not_honor'],
  do_not_try_again: ['hard', 'do_not_try_again'],
  duplicate_transaction: ['hard', 'duplicate_transaction'],
  expired_card: ['hard', 'expired_card'],
  fraudulent: ['hard', 'fraudulent'],
  generic_decline: ['soft', 'card_declined'],
  incorrect_address: ['hard', 'incorrect_address'],
  incorrect_cvc: ['hard', 'incorrect_cvc'],
  incorrect_number: ['hard', 'incorrect_number'],
  incorrect_pin: ['hard', 'incorrect_pin'],
  incorrect_zip: ['hard', 'incorrect_address'],
  insufficient_funds: ['hard', 'insufficient_funds'],
  invalid_account: ['hard', 'invalid_account'],
  invalid_amount: ['soft', 'invalid_amount'],
  invalid_cvc: ['hard', 'invalid_cvc'],
  invalid_expiry_month: ['hard', 'invalid_expiry'],
  invalid_expiry_year: ['hard', 'invalid_expiry'],
  invalid_number: ['hard', 'invalid_number'],
  invalid_pin: ['hard', 'incorrect_pin'],
  issuer_not_available: ['soft', 'issuer_unavailable'],
  lost_card: ['hard', 'lost_card'],
  merchant_blacklist: ['hard', 'blocklisted'],
  mobile_device_authentication_required: ['hard', 'authentication_required'],
  new_account_information_available: ['hard', 'new_account_information_available'],
  no_action_taken: ['soft', 'no_action_taken'],
  not_permitted: ['soft', 'not_permitted'],
  offline_pin_required: ['hard', 'authentication_required'],
  online_or_offline_pin_required: ['hard', 'authentication_required'],
  payment_intent_authentication_failure: ['hard', 'authentication_failed'],
  payment_intent_payment_attempt_expired: ['hard', 'authentication_failed'],
  payment_intent_payment_attempt_failed: ['soft', 'payment_attempt_failed'],
  payment_method_provider_decline: ['soft', 'card_declined'],
  payment_method_provider_timeout: ['soft', 'issuer_unavailable'],
  pickup_card: ['hard', 'pickup_card'],
  pin_try_exceeded: ['hard', 'incorrect_pin'],
  processing_error: ['soft', 'processing_error'],
  reenter_transaction: ['soft', 'processing_error'],
  restricted_card: ['hard', 'restricted_card'],
  revocation_of_all_authorizations: ['hard', 'authorization_revoked'],
  revocation_of_authorization: ['hard', 'authorization_revoked'],
  security_violation: ['hard', 'security_violation'],
  service_not_allowed: ['soft', 'service_not_allowed'],
  stolen_card: ['hard', 'stolen_card'],
  stop_payment_order: ['hard', 'authorization_revoked'],
  testmode_decline: ['hard', 'configuration_error'],
  transaction_not_allowed: ['soft', 'transaction_not_allowed'],
  try_again_later: ['soft', 'try_again_later'],
  withdrawal_count_limit_exceeded: ['hard', 'limit_exceeded'],
};

/** Advice of Stripe that applies to every acquirer. */
const FINAL_ADVICE = new Set(['do_not_try_again', 'confirm_card_data']);
/**
 * Advice of the card networks that forbids the same card. Mastercard: 01 new account data, 03 do not try again, 21 the
 * payer ended the authorisation. Visa's categories: 01 never approved, 03 wrong data. Both charge a fee for such
 * retries.
 */
const FINAL_NETWORK_ADVICE = new Set(['01', '03', '21', '1', '3']);
/** Form of codes, ours and unknown ones; never a provider's text. */
const CODE = /^[a-z0-9_]{1,100}$/;

/**
 * A code that is not in the table is hard, unless Stripe advises to try again, and passes through as Stripe's own code.
 */
export function readStripeDecline(decline: StripeDecline): ReadDecline {
  const { advice_code: advice, network_advice_code: networkAdvice } = decline;
  const code = [decline.decline_code, decline.code].find((value) => typeof value === 'string' && CODE.test(value));
  const known = code && Object.hasOwn(STRIPE_DECLINES, code) ? STRIPE_DECLINES[code] : undefined;
  const [kind, declineCode] = known ?? [advice === 'try_again_later' ? 'soft' : 'hard', code ?? 'card_declined'];
  const isFinal = FINAL_ADVICE.has(advice ?? '') || FINAL_NETWORK_ADVICE.has(networkAdvice ?? '');
  return { outcome: kind === 'soft' && !isFinal ? 'soft_declined' : 'declined', declineCode };
}

/** Stripe's own codes, for `provider_metadata`. */
export function declineDetails(decline: StripeDecline): Record<string, string> {
  const names = ['code', 'decline_code', 'advice_code', 'network_advice_code', 'network_decline_code'] as const;
  return Object.fromEntries(names.flatMap((name) => (decline[name] ? [[name, decline[name]]] : [])));
}
