import type { Receipt } from '../processes/receivers.js';
import { describeFault, type FaultKind } from '../schedule.js';
import { arrivesWithin, groupBy, type AttemptRow, type Evidence, type FaultRecord } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { timeline } from './timeline.js';

/** Faults that can prevent an attempt's result from being recorded, so that the attempt is repeated. */
const CAUSES: readonly FaultKind[] = [
  'kill-worker',
  'kill-workers',
  'freeze-worker',
  'postgres-fast',
  'postgres-immediate',
  'cut-postgres',
  'slow-postgres',
];

/** From receipt to record: an attempt's time-out and the tries to record it. */
const BEFORE_MS = 5_000;
/** The time of a server to recover, and of a process to catch up. */
const AFTER_MS = 5_000;

/**
 * Commits that a crash may lose with `synchronous_commit = off`: three rounds of PostgreSQL's WAL writer (200 ms each),
 * plus the time from claim to arrival.
 */
const FORGOTTEN_MS = 1_000;
/** An attempt's time-out plus 2 s. */
const LEASE_MS = 5_000;

export interface Duplicates {
  /** Requests beyond the one of each recorded attempt. */
  extraRequests: number;
  /** Deliveries that a receiver accepted more than once. */
  acceptedTwice: number;
  /**
   * Requests that were sent twice in one attempt, because a kept-alive connection was reset before the first byte of
   * the answer (docs/internals/delivery.md).
   */
  sentOnceMore: number;
  /** Deliveries that were claimed again because PostgreSQL crashed and lost the lease (docs/internals/delivery.md). */
  lostLeases: number;
  /** Counts by the fault that explains them. */
  byFault: Map<FaultRecord, number>;
  /** Answers that came after the sender's time-out. Not a fault of the harness; the machine was too slow. */
  lateAnswers: number;
}

type IsWithin = ReturnType<typeof arrivesWithin>;

/** Counts requests beyond the recorded attempts, and finds the fault that caused each. */
export function explainDuplicates(evidence: Evidence, violations: Violations): Duplicates {
  const duplicates: Duplicates = {
    extraRequests: 0,
    acceptedTwice: 0,
    sentOnceMore: 0,
    lostLeases: 0,
    byFault: new Map(),
    lateAnswers: 0,
  };
  const isWithin = arrivesWithin(evidence);
  const attempts = groupBy(evidence.attempts, (attempt) => attempt.delivery_id);
  const crashes = evidence.faults.filter(({ fault }) => fault.kind === 'postgres-immediate');
  const causes = evidence.faults.filter(({ fault }) => CAUSES.includes(fault.kind));
  for (const [id, got] of groupBy(evidence.receipts, (receipt) => receipt.deliveryId)) {
    const made = attempts.get(id) ?? [];
    const accepted = got.filter((receipt) => receipt.answered !== null && receipt.answered < 300);
    if (accepted.length > 1) duplicates.acceptedTwice += 1;
    for (const extra of unexplained(got, made, isWithin)) {
      duplicates.extraRequests += 1;
      if (isSentOnceMore(extra, got, made, isWithin)) {
        duplicates.sentOnceMore += 1;
        continue;
      }
      if (crashes.some((crash) => isLostLease(extra, got, crash))) {
        duplicates.lostLeases += 1;
        continue;
      }
      const cause = causes.find(
        ({ from, to }) => extra.endedAt >= from - BEFORE_MS && extra.arrivedAt <= to + AFTER_MS,
      );
      if (cause) duplicates.byFault.set(cause, (duplicates.byFault.get(cause) ?? 0) + 1);
      else violations.add('duplicate without a cause', timeline(id, got, made));
    }
    // a different case: every request has its record, but an accepted one was recorded as a time-out
    if (accepted.length > 1 && got.length <= made.length) duplicates.lateAnswers += 1;
  }
  return duplicates;
}

/**
 * Whether it is the second request of an attempt, after a first one without an answer. A third is never explained by
 * this.
 */
function isSentOnceMore(
  extra: Receipt,
  got: readonly Receipt[],
  made: readonly AttemptRow[],
  isWithin: IsWithin,
): boolean {
  const attempt = made.find((one) => isWithin(extra, one));
  if (!attempt) return false;
  const [first, second, ...more] = got.filter((receipt) => isWithin(receipt, attempt));
  return second === extra && more.length === 0 && first!.answered === null && first!.endedAt <= second.arrivedAt;
}

/**
 * Claims are committed with `synchronous_commit = off`, so a crash of the server may lose the newest of them. The row
 * is then claimed again at once, while the first request is still in flight. A lease that survived would have prevented
 * the second request.
 */
function isLostLease(extra: Receipt, got: readonly Receipt[], { from }: FaultRecord): boolean {
  return got.some((other) => {
    if (other === extra) return false;
    const first = Math.min(other.arrivedAt, extra.arrivedAt);
    const second = Math.max(other.arrivedAt, extra.arrivedAt);
    return first >= from - FORGOTTEN_MS && second > from && second - first < LEASE_MS;
  });
}

/** Requests without a recorded attempt, in order of time. */
function unexplained(got: readonly Receipt[], made: readonly AttemptRow[], isWithin: IsWithin): Receipt[] {
  const unmatched = [...made];
  return got.filter((receipt) => {
    const within = unmatched.findIndex((attempt) => isWithin(receipt, attempt));
    // a second request of an attempt is not a late one of another
    const index = made.some((attempt) => isWithin(receipt, attempt)) ? within : unmatched.findIndex(isLate(receipt));
    if (index < 0) return true;
    unmatched.splice(index, 1);
    return false;
  });
}

/** Whether the request belongs to an attempt that timed out before the receiver read it. */
const isLate =
  ({ signedAt }: Receipt) =>
  ({ status_code, started_at }: AttemptRow): boolean =>
    status_code === null && Math.abs(signedAt * 1_000 - started_at) < 2_000;

export const duplicateLines = ({ byFault }: Duplicates): string[] =>
  [...byFault].map(([{ fault }, count]) => `#${fault.number} ${describeFault(fault)}: ${count}`);
