import { describe, expect, it } from '@jest/globals';
import { type ChargeAnswer, declineParty } from '@payment-orchestrator/provider-kit';
import { chargeRefusal } from './failure.js';

type Fields = { type?: string; code?: string; decline_code?: string; param?: string; message?: string };
type Row = [status: number, error: Fields, answer: string];

const USED_BEFORE =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a ' +
  'connected account without Customer attachment, or was detached from a Customer. It may not be used again.';

/** Errors that Stripe documents (https://docs.stripe.com/error-codes, /api/errors, /error-low-level) or was seen to give. */
const DOCUMENTED: readonly Row[] = [
  // the payment method or its Customer: deleted, detached, used, attached elsewhere, of another account or mode
  [
    400,
    { code: 'resource_missing', param: 'customer', message: "No such customer: 'cus_1'" },
    'payment_method_unusable',
  ],
  [400, { code: 'resource_missing', param: 'payment_method' }, 'payment_method_unusable'],
  [404, { code: 'resource_missing', message: "No such PaymentMethod: 'pm_1'" }, 'payment_method_unusable'],
  [400, { message: "No such customer: 'cus_1'" }, 'payment_method_unusable'],
  [400, { code: 'livemode_mismatch', param: 'payment_method' }, 'payment_method_unusable'],
  [400, { code: 'livemode_mismatch', param: 'customer' }, 'payment_method_unusable'],
  [400, { message: USED_BEFORE }, 'payment_method_unusable'],
  [400, { param: 'payment_method', message: USED_BEFORE }, 'payment_method_unusable'],
  [400, { code: 'payment_intent_invalid_parameter', message: USED_BEFORE }, 'payment_method_unusable'],
  [
    400,
    {
      message:
        'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
    },
    'payment_method_unusable',
  ],
  [
    400,
    { param: 'payment_method', message: 'A source must be attached to a customer to be used as a `payment_method`.' },
    'payment_method_unusable',
  ],
  [
    400,
    {
      code: 'parameter_unknown',
      message:
        'The customer does not have a payment method with the ID pm_1. The payment method must be attached to the customer.',
    },
    'payment_method_unusable',
  ],
  [400, { code: 'payment_method_unexpected_state' }, 'payment_method_unusable'],
  [400, { code: 'token_already_used' }, 'payment_method_unusable'],
  [400, { code: 'expired_payment_method' }, 'payment_method_unusable'],

  // the amount and its currency
  [400, { code: 'amount_too_small', param: 'amount' }, 'invalid_amount'],
  [400, { code: 'amount_too_large' }, 'invalid_amount'],
  [400, { code: 'charge_exceeds_transaction_limit' }, 'invalid_amount'],
  [400, { code: 'parameter_invalid_integer', param: 'amount' }, 'invalid_amount'],
  [400, { message: 'Amount must convert to at least 50 cents.' }, 'invalid_amount'],
  [400, { code: 'payment_method_currency_mismatch' }, 'currency_not_supported'],
  [400, { param: 'currency', message: 'Invalid currency: xyz' }, 'currency_not_supported'],

  // this request
  [400, { code: 'parameter_unknown', param: 'foo' }, 'request_refused'],
  [400, { code: 'parameter_missing', param: 'payment_method_data' }, 'request_refused'],
  [400, { code: 'payment_intent_invalid_parameter', param: 'payment_method' }, 'request_refused'],
  [400, { code: 'payment_intent_incompatible_payment_method' }, 'request_refused'],
  [400, { code: 'payment_method_unsupported_type' }, 'request_refused'],
  [400, { code: 'customer_max_payment_methods' }, 'request_refused'],
  [400, { message: 'You cannot confirm with the `off_session` parameter when …' }, 'request_refused'],
  [400, { code: 'a_code_of_tomorrow' }, 'request_refused'],
  [404, {}, 'request_refused'],

  // the payer, as with 402
  [400, { code: 'incorrect_zip' }, 'incorrect_address'],
  [400, { code: 'postal_code_invalid' }, 'incorrect_address'],
  [400, { code: 'invalid_expiry_year', param: 'exp_year' }, 'invalid_expiry'],
  [402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
  [402, { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }, 'do_not_honor'],

  // the account: configuration, which counts for the shop's health
  [400, { code: 'payment_method_unactivated' }, 'configuration_error'],
  [400, { code: 'account_invalid' }, 'configuration_error'],
  [400, { code: 'capability_not_active' }, 'configuration_error'],
  [400, { code: 'platform_api_key_expired' }, 'configuration_error'],
  [400, { code: 'secret_key_required' }, 'configuration_error'],
  [400, { code: 'tls_version_unsupported' }, 'configuration_error'],
  [
    402,
    { code: 'testmode_charges_only', message: 'Your account cannot currently make live charges.' },
    'configuration_error',
  ],
  [400, { message: 'Your account cannot currently make live charges.' }, 'configuration_error'],
  [402, { message: '… without the card_payments capability enabled.' }, 'configuration_error'],

  // rejected before processing: credentials, permissions, rate
  [401, { message: 'Invalid API Key provided' }, 'unavailable'],
  [401, { code: 'api_key_expired' }, 'unavailable'],
  [403, { code: 'more_permissions_required' }, 'unavailable'],
  [429, { code: 'rate_limit' }, 'unavailable'],
  [429, { code: 'lock_timeout' }, 'unavailable'],

  // unknown: the charge may have been made
  [400, { type: 'idempotency_error' }, 'unknown'],
  [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unknown'],
  [422, {}, 'unknown'],
  [424, { type: 'api_error' }, 'unknown'],
  [500, { type: 'api_error' }, 'unknown'],
  [503, { type: 'api_error' }, 'unknown'],
];

const FAULTS_OF_THE_SHOP = new Set(['configuration_error']);

function answerTo(status: number, { type = 'invalid_request_error', ...fields }: Fields): ChargeAnswer | null {
  const thrown = Object.assign(new Error(fields.message ?? 'm'), { statusCode: status, rawType: type, ...fields });
  try {
    return chargeRefusal(thrown);
  } catch {
    return null;
  }
}

describe("Stripe's documented errors", () => {
  it.each(DOCUMENTED)('%i %j is %s', (status, error, expected) => {
    const answer = answerTo(status, error);
    const declineCode = answer && 'declineCode' in answer ? answer.declineCode : null;
    expect(declineCode ?? answer?.outcome ?? 'unknown').toBe(expected);
    expect(declineParty(declineCode) === 'shop').toBe(FAULTS_OF_THE_SHOP.has(expected));
  });
});
