import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../../platform/observability/metrics.js';
import type { QueueHealth } from '../../platform/queue/queue-health.service.js';
import { LaneNotifier, type LaneQueue, type WakeJob } from './lane-notifier.js';
import { WebhookMetrics } from './webhook-metrics.js';

describe('LaneNotifier', () => {
  let jobs: number[][];
  /** Ends what the queue is doing. */
  let take: () => void;
  let notifier: LaneNotifier;

  beforeEach(() => {
    jest.useFakeTimers();
    jobs = [];
    const queue = {
      getWaitingCount: () => Promise.resolve(0),
      add: (_: string, { laneIds }: WakeJob) => {
        jobs.push(laneIds);
        return new Promise<void>((resolve) => (take = resolve));
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

  const turn = () => jest.advanceTimersByTimeAsync(0);

  it('sends one job for all lanes that are notified in one turn of the event loop', async () => {
    notifier.notify([1, 2]);
    notifier.notify([2, 3]);
    await turn();
    expect(jobs).toEqual([[1, 2, 3]]);
  });

  it('gathers the lanes that are notified while a job is under way for the next one, each once', async () => {
    notifier.notify([1]);
    await turn();
    notifier.notify([2, 3]);
    notifier.notify([3, 1]);
    await turn();
    expect(jobs).toEqual([[1]]);
    take();
    await turn();
    expect(jobs).toEqual([[1], [2, 3, 1]]);
  });
});
