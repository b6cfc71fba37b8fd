import { type DeclineCode, PAYMENT_METHOD_UNUSABLE, type ReadDecline } from '@payment-orchestrator/provider-kit';

/**
 * Error codes by what they mean for a payment; the table in docs/integrate/providers.md. Only errors about credentials,
 * permissions and the account's state are a fault of the shop's configuration.
 * https://docs.adyen.com/development-resources/error-codes
 */
const CODES: readonly (readonly [kind: 'hard' | 'soft', code: DeclineCode, errors: string])[] = [
  ['hard', 'invalid_number', '101 102'],
  ['hard', 'invalid_cvc', '103 153'],
  ['hard', 'invalid_expiry', '129 140 141'],
  ['hard', 'incorrect_address', '104 117 118 131 132 133 134 135 147 148 149 150 151 194'],
  ['hard', 'invalid_account', '108 126 142 161 162 163'],
  ['soft', 'invalid_amount', '137 166 916'],
  ['soft', 'currency_not_supported', '138'],
  // 170…: the card was encrypted for another account, or too long ago. 800…: the account has no such shopper or stored
  // payment method, or not under the contract used for the charge
  ['soft', PAYMENT_METHOD_UNUSABLE.declineCode, '170 171 172 173 174 175 800 802 803 805 806'],
  ['soft', 'configuration_error', '010 107 901 905 907 950 951 952 953 954 955 956 957 958 959 960 961 962 966 967'],
];

export const ADYEN_ERRORS: ReadonlyMap<string, ReadDecline> = new Map(
  CODES.flatMap(([kind, declineCode, errors]) =>
    errors.split(' ').map((error) => [error, { outcome: kind === 'hard' ? 'declined' : 'soft_declined', declineCode }]),
  ),
);

/** Types of errors that are about the account or its credentials. */
const CONFIGURATION_TYPES: ReadonlySet<string> = new Set(['configuration', 'security']);

/** The answer to a documented error code; `undefined` for others. A code such as `905_1` means the same as `905`. */
export const documentedError = (errorCode: string): ReadDecline | undefined =>
  ADYEN_ERRORS.get(errorCode.replace(/^(\d{3})_\d+$/, '$1'));

/** The answer to an error of a call that was not executed. */
export const readAdyenError = (errorCode: string, errorType: string): ReadDecline =>
  documentedError(errorCode) ?? {
    outcome: 'soft_declined',
    declineCode: CONFIGURATION_TYPES.has(errorType) ? 'configuration_error' : 'request_refused',
  };

/** Whether the account has no such payment method. */
export const isUnusable = (errorCode: string): boolean =>
  documentedError(errorCode)?.declineCode === PAYMENT_METHOD_UNUSABLE.declineCode;

/**
 * Whether the call was certainly not executed, also with status 500: the account is not configured for the payment method,
 * currency or country, or has no such payment method.
 */
export const isNotPossible = (errorCode: string, errorType: string): boolean =>
  isUnusable(errorCode) || /^905(_\d+)?$/.test(errorCode) || (errorCode === '907' && errorType === 'configuration');
