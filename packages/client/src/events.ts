import type { components } from './schema.js';

type Webhooks = components['pathItems'];
type Event = components['schemas']['Event'];

/** The body of a webhook of this type. */
export type WebhookOf<Type extends keyof Webhooks> =
  Webhooks[Type]['post']['requestBody']['content']['application/json'];

/** The body of any webhook; `event` narrows it. */
export type Webhook = { [Type in keyof Webhooks]: WebhookOf<Type> }[keyof Webhooks];

type DataOf<Body> = Body extends { data: infer Data } ? Data : Body;

/** An event of this type, as `GET /events` returns it. */
export type EventOf<Type extends keyof Webhooks> = Omit<Event, 'type' | 'data'> & {
  type: Type;
  data: DataOf<WebhookOf<Type>>;
};

/** Any event of `GET /events`; `type` narrows it. */
export type TypedEvent = { [Type in keyof Webhooks]: EventOf<Type> }[keyof Webhooks];

/**
 * The same event with a type for its `data`. A service that is newer than this package may return a type that the union
 * does not have: ignore it in the `default` of a `switch`.
 */
export const typedEvent = (event: Event): TypedEvent => event as unknown as TypedEvent;
