import type { Receipt } from '../processes/receivers.js';
import { groupBy, orderOf, type AttemptRow, type DeliveryRow, type Evidence } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';

const GONE = 410;
const NOTHING: readonly never[] = [];

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Deliveries: one for each change of status, each delivered or failed by the rules, always with the same bytes. */
export function checkDeliveries(evidence: Evidence, violations: Violations): void {
  checkOutbox(evidence, violations);
  const attempts = groupBy(evidence.attempts, (attempt) => attempt.delivery_id);
  const receipts = groupBy(evidence.receipts, (receipt) => receipt.deliveryId);
  for (const delivery of evidence.deliveries) {
    const made = attempts.get(delivery.id) ?? NOTHING;
    const got = receipts.get(delivery.id) ?? NOTHING;
    checkEnd(delivery, made, got, evidence.retryDelaysMs.length + 1, violations);
    checkBytes(delivery, got, violations);
    receipts.delete(delivery.id);
  }
  for (const [id, got] of receipts) {
    violations.add('webhook of a change that was never committed', `delivery ${id}, received ${got.length} times`);
  }
}

function checkOutbox({ payments, changes, deliveries, standing }: Evidence, violations: Violations): void {
  const changed = groupBy(changes, (change) => change.payment_id);
  const found = groupBy(deliveries, orderOf);
  for (const { id, has_endpoint } of payments) {
    const changesOf = (changed.get(id) ?? []).map((change) => change.to_status).join(', ');
    for (const endpointId of [0, ...standing]) {
      const expected = endpointId === 0 && !has_endpoint ? '' : changesOf;
      const order = `payment ${id}, endpoint ${endpointId}`;
      const delivered = (found.get(order) ?? []).map((delivery) => delivery.payment_status).join(', ');
      if (expected !== delivered)
        violations.add('changes without their deliveries', `${order}: changes ${expected}; deliveries ${delivered}`);
    }
  }
}

/** Runs of a delivery's schedule: the first one, and redeliveries when its endpoint answers again. */
const MOST_RUNS = 10;

function checkEnd(
  delivery: DeliveryRow,
  made: readonly AttemptRow[],
  got: readonly Receipt[],
  mostAttempts: number,
  violations: Violations,
): void {
  const { id, status, attempts, attempts_in_run } = delivery;
  const timeline = (): string =>
    `delivery ${id} is ${status} after ${made.map((one) => one.status_code ?? one.error).join(', ')}; receiver answered ${got.map((one) => one.answered).join(', ')}`;
  if (status === 'pending') violations.add('delivery lost', timeline());
  if (made.length !== attempts || made.some((attempt, index) => attempt.number !== index + 1)) {
    violations.add('attempts not on record', `${timeline()}; counts ${attempts}`);
  }
  if (attempts_in_run > mostAttempts || attempts > mostAttempts * MOST_RUNS)
    violations.add('too many attempts', timeline());
  if (
    status === 'delivered' &&
    !(isSuccess(made.at(-1)?.status_code ?? null) && got.some((one) => isSuccess(one.answered)))
  ) {
    violations.add('marked delivered, but never received', timeline());
  }
  if (status === 'failed') {
    const isGone = made.at(-1)?.status_code === GONE;
    if (!isGone && attempts_in_run !== mostAttempts) violations.add('given up too early', timeline());
    if (made.some((attempt) => isSuccess(attempt.status_code))) violations.add('failed after a success', timeline());
  }
}

function checkBytes(delivery: DeliveryRow, got: readonly Receipt[], violations: Violations): void {
  if (got.some((receipt) => receipt.bodyHash !== delivery.body_hash)) {
    violations.add('body differs between attempts', `delivery ${delivery.id}`);
  }
  // one signature for each secret of the shop, if it was rotated meanwhile
  if (new Set(got.map(({ signature }) => signature)).size > new Set(got.map(({ secret }) => secret)).size) {
    violations.add('signature differs between attempts', `delivery ${delivery.id}`);
  }
  if (got.some((receipt) => !receipt.isGenuine)) violations.add('signature does not verify', `delivery ${delivery.id}`);
}
