import { groupBy, type ChangeRow, type Evidence, type PaymentRow } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';
import { ROUND_ROBIN } from '../load.js';

/** The table of docs, written anew and not with the product's code. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  pending: ['processing', 'completed', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: ['refunded'],
};

/** Payments: their changes of status, what the API promised of them, and that each was made once. */
export function checkPayments(evidence: Evidence, findings: Findings): void {
  const changes = groupBy(evidence.changes, (change) => change.payment_id);
  for (const payment of evidence.payments) checkHistory(payment, changes.get(payment.id) ?? [], findings);
  checkPromises(evidence, changes, findings);
  checkSingularity(evidence, findings);
  checkCounter(evidence, findings);
  checkShopCounters(evidence, findings);
}

function checkHistory(payment: PaymentRow, changes: readonly ChangeRow[], findings: Findings): void {
  let status = 'pending';
  for (const { from_status, to_status } of changes) {
    if (from_status !== status || !ALLOWED[status]?.includes(to_status)) {
      findings.add('illegal change of status', `payment ${payment.id}: ${status}, then ${from_status} → ${to_status}`);
    }
    status = to_status;
  }
  if (status !== payment.status) {
    findings.add('status without its change', `payment ${payment.id} is ${payment.status}, its history ends ${status}`);
  }
}

function checkPromises(
  { payments, promised, notifications }: Evidence,
  changes: ReadonlyMap<number, ChangeRow[]>,
  findings: Findings,
): void {
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  for (const promise of promised) {
    const payment = byId.get(promise.paymentId);
    const been = ['pending', ...(changes.get(promise.paymentId) ?? []).map((change) => change.to_status)];
    if (!payment) {
      findings.add('promised payment lost', `payment ${promise.paymentId} (${promise.kind})`);
    } else if (promise.kind === 'created') {
      if (!been.includes(promise.status) || payment.reference !== promise.reference) {
        findings.add(
          'promised payment differs',
          `payment ${payment.id}: answered ${promise.status} for ${promise.reference}, was ${been.join(', ')} for ${payment.reference}`,
        );
      }
    } else if (promise.kind === 'notified') {
      const times = notifications.get(promise.notificationId) ?? 0;
      if (times !== 1) findings.add('notification not stored once', `${promise.notificationId}: ${times} times`);
    } else if (!been.includes(promise.kind)) {
      findings.add('promised change lost', `payment ${payment.id}: answered ${promise.kind}, was ${been.join(', ')}`);
    }
  }
}

/** Each story of the load makes one payment, however often it repeats its request. */
function checkSingularity({ payments, promised }: Evidence, findings: Findings): void {
  for (const [reference, made] of groupBy(payments, (payment) => payment.reference)) {
    if (made.length > 1) {
      findings.add('one request, two payments', `${reference}: ${made.map((payment) => payment.id).join(', ')}`);
    }
  }
  const created = promised.filter((promise) => promise.kind === 'created');
  for (const [reference, answers] of groupBy(created, (promise) => promise.reference)) {
    const ids = new Set(answers.map((answer) => answer.paymentId));
    if (ids.size > 1) findings.add('repeat got another payment', `${reference}: ${[...ids].join(', ')}`);
  }
}

/**
 * A value that two payments share gives a shop more payments than it had turns, those of shops out of service among them.
 * A value that none got is a gap.
 */
function checkCounter({ payments, counter, turns, outages }: Evidence, findings: Findings): void {
  const routed = payments.filter((payment) => payment.flow === ROUND_ROBIN);
  if (counter < routed.length) findings.add('counter behind', `${counter} after ${routed.length} payments`);
  const made = groupBy(routed, (payment) => payment.shop_id);
  const turnsOf = (turn: number): number => Math.ceil((counter - turn) / turns.length);
  turns.forEach((shopId, turn) => {
    const given = turns.map((other, at) => (other !== shopId && outages.has(other) ? turnsOf(at) : 0));
    const had = given.reduce((sum, count) => sum + count, turnsOf(turn));
    const got = made.get(shopId)?.length ?? 0;
    if (got > had) findings.add('shared value of the counter', `shop ${shopId} had ${had} turns and ${got} payments`);
  });
}

function checkShopCounters({ payments, shops }: Evidence, findings: Findings): void {
  const counted = new Map(shops.map((shop) => [shop.id, shop]));
  for (const [shopId, made] of groupBy(payments, (payment) => payment.shop_id)) {
    const withWebhooks = made.filter((payment) => payment.has_endpoint).length;
    const { counted_payments = 0, counted_with_webhooks = 0 } = counted.get(shopId) ?? {};
    if (counted_payments !== made.length || counted_with_webhooks !== withWebhooks) {
      findings.add(
        'statistics miscounted',
        `shop ${shopId}: ${counted_payments}/${counted_with_webhooks} of ${made.length}/${withWebhooks}`,
      );
    }
  }
}
