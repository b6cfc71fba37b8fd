// Exports of the package, except the parts for tests.
export { ActionDataRefused } from './action-data-refused.js';
export { validFacts } from './card-facts.js';
export { type Credential, credentialErrors, credentialFields } from './credential-errors.js';
export { CURRENCIES, currencyDigits } from './currencies.js';
export {
  DECLINE_CODES,
  type DeclineCode,
  type DeclineParty,
  declineParty,
  PAYMENT_METHOD_UNUSABLE,
  PERMISSION_MISSING,
  type ReadDecline,
} from './decline-code.js';
export type { ConnectorHost, HostDatabase, HostTransaction, PayerPage, PayerPages, Statement } from './host.js';
export { type AccessToken, AccessTokenCache, type AccessTokens, type TokenCall } from './http/access-tokens.js';
export { type ApiAnswer, ApiCallError, type ApiRequest, isApiCallError } from './http/api-exchange.js';
export { type ApiClient, HttpApiClient } from './http/http-api-client.js';
export { isObject } from './is-object.js';
export { fromMinorAmount, type MinorAmount, type MinorUnits, toMinorAmount } from './minor-units.js';
export { type NotificationRefusal, NotificationRefused } from './notification-refused.js';
export * from './payment-provider.js';
export * from './provider-event.js';
export type { ConnectorContext, ProviderFactory } from './provider-factory.js';
export type { SavedMethod } from './saved-method.js';
export { type Answers, checkedAnswer, checkedProvider, MalformedAnswer } from './schemas/checked.js';
