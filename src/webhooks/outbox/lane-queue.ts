import type { Queue } from 'bullmq';

export const LANE_QUEUE = 'webhook-lanes';
const WAKE = 'wake';

/** What a job says: these lanes may have something due. Ids only; the rows are the truth. */
export interface WakeJob {
  laneIds: number[];
  /** A look found them, and not a commit. */
  isFound?: boolean;
}

export type LaneQueue = Queue<WakeJob, void, typeof WAKE>;

/**
 * One job for all lanes that are woken at the same moment. Jobs of the same lane may follow each other: a lane that is
 * being drained hears of it where it is drained, and two workers on one lane share it. Finished jobs are removed at
 * once: in PostgreSQL BullMQ deadlocks when it is to keep some.
 */
export const wakeJob = (laneIds: number[], isFound = false) => ({
  name: WAKE as typeof WAKE,
  data: isFound ? { laneIds, isFound } : { laneIds },
  opts: { removeOnComplete: true, removeOnFail: true },
});
