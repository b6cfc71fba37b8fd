import type { Schema } from '@payment-orchestrator/client';

type Payment = Schema<'Payment'>;

/** The keys under which merchants send their own number of the order, the documented one first. */
const ORDER_KEYS = ['order_id', 'order_number', 'order', 'orderId'];

/** The merchant's own number of the order. */
export function orderOf({ metadata }: Pick<Payment, 'metadata'>): string | undefined {
  const value = ORDER_KEYS.map((key) => metadata[key]).find(
    (each): each is string | number => typeof each === 'string' || typeof each === 'number',
  );
  return value === undefined ? undefined : String(value);
}

/** The name by which people know the customer: otherwise the e-mail address, the merchant's reference, or our id. */
export function customerText({ customer }: Pick<Payment, 'customer'>): string | undefined {
  if (!customer) return undefined;
  const { id, email, reference, full_name: fullName, first_name: first, last_name: last } = customer;
  const name = fullName ?? [first, last].filter(Boolean).join(' ');
  return name || email || reference || `Customer ${id}`;
}

/** The card's scheme and last digits, such as `visa •••• 1111`; of another method its type. */
export function methodText({ payment_method: method }: Pick<Payment, 'payment_method'>): string | undefined {
  const { scheme, last4 } = method?.card ?? {};
  const card = [scheme, last4 && `•••• ${last4}`].filter(Boolean).join(' ');
  return card || method?.type;
}

type Amounts = Pick<Payment, 'status' | 'amount_refunded' | 'disputed_amount'>;

/** Facts about the payment that its status does not say. */
export function remarksOf(payment: Amounts): string[] {
  const { status, amount_refunded: refunded, disputed_amount: disputed } = payment;
  return [
    ...(status === 'completed' && refunded > 0 ? ['partly refunded'] : []),
    ...(disputed > 0 ? ['disputed'] : []),
  ];
}
