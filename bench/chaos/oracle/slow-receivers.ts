import type { Receipt } from '../processes/receivers.js';
import { SLOW_HEALTHY_MS } from '../schedule.js';
import { SLOW_HEALTHY } from '../receivers.js';
import { arrivesWithin, groupBy, type AttemptRow, type Evidence, type FaultRecord } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { timeline } from './timeline.js';

/** The time of a process to catch up. */
const AFTER_MS = 5_000;
/** If an answer is later than the receiver intended by this much, the machine was busy. */
const MACHINE_LATE_MS = 400;

export interface SlowReceivers {
  deliveries: number;
  /** Failed attempts, by the freeze of a worker that explains them. */
  byFault: Map<FaultRecord, number>;
  /** Failed attempts because the receiver itself was late, without a fault of the harness. */
  slowMachine: number;
}

/**
 * Receivers that always answer 200, but after up to two seconds, and that all shops share. Regardless of the faults,
 * their deliveries succeed at the first attempt. Only a worker that was frozen during an attempt may have to repeat it:
 * waiting for a connection, a slot or the database does not count as an attempt.
 */
export function checkSlowReceivers(evidence: Evidence, violations: Violations): SlowReceivers {
  const attempts = groupBy(evidence.attempts, (attempt) => attempt.delivery_id);
  const receipts = groupBy(evidence.receipts, (receipt) => receipt.deliveryId);
  const isWithin = arrivesWithin(evidence);
  const freezes = evidence.faults.filter(({ fault }) => fault.kind === 'freeze-worker');
  const deliveries = evidence.deliveries.filter(({ receiver }) => SLOW_HEALTHY.includes(receiver));
  const seen: SlowReceivers = { deliveries: deliveries.length, byFault: new Map(), slowMachine: 0 };
  for (const { id, status } of deliveries) {
    const made = attempts.get(id) ?? [];
    const got = receipts.get(id) ?? [];
    if (status === 'failed') violations.add('delivery to a healthy receiver failed', timeline(id, got, made));
    for (const attempt of made.filter(({ status_code }) => status_code !== 200)) {
      const freeze = freezes.find((one) => overlaps(attempt, one));
      const requests = got.filter((receipt) => isWithin(receipt, attempt));
      if (freeze) seen.byFault.set(freeze, (seen.byFault.get(freeze) ?? 0) + 1);
      else if (requests.length === 0) violations.add('attempt without a request', timeline(id, got, made));
      else if (requests.some(wasLate)) seen.slowMachine += 1;
      else violations.add('failed attempt at a healthy receiver', timeline(id, got, made));
    }
  }
  return seen;
}

const overlaps = ({ started_at, duration_ms }: AttemptRow, { from, to }: FaultRecord): boolean =>
  started_at <= to + AFTER_MS && started_at + duration_ms >= from;

const wasLate = ({ arrivedAt, endedAt }: Receipt): boolean =>
  endedAt - arrivedAt > SLOW_HEALTHY_MS.most + MACHINE_LATE_MS;
