import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaRef } from '../../platform/http/openapi/schemas.js';
import { renderSampleBody } from './sample-payload.js';
import {
  CUSTOMER_FIELDS,
  PAYMENT_FIELDS,
  type PaymentField,
  REQUIRED_CUSTOMER_FIELDS,
  WEBHOOK_EVENT,
} from '../outbox/webhook-body.js';

type Webhooks = NonNullable<OpenAPIObject['webhooks']>;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const time = { type: 'string', format: 'date-time' };
const freeForm = { type: 'object', additionalProperties: true };

const PAYMENT = {
  type: 'object',
  description:
    'The payment after the change. Every change of a payment comes with the same `id`: recognise what has arrived before by ' +
    'the header `webhook-id`, and what is older than what you know by `timestamp`.',
  required: [...PAYMENT_FIELDS],
  properties: {
    id: integer,
    payment_session_id: text,
    provider_transaction_id: textOrNull,
    amount: { type: 'number', format: 'double' },
    currency: text,
    status: schemaRef('PaymentStatus'),
    country: textOrNull,
    payment_provider: text,
    flow_id: integer,
    created_at: time,
    updated_at: time,
    expires_at: time,
  } satisfies Record<PaymentField, object>,
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
    'The id of the delivery, the same on every attempt: drop what comes again with one that you have seen (Standard Webhooks).',
  ),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds (Standard Webhooks).'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two of them, separated by a space, while a rotated secret ' +
      'overlaps (Standard Webhooks).',
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
