import { toJsonAmount } from '../../shared/money.js';
import { type OriginalWebhook, renderWebhookBody } from '../../webhooks/outbox/webhook-body.js';
import { toCustomer } from './customer.js';
import type { PaymentRow } from './payment.queries.js';

/** The specification's Payment. */
export const toPaymentFields = (row: PaymentRow) => ({
  id: row.id,
  payment_session_id: row.payment_session_id,
  ...(row.provider_transaction_id !== null && { provider_transaction_id: row.provider_transaction_id }),
  amount: toJsonAmount(row.amount),
  currency: row.currency,
  status: row.status,
  ...(row.country !== null && { country: row.country }),
  payment_provider: row.payment_provider,
  flow_id: row.flow_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

/** The webhook that tells the merchant of the payment's new status; `null` without a webhook endpoint. */
export const webhookBodyOf = (payment: PaymentRow, originalWebhook?: OriginalWebhook): string | null =>
  payment.webhook_endpoint === null || payment.webhook_lane_id === null ? null : statusBodyOf(payment, originalWebhook);

/** What a webhook tells of the payment's status, whether or not one is sent. */
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
