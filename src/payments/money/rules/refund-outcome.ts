import type { OriginalWebhook } from '../../../webhooks/outbox/webhook-body.js';
import { changeStatus } from './change.js';
import type { Draft } from '../state/draft.js';
import type { RefundCause } from '../state/fact.js';
import type { NewRefund } from '../state/refund.js';
import type { MoneyRefund } from '../state/state.js';

/** The source of a refund's outcome, and the provider's id of the refund. */
export interface RefundReport {
  cause: RefundCause;
  webhook?: OriginalWebhook;
  providerRefundId?: string | null | undefined;
}

/**
 * Outcomes of refunds and the payment's status after them. A payment is `refunded` when its refunds add up to the captured
 * amount and none is pending. When a refund fails after that, it is `completed` again.
 */
export function refundSucceeded(draft: Draft, { id: refund }: MoneyRefund, report: RefundReport): void {
  draft.add({ do: 'end_refund', refund, status: 'succeeded', providerRefundId: report.providerRefundId });
  completeRefunded(draft, report);
}

export function refundFailed(
  draft: Draft,
  { id: refund }: MoneyRefund,
  { code: failureCode, providerRefundId, webhook }: Partial<RefundReport> & { code: string },
): void {
  const wasRefunded = draft.state.payment.status === 'refunded';
  draft.add({ do: 'end_refund', refund, status: 'failed', failureCode, providerRefundId });
  if (!wasRefunded) return;
  changeStatus(draft, { to: 'completed', cause: 'refund_failed', ...(webhook && { originalWebhook: webhook }) });
}

/** Records a refund that was made at the provider. */
export function refundFound(draft: Draft, refund: Omit<NewRefund, 'origin'>, report: RefundReport): void {
  draft.add({ do: 'create_refund', id: draft.newId(), refund: { ...refund, origin: 'provider' } });
  completeRefunded(draft, report);
}

function completeRefunded(draft: Draft, { cause, webhook }: RefundReport): void {
  const { payment, refunds } = draft.state;
  const { status, amount_captured: captured, amount_refunded: refunded } = payment;
  if (status !== 'completed' || Number(refunded) < Number(captured)) return;
  if (refunds.some((refund) => refund.status === 'pending')) return;
  changeStatus(draft, { to: 'refunded', cause, ...(webhook && { originalWebhook: webhook }) });
}
