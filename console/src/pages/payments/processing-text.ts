import type { Schema } from '@payment-orchestrator/client';
import { spanText } from '../../ui/span-text';

type Facts = Pick<
  Schema<'Payment'>,
  'status' | 'capture_before' | 'amount_authorized' | 'capture_pending' | 'next_action' | 'updated_at'
>;

/** Why a payment is `processing`, in words; `undefined`: it has another status. */
export function processingText(payment: Facts, now: number): string | undefined {
  if (payment.status !== 'processing') return undefined;
  const { capture_before: before, updated_at: since } = payment;
  if (payment.capture_pending) return 'capture under way';
  if (before !== null) {
    const ms = Date.parse(before) - now;
    return ms > 0 ? `authorised, lapses in ${spanText(ms)}` : 'authorised, has lapsed';
  }
  if (payment.amount_authorized > 0) return 'authorised';
  if (payment.next_action) return 'waits for the payer';
  return `waits for the provider for ${spanText(now - Date.parse(since))}`;
}
