import { Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import { LaneRun } from './lane-run.js';
import { LEAST_WINDOW, LaneWindows } from './lane-window.js';
import { WebhookMetrics } from '../webhook-metrics.js';
import { WebhookSender } from './webhook-sender.js';

/** Shared out evenly among the lanes that run, down to the smallest window: what waits for a connection only costs memory. */
const IN_FLIGHT = 1_024;

/**
 * Drains lanes in this process.
 * - A lane runs at most once at a time. Woken while it runs, it runs again: what was committed since is not missed.
 * - At most `WORKER_CONCURRENCY` lanes run; the others wait in line, each once, and so does a lane whose time slice is
 *   over while there is more to do.
 * - A run that fails is a fault of ours: it is logged, and what it had claimed comes back when its lease is over.
 */
@Injectable()
export class LaneRunner {
  private readonly logger = new Logger(LaneRunner.name);
  private readonly windows = new LaneWindows();
  private readonly running = new Map<number, { run: LaneRun; ended: Promise<void>; again: boolean }>();
  private readonly line = new Set<number>();
  private readonly hasRoomNow: (() => void)[] = [];
  private stopping = false;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly sender: WebhookSender,
    private readonly recorder: AttemptRecorder,
    private readonly metrics: WebhookMetrics,
    @InjectConfig() private readonly config: Pick<Config, 'workerConcurrency'>,
  ) {}

  /** These lanes may have something due. */
  wake(laneIds: Iterable<number>): void {
    for (const laneId of laneIds) {
      const lane = this.running.get(laneId);
      if (lane) lane.again = true;
      else this.line.add(laneId);
    }
    this.startNext();
  }

  /** Resolves as soon as fewer lanes wait in line than may run: until then other processes are the better place. */
  hasRoom(): Promise<void> {
    if (this.isRoomy) return Promise.resolve();
    return new Promise((resolve) => this.hasRoomNow.push(resolve));
  }

  /**
   * No claims from now on. Resolves when what is in flight is posted and recorded. What is due besides is found by the
   * other processes' reconcilers, or by this one's when it starts again.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.startNext();
    for (const { run } of this.running.values()) run.stop();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private startNext(): void {
    for (const laneId of this.line) {
      if (this.stopping || this.running.size >= this.config.workerConcurrency) break;
      this.line.delete(laneId);
      this.start(laneId);
    }
    this.metrics.lanesActive.set(this.running.size);
    if (this.isRoomy || this.stopping) for (const resolve of this.hasRoomNow.splice(0)) resolve();
  }

  private get isRoomy(): boolean {
    return this.line.size < this.config.workerConcurrency;
  }

  private get share(): number {
    return Math.max(LEAST_WINDOW, Math.floor(IN_FLIGHT / this.running.size));
  }

  private start(laneId: number): void {
    const window = this.windows.of(laneId);
    const run = new LaneRun(laneId, window, this.claims, this.sender, this.recorder, () => this.share);
    const ended = run
      .run()
      .catch((error: unknown) => {
        this.logger.warn({ msg: 'lane failed', laneId, err: error });
        return false;
      })
      .then((isMore) => {
        const { again } = this.running.get(laneId)!;
        this.running.delete(laneId);
        this.windows.keep(laneId, window);
        if (isMore || again) this.line.add(laneId);
        this.startNext();
      });
    this.running.set(laneId, { run, ended, again: false });
  }
}
