import { schemaRef } from '../../openapi/schemas.js';
import {
  CUSTOMER_FIELDS,
  PAYMENT_COLUMNS,
  PAYMENT_FIELDS,
  type PaymentFieldKind,
  REQUIRED_CUSTOMER_FIELDS,
  WEBHOOK_EVENT,
} from '../outbox/webhook-body.js';
import { amount, freeForm, integer, text, textOrNull, time } from './schema-parts.js';

const SCHEMAS: Record<PaymentFieldKind, object> = { integer, text, 'text or null': textOrNull, amount, time };

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
    id: { ...text, description: 'The id of the event, as in `GET /events`. Absent from changes before an upgrade.' },
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

/** Schemas of the body of a change of status, by name. */
export const STATUS_CHANGE_SCHEMAS: Record<string, object> = {
  WebhookEvent: BODY,
  WebhookPayment: PAYMENT,
  WebhookCustomer: CUSTOMER,
  OriginalWebhook: ORIGINAL_WEBHOOK,
};
