// The amounts of one payment, in our database and at the provider. Amounts are decimal text. Pure.

/** One of our payments. */
export interface OurPayment {
  id: number;
  status: string;
  amount: string;
  currency: string;
  amount_authorized: string;
  amount_captured: string;
  amount_refunded: string;
  /** The reference of its present attempt. */
  reference: string;
}

export interface OurRefund {
  id: number;
  payment_id: number;
  amount: string;
  status: string;
  origin: string;
}

/** The provider's transaction of an attempt, at any shop, with the sums of its captures and refunds. */
export interface HeldTransaction {
  reference: string;
  payment_id: number;
  shop_id: number;
  status: string;
  amount: string;
  currency: string;
  captured: string;
  refunded: string;
}

/** Ten-thousandths of the currency's unit: `49.9` and `49.9000` are equal. */
export function unitsOf(amount: string): bigint {
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole + part.slice(0, 4).padEnd(4, '0'));
}

const keptOf = ({ captured, refunded }: HeldTransaction): bigint => unitsOf(captured) - unitsOf(refunded);

/** The provider has money of the payer that was not given back. */
export const isKept = (transaction: HeldTransaction): boolean => keptOf(transaction) > 0n;

const isSame = (one: string, other: string): boolean => unitsOf(one) === unitsOf(other);

/** Which promises about a payment's amounts are broken, at any time: also while operations are open. */
export function brokenAmounts(payment: OurPayment, refunds: readonly OurRefund[]): string[] {
  const { status, amount_authorized: authorized, amount_captured: captured, amount_refunded: refunded } = payment;
  const [held, taken, returned] = [authorized, captured, refunded].map(unitsOf) as [bigint, bigint, bigint];
  const counted = refunds.filter((refund) => refund.status !== 'failed');
  const explained = counted.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
  const isTaken = status === 'completed' || status === 'refunded';
  const isAll = returned === taken && counted.every((refund) => refund.status === 'succeeded');
  return [
    ...(0n <= returned && returned <= taken && taken <= held ? [] : ['amounts not ordered']),
    ...(isTaken === taken > 0n ? [] : [`${status}, but ${captured} is captured`]),
    ...(status !== 'refunded' || isAll ? [] : ['refunded, but not all is confirmed']),
    // a look-up or an older version may have found more refunded than its refunds explain
    ...(explained <= returned ? [] : ['refunds not counted']),
  ];
}

/** Compares a final payment with the provider's transactions of all its attempts. */
export function moneyDisagreements(payment: OurPayment, transactions: readonly HeldTransaction[]): string[] {
  const { status } = payment;
  if (status !== 'completed' && status !== 'refunded') {
    if (status !== 'failed' && status !== 'cancelled') return ['payment not final'];
    return transactions.some(isKept) ? [`${status}, but money is held`] : [];
  }
  const own = transactions.find(({ reference }) => reference === payment.reference);
  const others = transactions.filter((each) => each !== own && isKept(each));
  const keptByOthers = others.length > 0 ? [`${status}, but another attempt holds money`] : [];
  if (!own || unitsOf(own.captured) === 0n) return [...keptByOthers, `${status}, but nothing is captured`];
  const isOther = !isSame(own.captured, payment.amount_captured) || own.currency !== payment.currency;
  return [
    ...keptByOthers,
    ...(isOther ? [`${status}, but another amount is captured`] : []),
    ...(isSame(own.refunded, payment.amount_refunded) ? [] : [`${status}, but another amount is refunded`]),
  ];
}
