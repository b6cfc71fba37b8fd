import type { ChargeAnswer, ChargeRequest } from '@payment-orchestrator/provider-kit';
import { orderOf, type PayPalApi, PayPalRefusal, unavailableReason } from './client.js';
import { declineOf } from './decline.js';
import type { Money, NewOrder, Order, Wallet } from './documents.js';
import { chargeAnswer, referenceOf } from './order.js';

/** An order of one purchase. The payer approves it at PayPal, unless it is paid with a saved wallet. */
export async function createOrder(api: PayPalApi, request: ChargeRequest, amount: Money): Promise<Order> {
  const { reference, paymentId, idempotencyKey: key, statementDescriptor } = request;
  const body: NewOrder = {
    intent: request.capture === 'manual' ? 'AUTHORIZE' : 'CAPTURE',
    purchase_units: [
      {
        amount,
        custom_id: reference,
        description: `Payment ${paymentId}`,
        ...(statementDescriptor !== undefined && { soft_descriptor: statementDescriptor }),
      },
    ],
    payment_source: { paypal: walletOf(request) },
  };
  const order = orderOf(await api.call('POST', '/v2/checkout/orders', { body, key }));
  // PayPal gives the first answer to a key, and compares no bodies
  const { value } = order.purchase_units[0].amount;
  if (referenceOf(order) !== reference || Number(value) !== Number(amount.value))
    throw new Error('PayPal answered an order of another call');
  return order;
}

function walletOf({ paymentMethod, save, initiator, agreement, returnUrl, customer }: ChargeRequest): Wallet {
  const token = paymentMethod?.token;
  const isMerchant = initiator === 'merchant';
  const email = customer?.email;
  return {
    ...(token !== undefined && {
      vault_id: token,
      stored_credential: {
        payment_initiator: isMerchant ? 'MERCHANT' : 'CUSTOMER',
        usage: 'SUBSEQUENT',
        ...(agreement && {
          usage_pattern: agreement === 'subscription' ? 'SUBSCRIPTION_POSTPAID' : 'UNSCHEDULED_POSTPAID',
        }),
      },
    }),
    ...(token === undefined && email && { email_address: email }),
    ...(token === undefined &&
      save && { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } }),
    ...(returnUrl !== undefined && {
      experience_context: {
        return_url: returnUrl,
        cancel_url: returnUrl,
        shipping_preference: 'NO_SHIPPING',
        user_action: 'PAY_NOW',
      },
    }),
  };
}

/** The payer goes back to PayPal and chooses another means of payment: the order is not lost. */
const BACK_TO_PAYPAL: ReadonlySet<string> = new Set([
  'INSTRUMENT_DECLINED',
  'PAYER_ACTION_REQUIRED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
]);
/** Another call was faster, or the payer has not approved. */
const SHOWN_BY_ORDER: ReadonlySet<string> = new Set([
  'ORDER_ALREADY_AUTHORIZED',
  'ORDER_ALREADY_CAPTURED',
  'ORDER_NOT_APPROVED',
]);

/**
 * Takes the money of an order that its payer has approved: PayPal does not do that by itself. It has no key, because PayPal
 * takes it once, and a repeat after a declined card must not get the first answer.
 */
export async function completeOrder(
  api: PayPalApi,
  order: Order,
  capture: ChargeRequest['capture'],
): Promise<ChargeAnswer> {
  if (order.status !== 'APPROVED') return chargeAnswer(order, capture);
  const { id } = order;
  try {
    const path = `/v2/checkout/orders/${encodeURIComponent(id)}/${capture === 'manual' ? 'authorize' : 'capture'}`;
    return chargeAnswer(orderOf(await api.call('POST', path)), capture);
  } catch (error) {
    const { issue = '', redirect: url } = error instanceof PayPalRefusal ? error : {};
    if (SHOWN_BY_ORDER.has(issue)) return chargeAnswer(await api.order(id), capture);
    if (!BACK_TO_PAYPAL.has(issue) || url === undefined) return { ...notCharged(error), transactionId: id };
    return { outcome: 'processing', transactionId: id, nextAction: { type: 'redirect', url, method: 'GET' } };
  }
}

/** Rethrows an error after which the outcome is unknown. */
export function notCharged(error: unknown): ChargeAnswer {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof PayPalRefusal)) throw error;
  return { ...declineOf(error.issue), metadata: { reason: error.message } };
}
