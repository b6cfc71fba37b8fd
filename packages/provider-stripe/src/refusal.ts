import { PAYMENT_METHOD_UNUSABLE, type ReadDecline } from '@payment-orchestrator/provider-kit';
import { readStripeDecline, STRIPE_DECLINES, type StripeDecline } from './decline.js';

/** The fields of Stripe's error object about a call that it did not execute. */
export interface StripeRefusedCall extends StripeDecline {
  param?: string | undefined;
  message?: string | undefined;
}

const soft = (declineCode: string): ReadDecline => ({ outcome: 'soft_declined', declineCode });
const CONFIGURATION = soft('configuration_error');
const INVALID_AMOUNT = soft('invalid_amount');
const REQUEST_REFUSED = soft('request_refused');

/** Codes of refusals, from https://docs.stripe.com/error-codes; those of {@link STRIPE_DECLINES} mean the same as with 402. */
const BY_CODE: Readonly<Record<string, ReadDecline>> = {
  // the payment method: deleted, detached, used up, or attached to a Customer
  ...codes(PAYMENT_METHOD_UNUSABLE, [
    'bank_account_unusable',
    'bank_account_unverified',
    'expired_payment_method',
    'invalid_source_usage',
    'payment_method_unexpected_state',
    'token_already_used',
    'token_in_use',
  ]),
  ...codes(INVALID_AMOUNT, [
    'amount_too_large',
    'amount_too_small',
    'charge_exceeds_transaction_limit',
    'invalid_charge_amount',
  ]),
  ...codes(soft('currency_not_supported'), ['payment_method_currency_mismatch']),
  ...codes(soft('issuer_unavailable'), ['payment_method_not_available']),
  ...codes({ outcome: 'declined', declineCode: 'incorrect_address' }, [
    'incorrect_postal_code',
    'payment_method_billing_details_address_missing',
    'postal_code_invalid',
  ]),
  // credentials, permissions and states of the account
  ...codes(CONFIGURATION, [
    'account_country_invalid_address',
    'account_error_country_change_requires_additional_steps',
    'account_information_mismatch',
    'account_invalid',
    'account_token_required_for_v2_account',
    'api_key_expired',
    'capability_not_active',
    'charge_exceeds_source_limit',
    'country_unsupported',
    'more_permissions_required',
    'no_account',
    'not_allowed_on_standard_account',
    'payment_method_configuration_failures',
    'payment_method_unactivated',
    'platform_account_required',
    'platform_api_key_expired',
    'secret_key_required',
    'storer_capability_missing',
    'storer_capability_not_active',
    'testmode_charges_only',
    'tls_version_unsupported',
  ]),
};

/** Parameters that name the payment method or its Customer. */
const METHOD_PARAMS = new Set(['customer', 'payment_method', 'source']);
/** The object that a parameter names is of another account or mode, or was deleted. */
const MISSING = new Set(['livemode_mismatch', 'resource_missing']);

/**
 * Texts for which Stripe has no code, as reported: woocommerce-payments issue 323, stripe-node issue 934, and "The
 * customer does not have a payment method with the ID …".
 */
const UNUSABLE_TEXT = new RegExp(
  [
    'No such (PaymentMethod|payment_method|customer|source|token)\\b',
    'previously used',
    'may not be used again',
    'detached from a customer',
    'attached to (a|another|the) customer',
    'does not have a payment method',
    'does not belong to the customer',
    'belongs to (a|another|the) customer',
    'must be attached',
    'customer .*(has been|was|is) deleted',
  ].join('|'),
  'i',
);
const AMOUNT_TEXT = /\bamount\b.* (at least|at most|no more than|greater than|less than|too (large|small))\b/i;
const ACCOUNT_TEXT =
  /\bcapabilit(y|ies)\b|\b(your|the connected|this) account (cannot|can't|can not|is not|must|has)\b/i;

/**
 * The meaning of a call that Stripe refused with 400 or 404, or with 402 and no `card_error`. Only credentials, permissions
 * and states of the account are configuration, which counts for the shop's health. Pure.
 */
export function readStripeRefusal(error: StripeRefusedCall): ReadDecline {
  const { code, param, message = '' } = error;
  const isOfMethod = param === undefined ? UNUSABLE_TEXT.test(message) : METHOD_PARAMS.has(param);
  if (code && MISSING.has(code)) return isOfMethod ? PAYMENT_METHOD_UNUSABLE : byObject(code);
  if (code && Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!;
  const decline = [error.decline_code, code].find((value) => value && Object.hasOwn(STRIPE_DECLINES, value));
  if (decline) return readStripeDecline(error);
  if (UNUSABLE_TEXT.test(message)) return PAYMENT_METHOD_UNUSABLE;
  if (param === 'amount' || AMOUNT_TEXT.test(message)) return INVALID_AMOUNT;
  if (param === 'currency') return soft('currency_not_supported');
  return !code && ACCOUNT_TEXT.test(message) ? CONFIGURATION : REQUEST_REFUSED;
}

/** Without a parameter, the key's mode does not fit what it is used for. */
const byObject = (code: string): ReadDecline => (code === 'livemode_mismatch' ? CONFIGURATION : REQUEST_REFUSED);

function codes(decline: ReadDecline, names: readonly string[]): Record<string, ReadDecline> {
  return Object.fromEntries(names.map((name) => [name, decline]));
}
