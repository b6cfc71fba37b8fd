import { PAYMENT_METHOD_UNUSABLE, PERMISSION_MISSING, type ReadDecline } from '@payment-orchestrator/provider-kit';

const soft = (declineCode: string): ReadDecline => ({ outcome: 'soft_declined', declineCode });
const hard = (declineCode: string): ReadDecline => ({ outcome: 'declined', declineCode });

/**
 * Issues of orders: https://developer.paypal.com/api/rest/reference/orders/v2/errors/. Hard: about the payer's account, so
 * no other shop can charge it.
 */
const ISSUES: Readonly<Record<string, ReadDecline>> = {
  AGREEMENT_ALREADY_CANCELLED: PAYMENT_METHOD_UNUSABLE,
  AUTH_CAPTURE_NOT_ENABLED: soft('configuration_error'),
  BILLING_AGREEMENT_NOT_FOUND: PAYMENT_METHOD_UNUSABLE,
  CANNOT_BE_ZERO_OR_NEGATIVE: soft('invalid_amount'),
  COMPLIANCE_VIOLATION: soft('transaction_not_allowed'),
  DECIMAL_PRECISION: soft('invalid_amount'),
  INSTRUMENT_DECLINED: soft('card_declined'),
  INVALID_CURRENCY_CODE: soft('currency_not_supported'),
  INVALID_RESOURCE_ID: PAYMENT_METHOD_UNUSABLE,
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: hard('do_not_try_again'),
  MAX_VALUE_EXCEEDED: soft('invalid_amount'),
  MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE: PAYMENT_METHOD_UNUSABLE,
  NOT_ELIGIBLE_FOR_TOKEN_PROCESSING: PERMISSION_MISSING,
  NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE: PERMISSION_MISSING,
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: soft('account_blocked'),
  PAYEE_ACCOUNT_RESTRICTED: soft('account_blocked'),
  PAYEE_BLOCKED_TRANSACTION: soft('security_violation'),
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: hard('invalid_account'),
  PAYER_ACCOUNT_RESTRICTED: hard('invalid_account'),
  PAYER_CANNOT_PAY: hard('transaction_not_allowed'),
  PAYMENT_SOURCE_CANNOT_BE_USED: PAYMENT_METHOD_UNUSABLE,
  PAYMENT_SOURCE_DECLINED_BY_PROCESSOR: soft('card_declined'),
  TOKEN_EXPIRED: PAYMENT_METHOD_UNUSABLE,
  TOKEN_ID_NOT_FOUND: PAYMENT_METHOD_UNUSABLE,
  TRANSACTION_BLOCKED_BY_PAYEE: soft('security_violation'),
  TRANSACTION_LIMIT_EXCEEDED: hard('limit_exceeded'),
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: soft('account_blocked'),
  TRANSACTION_REFUSED: soft('payment_attempt_failed'),
};

export const declineOf = (issue: string | undefined): ReadDecline =>
  (issue !== undefined && Object.hasOwn(ISSUES, issue) && ISSUES[issue]) || soft('request_refused');

/** PayPal's upper-case codes as ours. */
export const codeOf = (issue: string): string => issue.toLowerCase().replace(/\W/g, '_').slice(0, 100);
