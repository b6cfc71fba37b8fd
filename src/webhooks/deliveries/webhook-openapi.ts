import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaRef } from '../../openapi/schemas.js';
import { renderSampleBody } from './sample-payload.js';
import {
  CUSTOMER_FIELDS,
  PAYMENT_COLUMNS,
  PAYMENT_FIELDS,
  type PaymentFieldKind,
  REQUIRED_CUSTOMER_FIELDS,
  WEBHOOK_EVENT,
} from '../outbox/webhook-body.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const time = { type: 'string', format: 'date-time' };
const freeForm = { type: 'object', additionalProperties: true };

const SCHEMAS: Record<PaymentFieldKind, object> = {
  integer,
  text,
  'text or null': textOrNull,
  amount: { type: 'number' },
  time,
};

const PAYMENT = {
  type: 'object',
  description:
    'The payment after the change. All its changes have the same `id`. Use the header `webhook-id` to drop duplicates, and `timestamp` to keep the newest change.',
  required: PAYMENT_COLUMNS,
  properties: {
    ...Object.fromEntries(Object.entries(PAYMENT_FIELDS).map(([field, kind]) => [field, SCHEMAS[kind]])),
    status: schemaRef('PaymentStatus'),
  },
};

const CUSTOMER = {
  type: 'object',
  description: 'Optional fields are present only if they are known.',
  required: ['id', ...REQUIRED_CUSTOMER_FIELDS],
  properties: {
    id: integer,
    ...Object.fromEntries(CUSTOMER_FIELDS.map((field) => [field, text])),
    ...Object.fromEntries(REQUIRED_CUSTOMER_FIELDS.map((field) => [field, textOrNull])),
    date_of_birth: { type: 'string', format: 'date' },
  },
};

const BODY = {
  type: 'object',
  required: ['event', 'timestamp', 'payment', 'customer', 'shop'],
  properties: {
    event: { type: 'string', const: WEBHOOK_EVENT },
    test: {
      type: 'boolean',
      description: 'Always `true`. Present only in a requested sample, which has no payment.',
    },
    timestamp: { ...time, description: 'When the status changed.' },
    payment: schemaRef('WebhookPayment'),
    customer: {
      anyOf: [schemaRef('WebhookCustomer'), { type: 'null' }],
      description: '`null` for a payment without a customer.',
    },
    shop: schemaRef('ShopReference'),
    metadata: { ...freeForm, description: 'As given with the payment.' },
    provider_metadata: { ...freeForm, description: "The provider's own data; may be empty." },
    original_webhook: schemaRef('OriginalWebhook'),
  },
};

const ORIGINAL_WEBHOOK = {
  type: 'object',
  description: "The provider's notification, if it caused the change.",
  required: ['provider', 'data', 'processed_at'],
  properties: { provider: text, data: freeForm, processed_at: time },
};

/** Schemas of the webhook's body, by name. */
export const WEBHOOK_SCHEMAS: Record<string, object> = {
  WebhookEvent: BODY,
  WebhookPayment: PAYMENT,
  WebhookCustomer: CUSTOMER,
  OriginalWebhook: ORIGINAL_WEBHOOK,
};

const header = (name: string, description: string, required = true): object => ({
  name,
  in: 'header',
  required,
  description,
  schema: text,
});

const HEADERS = [
  header('Signature', 'Hex HMAC-SHA256 of the body as received, keyed with the webhook secret of the shop.'),
  header(
    'webhook-id',
    'The globally unique id of the delivery, the same in every attempt and after a retry. Drop a webhook whose id you have ' +
      'processed (Standard Webhooks).',
  ),
  header(
    'webhook-shop-id',
    'The id of the shop. Select the secret by it and verify the signature before you trust the body.',
  ),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds (Standard Webhooks).'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. During a rotation there is one per secret, separated by a space. ' +
      'If the shop signs with `public_key`, `v1a,` and the base64 ed25519 signature of the same text follow (Standard Webhooks).',
  ),
  header('Webhook-Test', '`true` for a sample that was requested to test the address.', false),
];

/** Webhooks to merchants, for the `webhooks` section of the OpenAPI document. */
export const WEBHOOKS: Webhooks = {
  [WEBHOOK_EVENT]: {
    post: {
      operationId: 'payment_status_changed',
      tags: ['webhooks'],
      summary: 'The status of a payment changed',
      description:
        'Sent to the `webhook_endpoint` of the payment once for each change of status, and again after 10, 100 and 1000 ' +
        'seconds until it is acknowledged. Verify the signature over the raw body in constant time. Answer with 2xx within 3 ' +
        'seconds, and process the webhook afterwards. Expect duplicates. `410` ends the attempts; `429` and `503` with ' +
        '`Retry-After` postpone the next attempt. Redirects are not followed.',
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaRef('WebhookEvent'),
            example: JSON.parse(
              renderSampleBody({ id: 3, name: 'Berlin', provider: 'sandbox' }, new Date('2026-11-21T01:02:03.456Z')),
            ) as unknown,
          },
        },
      },
      responses: {
        '2XX': { description: 'Acknowledged: delivered' },
        410: { description: 'The address no longer exists: the delivery fails without further attempts' },
        default: { description: 'A failed attempt, like no answer in time' },
      },
    },
  } as Webhooks[string],
};
