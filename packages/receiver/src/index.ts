// Exports of the package, except the adapters.
export { type Duplicates, rememberInMemory } from './duplicates.js';
export { publicKeysOf } from './keys.js';
export { type Answer, createReceiver, type Delivery, type ReceiverOptions } from './receiver.js';
export type { Secret, SecretLookup, Secrets, SecretSource, SenderLookup } from './secrets.js';
export { VERIFICATION_FAILURES, type VerificationFailure, WebhookVerificationError } from './verification-error.js';
export { type RawBody, verify, type VerifyOptions, type WebhookHeaders } from './verify.js';
export type * from './event-data.js';
export {
  type EventOf,
  isPaymentStatusChanged,
  type PaymentStatus,
  type PaymentStatusChanged,
  type UnknownEvent,
  type WebhookCustomer,
  type WebhookEvent,
  type WebhookPayment,
} from './webhook-event.js';
