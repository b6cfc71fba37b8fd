import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../../platform/observability/metrics.js';
import type { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { LaneNotifier, type LaneQueue, type WakeJob } from './lane-notifier.js';
import { WebhookMetrics } from './webhook-metrics.js';

describe('LaneNotifier', () => {
  let jobs: number[][];
  /** Ends the current call of the queue. */
  let endAdd: () => void;
  let notifier: LaneNotifier;

  beforeEach(() => {
    jest.useFakeTimers();
    jobs = [];
    const queue = {
      getWaitingCount: () => Promise.resolve(0),
      add: (_: string, { laneIds }: WakeJob) => {
        jobs.push(laneIds);
        return new Promise<void>((resolve) => (endAdd = resolve));
      },
    };
    const health = { watch: () => ({ failed: () => undefined, succeeded: () => undefined }) };
    notifier = new LaneNotifier(
      queue as unknown as LaneQueue,
      health as unknown as QueueHealth,
      new WebhookMetrics(new Metrics()),
    );
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const nextIteration = () => jest.advanceTimersByTimeAsync(0);

  it('sends one job for all lanes of one event-loop iteration', async () => {
    notifier.notify([1, 2]);
    notifier.notify([2, 3]);
    await nextIteration();
    expect(jobs).toEqual([[1, 2, 3]]);
  });

  it('combines the lanes that are notified during a job in the next job, each once', async () => {
    notifier.notify([1]);
    await nextIteration();
    notifier.notify([2, 3]);
    notifier.notify([3, 1]);
    await nextIteration();
    expect(jobs).toEqual([[1]]);
    endAdd();
    await nextIteration();
    expect(jobs).toEqual([[1], [2, 3, 1]]);
  });
});
