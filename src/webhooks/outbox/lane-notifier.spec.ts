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

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  /** A job of `laneIds` for which the queue takes `tookMs`, while lane 9 is notified. */
  async function takesOver(laneIds: number[], tookMs: number): Promise<void> {
    notifier.notify(laneIds);
    await pass(0);
    notifier.notify([9]);
    await pass(tookMs);
    expect(jobs).toEqual([laneIds]);
    take();
    await pass(0);
  }

  it('sends the next job at once after one of few lanes', async () => {
    await takesOver([1, 2, 3], 4);
    expect(jobs).toEqual([[1, 2, 3], [9]]);
  });

  it.each([
    { tookMs: 0, restMs: 3 },
    { tookMs: 2, restMs: 4 },
    { tookMs: 4, restMs: 8 },
    { tookMs: 4_000, restMs: 20 },
  ])('waits for company for $restMs ms after a job of several that took $tookMs ms', async ({ tookMs, restMs }) => {
    await takesOver([1, 2, 3, 4], tookMs);
    await pass(restMs - 1);
    notifier.notify([10]);
    expect(jobs).toHaveLength(1);
    await pass(1);
    expect(jobs).toEqual([
      [1, 2, 3, 4],
      [9, 10],
    ]);
  });
});
