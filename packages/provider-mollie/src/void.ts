import type { OperationAnswer } from '@payment-orchestrator/provider-kit';
import { isRefusal, type MollieApi } from './client.js';
import type { Payment } from './documents.js';
import { stateOf } from './payment.js';

/**
 * Cancels a payment, or releases its authorisation. Most payments that wait for their payer cannot be cancelled: they
 * expire. A release is carried out later, so `pending` has the payment's id; the payment shows its outcome.
 */
export async function cancelPayment(api: MollieApi, id: string, key: string): Promise<OperationAnswer> {
  const payment = await api.payment(id);
  const path = `/payments/${encodeURIComponent(id)}`;
  try {
    if (payment.isCancelable) return answerOf((await api.call('DELETE', path)) as Payment);
    if (stateOf(payment).status !== 'authorized') return answerOf(payment);
    await api.call('POST', `${path}/release-authorization`, { key });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return answerOf(await api.payment(id)); // its state has changed, perhaps by an earlier call
  }
  const released = await api.payment(id);
  return stateOf(released).status === 'authorized' ? { outcome: 'pending', operationId: id } : answerOf(released);
}

function answerOf(payment: Payment): OperationAnswer {
  const { status } = payment;
  if (status === 'canceled' || status === 'expired' || status === 'failed') return { outcome: 'confirmed' };
  const retryable = status === 'open' || status === 'pending' || status === 'authorized';
  const reason = `Mollie does not cancel a payment that is ${status}`;
  return { outcome: 'refused', reason, retryable, charge: stateOf(payment) };
}
