import { toJsonAmount } from '../../shared/money.js';
import {
  type OriginalWebhook,
  PAYMENT_COLUMNS,
  PAYMENT_FIELDS,
  renderWebhookBody,
  type WebhookPayment,
} from '../../webhooks/outbox/webhook-body.js';
import { toCustomer } from './customer.js';
import type { PaymentStatus } from '../money/state/payment-state.js';
import type { PaymentRow } from '../money/state/payment.js';

/** The specification's Payment. */
export function toPaymentFields(row: PaymentRow): WebhookPayment & { status: PaymentStatus } {
  const fields: Record<string, unknown> = {};
  for (const field of PAYMENT_COLUMNS) {
    if (row[field] !== null) fields[field] = jsonOf(field, row);
  }
  return fields as ReturnType<typeof toPaymentFields>;
}

function jsonOf(field: keyof typeof PAYMENT_FIELDS, row: PaymentRow): unknown {
  const value = row[field];
  if (PAYMENT_FIELDS[field] === 'amount') return toJsonAmount(value as string);
  return value instanceof Date ? value.toISOString() : value;
}

/** The body of the webhooks that report the payment's status. */
export const statusBodyOf = (payment: PaymentRow, originalWebhook?: OriginalWebhook): string =>
  renderWebhookBody({
    timestamp: payment.updated_at,
    payment: toPaymentFields(payment),
    customer: payment.customer && toCustomer(payment.customer),
    shop: { id: payment.shop_id, name: payment.shop_name },
    metadata: payment.metadata,
    providerMetadata: payment.provider_metadata,
    originalWebhook,
  });
