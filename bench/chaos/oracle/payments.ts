import { groupBy, type ChangeRow, type Evidence, type PaymentRow } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { ROUND_ROBIN } from '../load.js';
import type { Promised } from '../stories/merchant.js';

/** The table of allowed changes in the docs, written again here without the product's code. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  pending: ['processing', 'completed', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: ['refunded'],
  // a refund failed after its success
  refunded: ['completed'],
};

/** Payments: their changes of status, the API's promises, and that each payment was created once. */
export function checkPayments(evidence: Evidence, violations: Violations): void {
  const changes = groupBy(evidence.changes, (change) => change.payment_id);
  for (const payment of evidence.payments) checkHistory(payment, changes.get(payment.id) ?? [], violations);
  checkPromises(evidence, changes, violations);
  checkSingularity(evidence, violations);
  checkCounter(evidence, violations);
  checkShopCounters(evidence, violations);
}

function checkHistory(payment: PaymentRow, changes: readonly ChangeRow[], violations: Violations): void {
  let status = 'pending';
  for (const { from_status, to_status } of changes) {
    if (from_status !== status || !ALLOWED[status]?.includes(to_status)) {
      violations.add(
        'illegal change of status',
        `payment ${payment.id}: ${status}, then ${from_status} → ${to_status}`,
      );
    }
    status = to_status;
  }
  if (status !== payment.status) {
    violations.add(
      'status without its change',
      `payment ${payment.id} is ${payment.status}, its history ends ${status}`,
    );
  }
}

function checkPromises(
  { payments, promised, notifications }: Evidence,
  changes: ReadonlyMap<number, ChangeRow[]>,
  violations: Violations,
): void {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  for (const promise of promised) {
    const payment = byId.get(promise.paymentId);
    const been = ['pending', ...(changes.get(promise.paymentId) ?? []).map((change) => change.to_status)];
    if (!payment) {
      violations.add('promised payment lost', `payment ${promise.paymentId} (${promise.kind})`);
    } else if (promise.kind === 'created') {
      if (!been.includes(promise.status) || payment.reference !== promise.reference) {
        violations.add(
          'promised payment differs',
          `payment ${payment.id}: answered ${promise.status} for ${promise.reference}, was ${been.join(', ')} for ${payment.reference}`,
        );
      }
    } else if (promise.kind === 'notified') {
      const times = notifications.get(promise.notificationId) ?? 0;
      if (times !== 1) violations.add('notification not stored once', `${promise.notificationId}: ${times} times`);
    } else if (isStatus(promise.kind) && !been.includes(promise.kind)) {
      violations.add('promised change lost', `payment ${payment.id}: answered ${promise.kind}, was ${been.join(', ')}`);
    }
  }
}

/** Other promises are about amounts and objects (`checkObjects`). */
const isStatus = (kind: Promised['kind']): boolean => kind === 'cancelled' || kind === 'refunded';

/** Each story of the load creates one payment, regardless of its repeated requests. */
function checkSingularity({ payments, promised }: Evidence, violations: Violations): void {
  for (const [reference, made] of groupBy(payments, (payment) => payment.reference)) {
    if (made.length > 1) {
      violations.add('one request, two payments', `${reference}: ${made.map((payment) => payment.id).join(', ')}`);
    }
  }
  const created = promised.filter((promise) => promise.kind === 'created');
  for (const [reference, answers] of groupBy(created, (promise) => promise.reference)) {
    const ids = new Set(answers.map((answer) => answer.paymentId));
    if (ids.size > 1) violations.add('repeat got another payment', `${reference}: ${[...ids].join(', ')}`);
  }
}

/**
 * If two payments got the same counter value, a shop has more payments than its share of the values, including those of
 * shops out of service. A value without a payment is a gap.
 */
function checkCounter({ payments, counter, shopOrder, outages }: Evidence, violations: Violations): void {
  const routed = payments.filter((payment) => payment.flow === ROUND_ROBIN);
  if (counter < routed.length) violations.add('counter behind', `${counter} after ${routed.length} payments`);
  const made = groupBy(routed, (payment) => payment.shop_id);
  const valuesOf = (index: number): number => Math.ceil((counter - index) / shopOrder.length);
  shopOrder.forEach((shopId, index) => {
    const given = shopOrder.map((other, at) => (other !== shopId && outages.has(other) ? valuesOf(at) : 0));
    const had = given.reduce((sum, count) => sum + count, valuesOf(index));
    const got = made.get(shopId)?.length ?? 0;
    if (got > had)
      violations.add('shared value of the counter', `shop ${shopId} had ${had} counter values and ${got} payments`);
  });
}

function checkShopCounters({ payments, shops }: Evidence, violations: Violations): void {
  const counted = new Map(shops.map((shop) => [shop.id, shop]));
  for (const [shopId, made] of groupBy(payments, (payment) => payment.shop_id)) {
    const withWebhooks = made.filter((payment) => payment.has_endpoint).length;
    const { counted_payments = 0, counted_with_webhooks = 0 } = counted.get(shopId) ?? {};
    if (counted_payments !== made.length || counted_with_webhooks !== withWebhooks) {
      violations.add(
        'statistics miscounted',
        `shop ${shopId}: ${counted_payments}/${counted_with_webhooks} of ${made.length}/${withWebhooks}`,
      );
    }
  }
}
