import type { Queue } from 'bullmq';

export const LANE_QUEUE = 'webhook-lanes';
const DRAIN = 'drain';

/** What a job says: this lane may have something due. Ids only; the rows are the truth. */
export interface LaneJob {
  laneId: number;
}

export type LaneQueue = Queue<LaneJob, void, typeof DRAIN>;

export const deduplicationId = (laneId: number): string => `lane-${laneId}`;

/**
 * One job per lane, however often it is woken; a wake-up while its job runs is kept for one run more (without
 * `keepLastIfActive` one in some thousand would be lost). Finished jobs are removed at once: in PostgreSQL BullMQ
 * deadlocks when it is to keep some.
 */
export const laneJob = (laneId: number) => ({
  name: DRAIN as typeof DRAIN,
  data: { laneId },
  opts: {
    deduplication: { id: deduplicationId(laneId), keepLastIfActive: true },
    removeOnComplete: true,
    removeOnFail: true,
  },
});
