import type { DeclineCode, ReadDecline } from '@payment-orchestrator/provider-kit';
import { documentedError } from './error.js';

/** The fields of a payment's answer about a refusal. */
export interface AdyenRefusalReason {
  refusalReasonCode?: string | undefined;
  refusalReason?: string | undefined;
  additionalData?: Record<string, unknown> | undefined;
}

type Rule = [name: string, kind: 'hard' | 'soft', code: DeclineCode];

/**
 * Refusals by `refusalReasonCode` (https://docs.adyen.com/development-resources/refusal-reasons); the table in
 * docs/integrate/providers.md. `soft`: another acquirer may answer differently. `hard`: it is about the card, its
 * account or the payer.
 */
export const ADYEN_REFUSALS: Readonly<Record<string, Rule>> = {
  '2': ['Refused', 'soft', 'card_declined'],
  '3': ['Referral', 'soft', 'call_issuer'],
  '4': ['Acquirer Error', 'soft', 'processing_error'],
  '5': ['Blocked Card', 'hard', 'restricted_card'],
  '6': ['Expired Card', 'hard', 'expired_card'],
  '7': ['Invalid Amount', 'soft', 'invalid_amount'],
  '8': ['Invalid Card Number', 'hard', 'invalid_number'],
  '9': ['Issuer Unavailable', 'soft', 'issuer_unavailable'],
  '10': ['Not supported', 'soft', 'transaction_not_allowed'],
  '11': ['3D Not Authenticated', 'hard', 'authentication_failed'],
  '12': ['Not enough balance', 'hard', 'insufficient_funds'],
  '14': ['Acquirer Fraud', 'hard', 'fraudulent'],
  '15': ['Cancelled', 'hard', 'voided'],
  '16': ['Shopper Cancelled', 'hard', 'cancelled_by_payer'],
  '17': ['Invalid Pin', 'hard', 'incorrect_pin'],
  '18': ['Pin tries exceeded', 'hard', 'incorrect_pin'],
  '19': ['Pin validation not possible', 'soft', 'processing_error'],
  '20': ['FRAUD', 'hard', 'fraudulent'],
  '21': ['Not Submitted', 'soft', 'processing_error'],
  '22': ['FRAUD-CANCELLED', 'hard', 'fraudulent'],
  '23': ['Transaction Not Permitted', 'soft', 'transaction_not_allowed'],
  '24': ['CVC Declined', 'hard', 'incorrect_cvc'],
  '25': ['Restricted Card', 'hard', 'restricted_card'],
  '26': ['Revocation Of Auth', 'hard', 'authorization_revoked'],
  '27': ['Declined Non Generic', 'soft', 'card_declined'],
  '28': ['Withdrawal amount exceeded', 'hard', 'limit_exceeded'],
  '29': ['Withdrawal count exceeded', 'hard', 'limit_exceeded'],
  '31': ['Issuer Suspected Fraud', 'hard', 'fraudulent'],
  '32': ['AVS Declined', 'hard', 'incorrect_address'],
  '33': ['Card requires online pin', 'hard', 'authentication_required'],
  '34': ['No checking account available on Card', 'hard', 'invalid_account'],
  '35': ['No savings account available on Card', 'hard', 'invalid_account'],
  '36': ['Mobile pin required', 'hard', 'authentication_required'],
  '37': ['Contactless fallback', 'hard', 'authentication_required'],
  '38': ['Authentication required', 'hard', 'authentication_required'],
  '39': ['RReq not received from DS', 'hard', 'authentication_failed'],
  '40': ['Current AID is in Penalty Box', 'soft', 'card_not_supported'],
  '41': ['CVM Required Restart Payment', 'hard', 'authentication_required'],
  '42': ['3DS Authentication Error', 'hard', 'authentication_failed'],
  '43': ['Online PIN required', 'hard', 'authentication_required'],
  '44': ['Try another interface', 'soft', 'card_not_supported'],
  '45': ['Chip downgrade mode', 'soft', 'card_not_supported'],
  '46': ['Transaction blocked by Adyen to prevent excessive retry fees', 'hard', 'do_not_try_again'],
};

/** Refusals by name, because a notification has only the name. */
const BY_NAME = new Map(Object.values(ADYEN_REFUSALS).map((rule) => [rule[0].toLowerCase(), rule]));

/**
 * Mastercard's advice codes that forbid the same card: 01 new account data, 03 do not try again, 21 the payer ended the
 * authorisation. Retries against the advice cost a fee.
 */
const FINAL_ADVICE = /^(01|03|21)\b/;

/**
 * `isError`: the result code is `Error`, which is not a decision. Unknown reasons pass through as Adyen's own codes.
 */
export function readAdyenDecline(refusal: AdyenRefusalReason, isError = false): ReadDecline {
  const { refusalReasonCode: code = '', refusalReason: name = '', additionalData: data } = refusal;
  const known = Object.hasOwn(ADYEN_REFUSALS, code) ? ADYEN_REFUSALS[code] : BY_NAME.get(name.toLowerCase());
  // an error also comes as a refusal: `803 PaymentDetail not found`, `010 Not allowed`
  const error = documentedError(name.split(' ')[0]!);
  if (error) return error;
  const unknown: Rule = isError ? ['', 'soft', 'processing_error'] : ['', 'hard', slugOf(name) || 'card_declined'];
  const [, kind, declineCode] = known ?? unknown;
  const advice = data?.['merchantAdviceCode'];
  const isFinal = typeof advice === 'string' && FINAL_ADVICE.test(advice);
  return { outcome: kind === 'soft' && !isFinal ? 'soft_declined' : 'declined', declineCode };
}

/** Adyen's own codes and texts, for `provider_metadata`. */
export function refusalDetails({ refusalReasonCode, refusalReason }: AdyenRefusalReason): Record<string, string> {
  return {
    ...(refusalReasonCode && { refusal_reason_code: refusalReasonCode }),
    ...(refusalReason && { refusal_reason: refusalReason.slice(0, MAX_REASON) }),
  };
}

const MAX_REASON = 200;

const slugOf = (name: string): string =>
  /^[\w -]{1,60}$/.test(name) ? name.trim().toLowerCase().replace(/[ -]+/g, '_') : '';
