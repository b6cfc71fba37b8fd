import { PERMISSION_MISSING } from '@payment-orchestrator/provider-kit';
import type { Stripe } from 'stripe';
import type { ChargeAnswer, ChargeRequest, DetachAnswer } from '@payment-orchestrator/provider-kit';
import { readRefusal } from './failure.js';

/** A PaymentMethod of Stripe. An attached one is charged only together with the Customer that it is attached to. */
export interface StripeMethod {
  method: string;
  customerId?: string;
}

const FORBIDDEN = 403;

const TOKEN = /^(?:(?<customerId>cus_[A-Za-z0-9_]{1,100})\/)?(?<method>pm_[A-Za-z0-9_]{1,140})$/;

/** Parses `pm_…` and `cus_…/pm_…`. */
export function readStripeToken(token: string | undefined): StripeMethod | undefined {
  const { method, customerId } = TOKEN.exec(token ?? '')?.groups ?? {};
  return method === undefined ? undefined : { method, ...(customerId !== undefined && { customerId }) };
}

/**
 * The method with a Customer to attach it to, which a repeat of the charge gets again; an answer if the key may make no
 * Customers, which other payments do not need.
 */
export async function withCustomer(
  stripe: Stripe,
  { reference, paymentId }: ChargeRequest,
  method: StripeMethod,
): Promise<StripeMethod | ChargeAnswer> {
  if (method.customerId !== undefined) return method;
  const params = { metadata: { reference, payment_id: String(paymentId) } };
  try {
    const { id } = await stripe.customers.create(params, { idempotencyKey: `customer-${reference}` });
    return { ...method, customerId: id };
  } catch (thrown) {
    const refusal = readRefusal(thrown);
    if (refusal?.error.statusCode !== FORBIDDEN) throw thrown;
    return { ...PERMISSION_MISSING, metadata: { reason: `${refusal.reason} to creating a Customer` } };
  }
}

/** Stripe refuses to detach what is not attached: https://docs.stripe.com/api/payment_methods/detach */
export async function detachMethod(stripe: Stripe, token: string): Promise<DetachAnswer> {
  const parsed = readStripeToken(token);
  if (!parsed) return { outcome: 'not_found' };
  try {
    await stripe.paymentMethods.detach(parsed.method);
    return { outcome: 'confirmed' };
  } catch (thrown) {
    if (readRefusal(thrown)?.kind !== 'refused') throw thrown;
    return { outcome: 'not_found' };
  }
}
