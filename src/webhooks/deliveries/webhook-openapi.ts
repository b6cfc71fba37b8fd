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
    'The payment after the change. All its changes have the same `id`: to drop what has arrived before, go by the header `webhook-id`; to keep the newest, by `timestamp`.',
  required: PAYMENT_COLUMNS,
  properties: {
    ...Object.fromEntries(Object.entries(PAYMENT_FIELDS).map(([field, kind]) => [field, SCHEMAS[kind]])),
    status: schemaRef('PaymentStatus'),
  },
};

const CUSTOMER = {
  type: 'object',
  description: 'Of the fields that are not required, those that are known.',
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
      description: 'Always `true`. Only on a sample that was asked for: no payment is behind it.',
    },
    timestamp: { ...time, description: 'When the status changed.' },
    payment: schemaRef('WebhookPayment'),
    customer: {
      anyOf: [schemaRef('WebhookCustomer'), { type: 'null' }],
      description: '`null` for a payment without one.',
    },
    shop: schemaRef('ShopReference'),
    metadata: { ...freeForm, description: 'As given with the payment.' },
    provider_metadata: { ...freeForm, description: "The provider's own data; may be empty." },
    original_webhook: schemaRef('OriginalWebhook'),
  },
};

const ORIGINAL_WEBHOOK = {
  type: 'object',
  description: "The provider's notification, when that caused the change.",
  required: ['provider', 'data', 'processed_at'],
  properties: { provider: text, data: freeForm, processed_at: time },
};

/** The parts of the webhook's body, by name. */
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
    'The id of the delivery, the same on every attempt and after a retry, and of no other delivery anywhere: drop what has ' +
      'one that was seen (Standard Webhooks).',
  ),
  header('webhook-shop-id', 'The id of the shop. Pick the secret by it, verify, and only then trust the body.'),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds (Standard Webhooks).'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; several of them, separated by a space, while secrets are ' +
      'rotated; then `v1a,` and the base64 ed25519 signature of the same, when the shop signs with `public_key` (Standard Webhooks).',
  ),
  header('Webhook-Test', '`true` on a delivery that was asked for to test the address.', false),
];

/** What we send to merchants, for the `webhooks` section of the OpenAPI document. */
export const WEBHOOKS: Webhooks = {
  [WEBHOOK_EVENT]: {
    post: {
      operationId: 'payment_status_changed',
      tags: ['webhooks'],
      summary: 'The status of a payment changed',
      description:
        'Sent to the `webhook_endpoint` of the payment, once for each change of status, and again after 10, 100 and 1000 ' +
        'seconds until it is acknowledged. Verify the signature over the raw body, in constant time; answer 2xx within 3 ' +
        'seconds and work afterwards; expect duplicates. `410` ends the attempts; `429` and `503` with `Retry-After` ' +
        'postpone the next one. Redirects are not followed.',
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
        410: { description: 'The address is gone: this delivery has failed' },
        default: { description: 'Anything else, or no answer in time, is a failed attempt' },
      },
    },
  } as Webhooks[string],
};
