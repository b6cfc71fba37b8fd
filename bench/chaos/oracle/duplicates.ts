import type { Receipt } from '../processes/receivers.js';
import { describeFault, type FaultKind } from '../schedule.js';
import { arrivesWithin, groupBy, type AttemptRow, type Evidence, type FaultRecord } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';
import { timeline } from './timeline.js';

/** Faults that can keep an attempt's result from being recorded: then it is made again. */
const CAUSES: readonly FaultKind[] = [
  'kill-worker',
  'kill-workers',
  'freeze-worker',
  'postgres-fast',
  'postgres-immediate',
  'cut-postgres',
  'slow-postgres',
];

/** From being received to being recorded: an attempt's timeout and the tries to record it. */
const BEFORE_MS = 5_000;
/** A server that recovers, a process that catches up. */
const AFTER_MS = 5_000;

/** What a lazy commit may lose: three rounds of PostgreSQL's WAL writer (200 ms), and from the claim to the arrival. */
const FORGOTTEN_MS = 1_000;
/** An attempt's timeout and 2 s. */
const LEASE_MS = 5_000;

export interface Duplicates {
  /** Requests beyond the one that each recorded attempt accounts for. */
  extraRequests: number;
  /** Deliveries that a receiver accepted more than once. */
  acceptedTwice: number;
  /** Reset before a byte of the answer on a kept connection, and sent once more in the same attempt (docs/internals/delivery.md). */
  sentOnceMore: number;
  /** Claimed anew because PostgreSQL crashed and forgot the lease (docs/internals/delivery.md). */
  lostLeases: number;
  /** By the fault that explains them. */
  byFault: Map<FaultRecord, number>;
  /** The sender gave up on an answer that was too late: no fault of the harness, but a machine that was. */
  lateAnswers: number;
}

type IsWithin = ReturnType<typeof arrivesWithin>;

/** Counts what receivers got more often than the records say, and finds the fault that each stems from. */
export function explainDuplicates(evidence: Evidence, findings: Findings): Duplicates {
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
    for (const extra of unaccountedFor(got, made, isWithin)) {
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
      else findings.add('duplicate without a cause', timeline(id, got, made));
    }
    // told apart from the above: here the record knows of every request, but took one that was accepted for a timeout
    if (accepted.length > 1 && got.length <= made.length) duplicates.lateAnswers += 1;
  }
  return duplicates;
}

/** Whether it is the second request of an attempt, after a first one that got no answer. A third has no excuse. */
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
 * Claims are committed lazily, so that a crash of the server may forget the newest of them: the row is claimed again at
 * once, while the first request is still under way. A lease that had survived would have kept the second one from it.
 */
function isLostLease(extra: Receipt, got: readonly Receipt[], { from }: FaultRecord): boolean {
  return got.some((other) => {
    if (other === extra) return false;
    const first = Math.min(other.arrivedAt, extra.arrivedAt);
    const second = Math.max(other.arrivedAt, extra.arrivedAt);
    return first >= from - FORGOTTEN_MS && second > from && second - first < LEASE_MS;
  });
}

/** Requests that no recorded attempt accounts for, by time. */
function unaccountedFor(got: readonly Receipt[], made: readonly AttemptRow[], isWithin: IsWithin): Receipt[] {
  const open = [...made];
  return got.filter((receipt) => {
    const within = open.findIndex((attempt) => isWithin(receipt, attempt));
    // a second request of an attempt is not a late one of another
    const index = made.some((attempt) => isWithin(receipt, attempt)) ? within : open.findIndex(isLate(receipt));
    if (index < 0) return true;
    open.splice(index, 1);
    return false;
  });
}

/** Of an attempt that timed out before the receiver came round to reading it. */
const isLate =
  ({ signedAt }: Receipt) =>
  ({ status_code, started_at }: AttemptRow): boolean =>
    status_code === null && Math.abs(signedAt * 1_000 - started_at) < 2_000;

export const duplicateLines = ({ byFault }: Duplicates): string[] =>
  [...byFault].map(([{ fault }, count]) => `#${fault.number} ${describeFault(fault)}: ${count}`);
