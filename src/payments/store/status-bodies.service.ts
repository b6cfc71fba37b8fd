import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import {
  type OriginalWebhook,
  PAYMENT_COLUMNS,
  PAYMENT_FIELDS,
  renderWebhookBody,
  type WebhookPayment,
  withEventId,
} from '../../webhooks/outbox/webhook-body.js';
import { StoredBodies } from '../../webhooks/outbox/stored-bodies.service.js';
import { FIND_PAYMENTS } from './payment.queries.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { PaymentStatus } from '../money/state/payment-state.js';
import { amountsIn } from '../money/state/status-change.js';
import { toJsonAmount } from '../../shared/money.js';
import { toCustomer } from './customer.js';

/** A change of a payment's status. */
export interface PastChange {
  paymentId: number;
  status: string;
  at: Date;
  /** The id of its event. */
  eventId: string;
}

/**
 * Webhook bodies of committed changes of status. If a webhook was stored, its bytes are returned. Otherwise (the
 * payment has no address, the webhook was deleted, or its customer was erased) the body is rendered from the present
 * payment, with the status, its amounts and the time of the change, and without the provider's notification.
 */
@Injectable()
export class StatusBodies {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredBodies,
  ) {}

  /** One JSON text per change, in their order. */
  async of(changes: PastChange[]): Promise<string[]> {
    const stored = await this.stored.find(changes);
    const missing = changes.filter((_, index) => stored[index] === null);
    const payments = missing.length > 0 ? await this.payments(missing) : undefined;
    return changes.map((change, index) => stored[index] ?? bodyAfter(change, payments!.get(change.paymentId)));
  }

  private async payments(changes: PastChange[]): Promise<Map<number, PaymentRow>> {
    const ids = [...new Set(changes.map(({ paymentId }) => paymentId))];
    const rows = await this.database.query<PaymentRow>(FIND_PAYMENTS, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

function bodyAfter({ paymentId, status, at, eventId }: PastChange, payment: PaymentRow | undefined): string {
  if (!payment) throw new Error(`payment ${paymentId} has a history but does not exist`);
  const then = status as PaymentStatus;
  const body = statusBodyOf({ ...payment, ...amountsIn(payment, then), status: then, updated_at: at });
  return withEventId(body, eventId);
}

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
