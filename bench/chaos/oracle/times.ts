import type { Receipt } from '../processes/receivers.js';
import { groupBy, orderOf, RECEIVERS_READING_MS, toleranceAt, type AttemptRow, type Evidence } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { clock, timeline } from './timeline.js';

/** Possible difference of two readings around a time. */
type Tolerance = (at: number) => number;

const endOf = (attempt: AttemptRow): number => attempt.started_at + attempt.duration_ms;

/**
 * No attempt is early, and no change of a payment is sent before the first attempt of the previous change has ended.
 */
export function checkTimes(evidence: Evidence, violations: Violations): void {
  const attempts = groupBy(evidence.attempts, (attempt) => attempt.delivery_id);
  const receipts = groupBy(evidence.receipts, (receipt) => receipt.deliveryId);
  const tolerance: Tolerance = (at) => toleranceAt(evidence, at);
  for (const [id, made] of attempts) {
    checkSchedule(id, made, receipts.get(id) ?? [], evidence.retryDelaysMs, tolerance, violations);
  }
  checkOrder(evidence, attempts, receipts, tolerance, violations);
}

function checkSchedule(
  id: number,
  made: readonly AttemptRow[],
  got: readonly Receipt[],
  delaysMs: readonly number[],
  tolerance: Tolerance,
  violations: Violations,
): void {
  // without the last attempt: a later request is a duplicate, not a retry
  const waits = made.slice(0, -1).map((attempt, index) => {
    const retryAfterMs = got.find((receipt) => belongsTo(receipt, attempt, tolerance))?.retryAfterMs ?? 0;
    return { attempt, from: endOf(attempt), to: endOf(attempt) + Math.max(delaysMs[index]!, retryAfterMs) };
  });
  waits.forEach(({ to }, index) => {
    const next = made[index + 1]!;
    if (next.started_at < to - tolerance(to)) {
      violations.add(
        'attempt before its time',
        `delivery ${id}, attempt ${next.number}: ${Math.round(to - next.started_at)} ms early`,
      );
    }
  });
  for (const receipt of got) {
    const wait = waits.find(
      ({ from, to }) =>
        receipt.arrivedAt > from + tolerance(from) + RECEIVERS_READING_MS && receipt.arrivedAt < to - tolerance(to),
    );
    if (!wait || isLateRequest(receipt, wait.attempt, got, tolerance)) continue;
    const early = `at ${clock(receipt.arrivedAt)}, due ${clock(wait.to)}`;
    violations.add('received before its time', `${early}: ${timeline(id, got, made)}`);
  }
}

const belongsTo = (receipt: Receipt, attempt: AttemptRow, tolerance: Tolerance): boolean =>
  receipt.arrivedAt >= attempt.started_at - tolerance(attempt.started_at) - RECEIVERS_READING_MS &&
  receipt.arrivedAt <= endOf(attempt) + tolerance(endOf(attempt)) + RECEIVERS_READING_MS;

/** The request of an attempt that timed out before the receiver read it. */
const isLateRequest = (receipt: Receipt, attempt: AttemptRow, got: readonly Receipt[], tolerance: Tolerance): boolean =>
  Math.abs(receipt.signedAt * 1_000 - attempt.started_at) < 2_000 &&
  attempt.status_code === null &&
  !got.some((other) => belongsTo(other, attempt, tolerance));

/** An attempt whose record was lost with its worker or its database had ended anyway. */
const wasAnsweredBefore = (
  at: number,
  deliveryId: number,
  attempts: ReadonlyMap<number, AttemptRow[]>,
  receipts: ReadonlyMap<number, Receipt[]>,
  tolerance: Tolerance,
): boolean =>
  (receipts.get(deliveryId) ?? []).some(
    (receipt) =>
      receipt.answered !== null &&
      receipt.endedAt <= at + tolerance(at) &&
      !(attempts.get(deliveryId) ?? []).some((attempt) => belongsTo(receipt, attempt, tolerance)),
  );

function checkOrder(
  { deliveries }: Evidence,
  attempts: ReadonlyMap<number, AttemptRow[]>,
  receipts: ReadonlyMap<number, Receipt[]>,
  tolerance: Tolerance,
  violations: Violations,
): void {
  for (const [order, changes] of groupBy(deliveries, orderOf)) {
    for (let index = 1; index < changes.length; index++) {
      const first = attempts.get(changes[index - 1]!.id)?.[0];
      const starts = [
        ...(attempts.get(changes[index]!.id) ?? []).slice(0, 1).map((attempt) => attempt.started_at),
        ...(receipts.get(changes[index]!.id) ?? []).slice(0, 1).map((receipt) => receipt.arrivedAt),
      ];
      const startedAt = Math.min(...starts);
      if (starts.length === 0 || (first && startedAt >= endOf(first) - tolerance(endOf(first)))) continue;
      if (wasAnsweredBefore(startedAt, changes[index - 1]!.id, attempts, receipts, tolerance)) continue;
      violations.add(
        'changes out of order',
        `${order}: ${changes[index]!.payment_status} at ${clock(startedAt)}, ${changes[index - 1]!.payment_status} ended ${first ? clock(endOf(first)) : 'never'}`,
      );
    }
  }
}
