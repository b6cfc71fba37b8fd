import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type JobOptions, MaintenanceJob } from '../../shared/maintenance-job.js';
import { Random } from '../../shared/random.js';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import {
  HEARTBEAT,
  type HeartbeatRow,
  POSTPONE,
  PRUNE_HEARTBEATS,
  RECORD_SUCCESSES,
} from './shared-schedule.queries.js';

/** A job that one worker at a time runs when it is due: a row of `scheduled_tasks`. */
export interface ScheduledJob extends JobOptions {
  everyMs: number;
  /** Spends at most a tenth of the time on the job: a long run postpones the next one, by at most `MAX_POSTPONE_MS`. */
  limitDutyCycle?: boolean;
}

/** Time between two heartbeats of all workers together. A due task is claimed within it. */
const MIN_INTERVAL_MS = 300;
/**
 * Longest time between two heartbeats of one worker. After any number of workers have died, a remaining one claims
 * tasks within this time.
 */
const MAX_INTERVAL_MS = 2_000;
/**
 * A worker counts as live for this time after its last heartbeat. A stopping worker needs as long to send its
 * deliveries in flight.
 */
const LIVE_MS = 7_000;
const PRUNE_EVERY_MS = 60_000;
/** Time between two statements that record successful runs: an idle worker ends a dozen runs a second. */
const RECORD_EVERY_MS = 1_000;
const PAUSE_PER_WORK = 9;
const MAX_POSTPONE_MS = 3_000;

/**
 * Elects the worker that runs a job, and counts the live workers. One statement does both: it writes a heartbeat and
 * claims the tasks that are due, which sets the time of their next run. A worker that dies during a job holds no lock:
 * the next run is due at its time, for any worker.
 * - The more workers, the less often each one sends a heartbeat, and each at its own offset. Up to six workers send one
 *   every 300 ms together, so the cost does not depend on their number.
 * - When a run takes longer than `everyMs`, other workers may run the same job concurrently: they help with a backlog.
 *   So do workers of the previous version during an upgrade, which elect by the sequences `<task>_turn`; these
 *   sequences stay until no such worker can run. So a job must lock or claim its rows.
 *
 * Why not BullMQ's job schedulers: they need the queue, and this work must continue without it.
 */
@Injectable()
export class SharedSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SharedSchedule.name);
  private readonly id: string;
  private readonly jobs: MaintenanceJob[] = [];
  private readonly everyMs = new Map<string, number>();
  private readonly listeners: ((live: number) => void)[] = [];
  private readonly heartbeats = new MaintenanceJob(
    { name: 'worker heartbeats', everyMs: () => this.intervalMs, run: () => this.heartbeat() },
    this.logger,
  );
  /** Number of live workers at the last heartbeat. */
  live = 1;
  private joining: Promise<void> | undefined;
  private intervalMs = MIN_INTERVAL_MS;
  /** Tasks that ended well since successes were recorded. */
  private readonly succeeded = new Set<string>();
  private recordedAt = -Infinity;

  constructor(
    private readonly database: Database,
    random: Random,
    metrics: Metrics,
  ) {
    this.id = random.uuid();
    const help = 'Live workers, which share jobs and limits, as of the last heartbeat of this one';
    const alive = metrics.gauge({ name: 'workers_alive', help });
    this.onChange((live) => alive.set(live));
    const prune = () => this.database.query(PRUNE_HEARTBEATS).then(() => undefined);
    this.add({ name: 'worker heartbeats pruning', everyMs: PRUNE_EVERY_MS, run: prune });
  }

  /** To be called before the application starts. */
  add(job: ScheduledJob): void {
    this.everyMs.set(job.name, job.everyMs);
    this.jobs.push(new MaintenanceJob({ ...job, run: (stopping) => this.runAndRecord(job, stopping) }, this.logger));
  }

  /** Calls `listener` with the number of live workers, now and after each change. */
  onChange(listener: (live: number) => void): void {
    this.listeners.push(listener);
    listener(this.live);
  }

  /**
   * Resolves when the other workers count this one and it knows their number; or when the first try has failed, which
   * is repeated.
   */
  join(): Promise<void> {
    return (this.joining ??= this.heartbeats.run().then(() => this.heartbeats.start(this.intervalMs)));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.join();
  }

  /** Claims no further tasks. The worker counts as live until it has had time to send its deliveries in flight. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.heartbeats, ...this.jobs].map((job) => job.stop()));
    await this.recordSuccesses().catch(() => undefined);
  }

  /** Sets the next run of the task to `forMs` from now. */
  async postpone(name: string, forMs: number): Promise<void> {
    await this.database.query(POSTPONE, [name, forMs]);
  }

  private async heartbeat(): Promise<void> {
    const idle = this.jobs.filter((job) => !job.isRunning);
    const names = idle.map(({ options }) => options.name);
    const everyMs = names.map((name) => this.everyMs.get(name));
    const values = [this.id, LIVE_MS, names, everyMs, MAX_POSTPONE_MS];
    const [row] = await this.database.query<HeartbeatRow>(HEARTBEAT, values);
    this.intervalMs = nextHeartbeatMs(row!);
    this.setLive(row!.live);
    for (const job of idle) if (row!.claimed.includes(job.options.name)) void job.run();
    if (performance.now() - this.recordedAt >= RECORD_EVERY_MS) await this.recordSuccesses();
  }

  private setLive(live: number): void {
    if (live === this.live) return;
    this.live = live;
    for (const listener of this.listeners) listener(live);
  }

  /** A failure loses what it would have recorded: the next successes say the same. */
  private async recordSuccesses(): Promise<void> {
    if (this.succeeded.size === 0) return;
    const names = [...this.succeeded];
    this.succeeded.clear();
    this.recordedAt = performance.now();
    await this.database.query(RECORD_SUCCESSES, [names]);
  }

  private async runAndRecord(job: ScheduledJob, stopping: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      await job.run(stopping);
      this.succeeded.add(job.name);
    } finally {
      const pauseMs = Math.min(MAX_POSTPONE_MS, (performance.now() - startedAt) * PAUSE_PER_WORK);
      if (job.limitDutyCycle && pauseMs > job.everyMs) await this.postpone(job.name, pauseMs).catch(() => undefined);
    }
  }
}

/** Time until the worker's next slot, by the clock of the database, which all workers share. */
function nextHeartbeatMs({ clock_ms: clockMs, live, place }: HeartbeatRow): number {
  const intervalMs = Math.min(MAX_INTERVAL_MS, live * MIN_INTERVAL_MS);
  const sinceMs = (clockMs - (place / live) * intervalMs) % intervalMs;
  const pauseMs = intervalMs - sinceMs;
  return pauseMs < intervalMs / 4 ? pauseMs + intervalMs : pauseMs;
}

/** For worker modules of features: scheduled jobs, and the number of live workers. */
@Module({ providers: [SharedSchedule], exports: [SharedSchedule] })
export class WorkersModule {}
