import { SLOTS } from '../schedule.js';
import { groupBy, isIsolated, type Evidence, type FaultRecord } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { clock } from './timeline.js';

/** A health check takes at most 1 s, and its result counts for 1 s more. */
const NOTICED_MS = 3_000;
/** Time after the end of a fault until connections are back and a process has started. */
const RECOVERED_MS = 15_000;
/** On a busy machine a check of 1 s may fail occasionally; a single wrong answer is no violation. */
const IN_A_ROW = 3;

/**
 * /health/ready answers `unavailable` while the database is down, `degraded` while only the queue is down, and `ok`
 * without faults.
 */
export function checkHealth({ samples, faults }: Evidence, violations: Violations): void {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  for (const slot of SLOTS) {
    const inARow = new Map<string, number>();
    for (const { askedAt, answeredAt, status } of bySlot.get(slot) ?? []) {
      const count = (kind: string, isWrong: boolean): void => {
        inARow.set(kind, isWrong ? (inARow.get(kind) ?? 0) + 1 : 0);
        if (inARow.get(kind) === IN_A_ROW) violations.add(kind, `${slot} at ${clock(askedAt)} says ${status}`);
      };
      const cause = faults.find(
        (one) =>
          one.withoutDependency.includes(slot) && askedAt > one.from + NOTICED_MS && answeredAt < undoneFrom(one),
      );
      if (cause && (status === 'ok' || (status === 'degraded' && !isQueueDown(cause)))) {
        violations.add(
          'ready without a dependency',
          `${slot} at ${clock(askedAt)} says ${status}, fault #${cause.fault.number}`,
        );
      }
      count(
        'not ready without the queue',
        !!cause && isQueueDown(cause) && isIsolated(cause, faults) && status !== 'degraded',
      );
      const isQuiet = !faults.some((one) => answeredAt > one.from && askedAt < one.to + RECOVERED_MS);
      count('not ready in quiet times', isQuiet && status !== 'ok');
    }
  }
}

const isQueueDown = ({ fault }: FaultRecord): boolean => fault.kind === 'redis-restart' || fault.kind === 'cut-redis';

/** `to` is when the fault had fully ended. Until its end began the dependency was certainly down. */
const undoneFrom = ({ from, fault }: FaultRecord): number => from + fault.durationMs;

/** The longest time of a process from the end of a fault until it was ready, in ms. */
export function slowestReadiness({ samples, faults }: Evidence): number {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  let slowest = 0;
  for (const record of faults.filter((one) => isIsolated(one, faults))) {
    const { to } = record;
    for (const slot of record.withoutDependency) {
      const ready = bySlot.get(slot)?.find((sample) => sample.askedAt >= to && sample.status === 'ok');
      if (ready) slowest = Math.max(slowest, ready.answeredAt - to);
    }
  }
  return slowest;
}
