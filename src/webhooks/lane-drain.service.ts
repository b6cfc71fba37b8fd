import { Injectable } from '@nestjs/common';
import { AttemptRecorder } from './attempt-recorder.service.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import { LaneRun } from './lane-run.js';
import { LaneWindows } from './lane-window.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookSender } from './webhook-sender.service.js';

/** Delivers what is due on a lane. */
@Injectable()
export class LaneDrain {
  private readonly windows = new LaneWindows();
  private readonly runs = new Map<LaneRun, Promise<boolean>>();
  private stopping = false;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly sender: WebhookSender,
    private readonly recorder: AttemptRecorder,
    private readonly metrics: WebhookMetrics,
  ) {}

  /**
   * Runs until nothing of the lane is due or its time slice is over. Resolves to whether there may be more to do.
   * Rejects for our own faults alone: what was claimed and not recorded comes back when its lease expires.
   */
  async drain(laneId: number): Promise<boolean> {
    if (this.stopping) return true;
    const window = this.windows.of(laneId);
    const run = new LaneRun(laneId, window, this.claims, this.sender, this.recorder);
    const result = run.run();
    this.runs.set(run, result);
    this.metrics.lanesActive.set(this.runs.size);
    try {
      return await result;
    } finally {
      this.runs.delete(run);
      this.windows.keep(laneId, window);
      this.metrics.lanesActive.set(this.runs.size);
    }
  }

  /** No claims from now on. Resolves when what is in flight is posted and recorded. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const run of this.runs.keys()) run.stop();
    await Promise.allSettled(this.runs.values());
  }
}
