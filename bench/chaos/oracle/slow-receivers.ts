import type { Receipt } from '../processes/receivers.js';
import { UNHURRIED_MS } from '../schedule.js';
import { UNHURRIED } from '../receivers.js';
import { arrivesWithin, groupBy, type AttemptRow, type Evidence, type FaultRecord } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';
import { timeline } from './timeline.js';

/** A process that catches up. */
const AFTER_MS = 5_000;
/** An answer that was out so much later than its receiver meant shows a machine that was busy elsewhere. */
const MACHINE_LATE_MS = 400;

export interface SlowReceivers {
  deliveries: number;
  /** Attempts that failed, by the frozen worker that explains them. */
  byFault: Map<FaultRecord, number>;
  /** Attempts that failed because the receiver itself was late, with no fault of the harness. */
  machineLate: number;
}

/**
 * Receivers that always answer 200, but after up to two seconds, and that all shops share: whatever else goes on, their
 * deliveries succeed, and at the first attempt. Only a worker that was frozen in the middle of an attempt may have to make
 * it again: whoever waits for a connection, a slot or the database has not begun.
 */
export function checkSlowReceivers(evidence: Evidence, findings: Findings): SlowReceivers {
  const attempts = groupBy(evidence.attempts, (attempt) => attempt.delivery_id);
  const receipts = groupBy(evidence.receipts, (receipt) => receipt.deliveryId);
  const isWithin = arrivesWithin(evidence);
  const freezes = evidence.faults.filter(({ fault }) => fault.kind === 'freeze-worker');
  const deliveries = evidence.deliveries.filter(({ receiver }) => UNHURRIED.includes(receiver));
  const seen: SlowReceivers = { deliveries: deliveries.length, byFault: new Map(), machineLate: 0 };
  for (const { id, status } of deliveries) {
    const made = attempts.get(id) ?? [];
    const got = receipts.get(id) ?? [];
    if (status === 'failed') findings.add('healthy receiver given up', timeline(id, got, made));
    for (const attempt of made.filter(({ status_code }) => status_code !== 200)) {
      const freeze = freezes.find((one) => overlaps(attempt, one));
      const requests = got.filter((receipt) => isWithin(receipt, attempt));
      if (freeze) seen.byFault.set(freeze, (seen.byFault.get(freeze) ?? 0) + 1);
      else if (requests.length === 0) findings.add('attempt without a request', timeline(id, got, made));
      else if (requests.some(wasLate)) seen.machineLate += 1;
      else findings.add('attempt burned on a healthy receiver', timeline(id, got, made));
    }
  }
  return seen;
}

const overlaps = ({ started_at, duration_ms }: AttemptRow, { from, to }: FaultRecord): boolean =>
  started_at <= to + AFTER_MS && started_at + duration_ms >= from;

const wasLate = ({ arrivedAt, endedAt }: Receipt): boolean => endedAt - arrivedAt > UNHURRIED_MS.most + MACHINE_LATE_MS;
