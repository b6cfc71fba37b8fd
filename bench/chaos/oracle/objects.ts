import { unitsOf } from '../../../test/support/ledger/money.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import type { Evidence } from './evidence.js';

/** Captures, refunds and disputes: against the promises of the API and the reports of the provider. */
export function checkObjects(evidence: Evidence, violations: Violations): void {
  checkCaptures(evidence, violations);
  checkRefunds(evidence, violations);
  checkDisputes(evidence, violations);
}

const isAmount = (text: string | undefined, amount: number): boolean =>
  text !== undefined && unitsOf(text) === unitsOf(String(amount));

function checkCaptures({ ledgers, promised }: Evidence, violations: Violations): void {
  const byId = new Map(ledgers.payments.map((payment) => [payment.id, payment]));
  for (const promise of promised) {
    if (promise.kind !== 'captured') continue;
    const captured = byId.get(promise.paymentId)?.amount_captured;
    if (isAmount(captured, promise.amount)) continue;
    const text = `payment ${promise.paymentId}: answered ${promise.amount}, is ${captured}`;
    violations.add('promised capture differs', text);
  }
}

/** Each key has one refund, with the requested amount. */
function checkRefunds({ ledgers, promised }: Evidence, violations: Violations): void {
  const byId = new Map(ledgers.refunds.map((refund) => [refund.id, refund]));
  const idOfKey = new Map<string, number>();
  for (const promise of promised) {
    if (promise.kind !== 'refund') continue;
    const { refundId, key, amount, paymentId } = promise;
    const refund = byId.get(refundId);
    const text = `refund ${refundId} of payment ${paymentId}: answered ${amount}, is ${refund?.amount}`;
    const isKept = refund?.payment_id === paymentId && isAmount(refund.amount, amount);
    if (!isKept) violations.add('promised refund differs', text);
    if ((idOfKey.get(key) ?? refundId) !== refundId) violations.add('one request, two refunds', `${key}: ${text}`);
    idOfKey.set(key, refundId);
  }
}

function checkDisputes({ disputes, promised }: Evidence, violations: Violations): void {
  const byId = new Map(disputes.map((dispute) => [dispute.provider_dispute_id, dispute]));
  for (const promise of promised) {
    if (promise.kind !== 'disputed') continue;
    const dispute = byId.get(promise.disputeId);
    if (dispute?.payment_id === promise.paymentId && dispute.status === promise.status) continue;
    const text = `${promise.disputeId}: reported ${promise.status}, is ${dispute?.status}`;
    violations.add('reported dispute differs', text);
  }
}
