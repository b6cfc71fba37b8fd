export {
  type Answer,
  type ClientOptions,
  createClient,
  type Init,
  type Item,
  type List,
  type ListPath,
  type PathOf,
  type PaymentOrchestratorClient,
} from './client.js';
export {
  ConnectionError,
  type Problem,
  type ProblemCode,
  ProblemError,
  TokenError,
  UnexpectedAnswerError,
} from './errors.js';
export { type EventOf, type TypedEvent, typedEvent, type Webhook, type WebhookOf } from './events.js';
export type { Retry, RetryOptions } from './retries.js';
export type { components, operations, paths, webhooks } from './schema.js';
export type { ClientCredentials, Credentials } from './tokens.js';
import type { components } from './schema.js';

/** The type of an API schema, such as `Schema<'Payment'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
