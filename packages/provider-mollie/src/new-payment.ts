import type { ChargeAnswer, ChargeRequest } from '@payment-orchestrator/provider-kit';
import { type MollieApi, MollieRefusal, unavailableReason } from './client.js';
import type { Amount, NewPayment, Payment } from './documents.js';
import { methodFields } from './method.js';

/** Creates a payment; with `save` it is the first one of a new customer, and makes a mandate. */
export async function createPayment(api: MollieApi, request: ChargeRequest, amount: Amount): Promise<Payment> {
  const { idempotencyKey: key, returnUrl, notificationUrl, reference, paymentId } = request;
  const method = methodFields(request.paymentMethod);
  const isFirst = request.save === true && method.mandateId === undefined;
  const body: NewPayment = {
    ...method,
    ...(isFirst && { sequenceType: 'first', customerId: await createCustomer(api, request) }),
    amount,
    description: `Payment ${paymentId}`,
    ...(returnUrl !== undefined && { redirectUrl: returnUrl }),
    ...(notificationUrl !== undefined && { webhookUrl: notificationUrl }),
    ...(request.capture === 'manual' && { captureMode: 'manual' }),
    metadata: { reference, payment_id: paymentId },
  };
  return (await api.call('POST', '/payments', { body, key })) as Payment;
}

async function createCustomer(api: MollieApi, { customer, idempotencyKey }: ChargeRequest): Promise<string> {
  const name = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
  const body = { ...(name !== '' && { name }), ...(customer?.email && { email: customer.email }) };
  const { id } = (await api.call('POST', '/customers', { body, key: `${idempotencyKey}-customer` })) as {
    id?: unknown;
  };
  if (typeof id !== 'string') throw new Error('Mollie answered a customer without an id');
  return id;
}

/** The code of a refusal by its field. The shop's account is not to blame: that is 401 or 403. */
const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  amount: 'invalid_amount',
  applePayPaymentToken: 'payment_method_unusable',
  googlePayPaymentToken: 'payment_method_unusable',
  cardToken: 'payment_method_unusable',
  customerId: 'payment_method_unusable',
  mandateId: 'payment_method_unusable',
  method: 'payment_method_unusable',
};

/** Rethrows an error after which the outcome is unknown. */
export function notCharged(error: unknown): ChargeAnswer {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof MollieRefusal)) throw error;
  const declineCode = REFUSED_FIELDS[error.field ?? ''] ?? 'request_refused';
  return { outcome: 'soft_declined', declineCode, metadata: { reason: error.message } };
}
