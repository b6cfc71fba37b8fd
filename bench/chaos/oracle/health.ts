import { SLOTS } from '../schedule.js';
import { groupBy, wasAlone, type Evidence, type FaultRecord } from './evidence.js';
import type { Findings } from './findings.js';
import { clock } from './timeline.js';

/** A check is bounded to 1 s and its result counts for 1 s more. */
const NOTICED_MS = 3_000;
/** After the end of a fault: connections are back, a process has started. */
const RECOVERED_MS = 15_000;
/** A machine that is busy elsewhere makes a check of 1 s fail now and then; one alone is no lie. */
const IN_A_ROW = 3;

/** /health/ready says 503 while a dependency is away, and 200 in quiet times. */
export function checkHealth({ samples, faults }: Evidence, findings: Findings): void {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  for (const slot of SLOTS) {
    let wrong = 0;
    for (const { askedAt, answeredAt, status } of bySlot.get(slot) ?? []) {
      const away = faults.find(
        (one) =>
          one.withoutDependency.includes(slot) && askedAt > one.from + NOTICED_MS && answeredAt < undoneFrom(one),
      );
      if (away && status === 200) {
        findings.add('ready without a dependency', `${slot} at ${clock(askedAt)}, fault #${away.fault.number}`);
      }
      const isQuiet = !faults.some((one) => answeredAt > one.from && askedAt < one.to + RECOVERED_MS);
      wrong = isQuiet && status !== 200 ? wrong + 1 : 0;
      if (wrong === IN_A_ROW)
        findings.add('not ready in quiet times', `${slot} at ${clock(askedAt)} answers ${status}`);
    }
  }
}

/** `to` is when the undoing was complete: until it began, the dependency was away for sure. */
const undoneFrom = ({ from, fault }: FaultRecord): number => from + fault.durationMs;

/** The longest that a process took from the end of a fault until it said that it is ready, in ms. */
export function slowestReadiness({ samples, faults }: Evidence): number {
  const bySlot = groupBy(samples, (sample) => sample.slot);
  let slowest = 0;
  for (const record of faults.filter((one) => wasAlone(one, faults))) {
    const { to } = record;
    for (const slot of record.withoutDependency) {
      const ready = bySlot.get(slot)?.find((sample) => sample.askedAt >= to && sample.status === 200);
      if (ready) slowest = Math.max(slowest, ready.answeredAt - to);
    }
  }
  return slowest;
}
