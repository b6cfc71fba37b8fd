import { STEADY } from '../receivers.js';
import { wasAlone, type Evidence, type FaultRecord } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';

/** From a SIGKILL until the last delivery that it can have held up, to a receiver that was well all the time. */
const MOST_MS = 15_000;
const LOOK_BACK_MS = 10_000;

export interface Recovery {
  record: FaultRecord;
  /** Until the last delivery that it can have held up. */
  ms: number;
  /** From the beginning of the fault until all that it took is back and ready. */
  awayMs: number;
}

/**
 * How long the deliveries of a fault's time took to arrive. Of the kill of one worker it counts from the kill on, for
 * there is another one that goes on; of all others from the moment when what they took was back.
 */
export function measureRecoveries(evidence: Evidence, findings: Findings): Recovery[] {
  const steady = new Set(
    evidence.receipts.filter((receipt) => STEADY.includes(receipt.receiver)).map((receipt) => receipt.deliveryId),
  );
  const deliveries = evidence.deliveries
    .filter((delivery) => steady.has(delivery.id) && delivery.delivered_at !== null)
    .map((delivery) => ({ from: delivery.created_at, to: delivery.delivered_at! }));
  const recoveries = evidence.faults
    .filter((record) => wasAlone(record, evidence.faults))
    .map((record) => ({ record, ms: recoveryOf(record, deliveries), awayMs: record.to - record.from }));
  for (const { record, ms } of recoveries) {
    if (record.fault.kind.startsWith('kill') && ms > MOST_MS) {
      findings.add('slow recovery from SIGKILL', `#${record.fault.number}: ${(ms / 1_000).toFixed(1)} s`);
    }
  }
  return recoveries;
}

function recoveryOf(record: FaultRecord, deliveries: readonly { from: number; to: number }[]): number {
  const start = record.fault.kind === 'kill-worker' ? record.from : record.to;
  const late = deliveries.filter(({ from, to }) => from > start - LOOK_BACK_MS && from <= start && to > start);
  return late.reduce((longest, { to }) => Math.max(longest, to - start), 0);
}
