import { STEADY } from '../receivers.js';
import { isIsolated, type Evidence, type FaultRecord } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';

/** Longest time from a SIGKILL until the last delivery that it delayed, to a receiver that was healthy throughout. */
const MOST_MS = 15_000;
const LOOK_BACK_MS = 10_000;

export interface Recovery {
  record: FaultRecord;
  /** Ms until the last delivery that the fault may have delayed. */
  ms: number;
  /** From the beginning of the fault until everything that it stopped is ready again. */
  outageMs: number;
}

/**
 * Measures how long deliveries that were created during a fault took to arrive. For the kill of one worker the time
 * counts from the kill, because another worker continues. For all other faults it counts from their end.
 */
export function measureRecoveries(evidence: Evidence, violations: Violations): Recovery[] {
  const steady = new Set(
    evidence.receipts.filter((receipt) => STEADY.includes(receipt.receiver)).map((receipt) => receipt.deliveryId),
  );
  const deliveries = evidence.deliveries
    .filter((delivery) => steady.has(delivery.id) && delivery.delivered_at !== null)
    .map((delivery) => ({ from: delivery.created_at, to: delivery.delivered_at! }));
  const recoveries = evidence.faults
    .filter((record) => isIsolated(record, evidence.faults))
    .map((record) => ({ record, ms: recoveryOf(record, deliveries), outageMs: record.to - record.from }));
  for (const { record, ms } of recoveries) {
    if (record.fault.kind.startsWith('kill') && ms > MOST_MS) {
      violations.add('slow recovery from SIGKILL', `#${record.fault.number}: ${(ms / 1_000).toFixed(1)} s`);
    }
  }
  return recoveries;
}

function recoveryOf(record: FaultRecord, deliveries: readonly { from: number; to: number }[]): number {
  const start = record.fault.kind === 'kill-worker' ? record.from : record.to;
  const late = deliveries.filter(({ from, to }) => from > start - LOOK_BACK_MS && from <= start && to > start);
  return late.reduce((longest, { to }) => Math.max(longest, to - start), 0);
}
