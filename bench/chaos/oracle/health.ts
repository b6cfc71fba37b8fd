import { SLOTS } from '../schedule.js';
import { groupBy, wasAlone, type Evidence, type FaultRecord } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';
import { clock } from './timeline.js';

/** A check is bounded to 1 s and its result counts for 1 s more. */
const NOTICED_MS = 3_000;
/** After the end of a fault: connections are back, a process has started. */
const RECOVERED_MS = 15_000;
/** A machine that is busy elsewhere makes a check of 1 s fail now and then; one alone is no lie. */
const IN_A_ROW = 3;

/**
 * /health/ready says `unavailable` while the database is away, `degraded` while nothing but the queue is, and `ok` in quiet
 * times.
 */
export function checkHealth({ samples, faults }: Evidence, findings: Findings): void {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  for (const slot of SLOTS) {
    const inARow = new Map<string, number>();
    for (const { askedAt, answeredAt, said } of bySlot.get(slot) ?? []) {
      const count = (kind: string, isWrong: boolean): void => {
        inARow.set(kind, isWrong ? (inARow.get(kind) ?? 0) + 1 : 0);
        if (inARow.get(kind) === IN_A_ROW) findings.add(kind, `${slot} at ${clock(askedAt)} says ${said}`);
      };
      const away = faults.find(
        (one) =>
          one.withoutDependency.includes(slot) && askedAt > one.from + NOTICED_MS && answeredAt < undoneFrom(one),
      );
      if (away && (said === 'ok' || (said === 'degraded' && !isQueueAway(away)))) {
        findings.add(
          'ready without a dependency',
          `${slot} at ${clock(askedAt)} says ${said}, fault #${away.fault.number}`,
        );
      }
      count(
        'not ready without the queue',
        !!away && isQueueAway(away) && wasAlone(away, faults) && said !== 'degraded',
      );
      const isQuiet = !faults.some((one) => answeredAt > one.from && askedAt < one.to + RECOVERED_MS);
      count('not ready in quiet times', isQuiet && said !== 'ok');
    }
  }
}

const isQueueAway = ({ fault }: FaultRecord): boolean => fault.kind === 'redis-restart' || fault.kind === 'cut-redis';

/** `to` is when the undoing was complete: until it began, the dependency was away for sure. */
const undoneFrom = ({ from, fault }: FaultRecord): number => from + fault.durationMs;

/** The longest that a process took from the end of a fault until it said that it is ready, in ms. */
export function slowestReadiness({ samples, faults }: Evidence): number {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  let slowest = 0;
  for (const record of faults.filter((one) => wasAlone(one, faults))) {
    const { to } = record;
    for (const slot of record.withoutDependency) {
      const ready = bySlot.get(slot)?.find((sample) => sample.askedAt >= to && sample.said === 'ok');
      if (ready) slowest = Math.max(slowest, ready.answeredAt - to);
    }
  }
  return slowest;
}
