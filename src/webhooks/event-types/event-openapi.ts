import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaRef } from '../../openapi/schemas.js';
import { WEBHOOK_EVENT } from '../outbox/webhook-body.js';
import { DATA_SCHEMAS, type DataSchemaName } from './data-schemas.js';
import { describedEvent, EVENT_TYPES, type EventType } from './event-catalogue.js';
import { exampleOf } from './sample-event.js';
import { boolean, described, integerOrNull, type JsonSchema, text, time } from './schema-parts.js';
import { STATUS_CHANGE_SCHEMAS } from './status-change-schema.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

const header = (name: string, description: string, required = true): object => ({
  name,
  in: 'header',
  required,
  description,
  schema: text,
});

const SHOP_ID = (required: boolean): object =>
  header(
    'webhook-shop-id',
    'The id of the shop; absent if the event is about no single shop. Without `webhook-endpoint-id`, select the secret by it ' +
      'and verify the signature before you trust the body.',
    required,
  );
const ENDPOINT_ID = (required: boolean): object =>
  header(
    'webhook-endpoint-id',
    'The id of the standing endpoint, on webhooks to one. Select the secret by it and verify the signature before you trust ' +
      'the body.',
    required,
  );

const HEADERS = [
  header(
    'Signature',
    'Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop or standing endpoint.',
  ),
  header(
    'webhook-id',
    'The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have ' +
      'processed (Standard Webhooks).',
  ),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds (Standard Webhooks).'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. ' +
      'If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks).',
  ),
  header('Webhook-Test', '`true` for a sample that was requested to test the address.', false),
];

const ANSWERS = {
  '2XX': { description: 'Acknowledged: delivered' },
  410: { description: 'The address no longer exists: the delivery fails without further attempts' },
  default: { description: 'A failed attempt, like no answer in time' },
};

const DELIVERY =
  'Sent again after 10, 100 and 1000 seconds until it is acknowledged. Verify the signature over the raw body in constant ' +
  'time. Answer with 2xx within 3 seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; ' +
  '`429` and `503` with `Retry-After` postpone the next attempt. Redirects are not followed.';

const wordsOf = (type: string): string[] => type.split(/[._]/);

/** The name of the schema of a type's body: `PaymentLateChargeWebhook`. */
const bodySchemaOf = (type: EventType): string =>
  type === WEBHOOK_EVENT
    ? 'WebhookEvent'
    : `${wordsOf(type)
        .map((word) => word[0]!.toUpperCase() + word.slice(1))
        .join('')}Webhook`;

function bodySchema(type: EventType, dataSchema: DataSchemaName): JsonSchema {
  return {
    type: 'object',
    required: ['event', 'timestamp', 'id', 'shop_id', 'payment_id', 'data'],
    properties: {
      event: { type: 'string', const: type },
      test: described(boolean, 'Always `true`. Present only in a requested sample.'),
      timestamp: described(time, 'The time of the event.'),
      id: described(text, 'The id of the event, the same for every endpoint and in `GET /events`.'),
      shop_id: described(integerOrNull, '`null`: the event is about no single shop.'),
      payment_id: described(integerOrNull, '`null`: the event is about no payment.'),
      data: schemaRef(dataSchema),
    },
  };
}

const bodySchemas = EVENT_TYPES.flatMap((type) => {
  const { dataSchema } = describedEvent(type);
  return dataSchema === null ? [] : [[bodySchemaOf(type), bodySchema(type, dataSchema)] as const];
});

/** Schemas of the bodies of webhooks and of their parts, by name. */
export const EVENT_SCHEMAS: Record<string, object> = {
  ...STATUS_CHANGE_SCHEMAS,
  ...DATA_SCHEMAS,
  ...Object.fromEntries(bodySchemas),
};

const capitalized = (sentence: string): string => sentence[0]!.toUpperCase() + sentence.slice(1);

function webhookOf(type: EventType): Webhooks[string] {
  const isOfPayment = type === WEBHOOK_EVENT;
  const to = isOfPayment
    ? 'To the `webhook_endpoint` of the payment and to the standing endpoints that chose the type.'
    : 'To the standing endpoints that chose the type.';
  return {
    post: {
      operationId: wordsOf(type).join('_'),
      tags: ['webhooks'],
      summary: capitalized(describedEvent(type).description),
      description: `${to} ${DELIVERY}`,
      parameters: [...HEADERS, SHOP_ID(isOfPayment), ENDPOINT_ID(!isOfPayment)],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaRef(bodySchemaOf(type)), example: exampleOf(type) } },
      },
      responses: ANSWERS,
    },
  } as Webhooks[string];
}

/** Webhooks to merchants, for the `webhooks` section of the OpenAPI document. */
export const WEBHOOKS: Webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type)]));
