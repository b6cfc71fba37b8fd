import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type JobOptions, MaintenanceJob } from '../../shared/maintenance-job.js';
import { Random } from '../../shared/random.js';
import { Database } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { HEARTBEAT, type HeartbeatRow, POSTPONE, PRUNE_HEARTBEATS, RECORD_SUCCESS } from './shared-schedule.queries.js';

/** A job that one of all workers runs when it is due: a row of `scheduled_tasks`. */
export interface ScheduledJob extends JobOptions {
  everyMs: number;
  /** Spends at most a tenth of all time on it: a run that takes long postpones the next one, by `MAX_POSTPONE_MS` at most. */
  limitDutyCycle?: boolean;
}

/** Between two heartbeats of all workers together, which is how soon a task that is due is claimed. */
const SPACING_MS = 300;
/** Between two heartbeats of one worker: however many died at once, the others look after the work again so soon. */
const MAX_INTERVAL_MS = 2_000;
/** A worker without a heartbeat for so long does not count; one that stops takes as long to send what it has in flight. */
const COUNTS_FOR_MS = 7_000;
const PRUNE_EVERY_MS = 60_000;
const REST_PER_WORK = 9;
const MAX_POSTPONE_MS = 3_000;

/**
 * Elects the worker that runs a job, and counts the workers. One statement does both: it writes a heartbeat and claims the
 * tasks that are due, which sets the time of their next run. A worker that dies while it runs a job holds nothing: the next
 * run is due at its time, for any worker.
 * - The more workers, the less often each sends a heartbeat, and at moments of its own: together they send one every 300 ms,
 *   up to six of them. So shared work costs the same however many there are.
 * - Others may run the same job while a run goes on after `everyMs`: they help with a backlog. So do workers of the version
 *   before during an upgrade, which elect by the sequences `<task>_turn`; these stay until no such worker can run. So a job
 *   locks or claims its rows.
 * Why not BullMQ's job schedulers: they need the queue, and this work must go on without it.
 */
@Injectable()
export class SharedSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SharedSchedule.name);
  private readonly id: string;
  private readonly jobs: MaintenanceJob[] = [];
  private readonly everyMs = new Map<string, number>();
  private readonly listeners: ((live: number) => void)[] = [];
  private readonly heartbeats = new MaintenanceJob(
    { name: 'worker heartbeats', everyMs: () => this.restMs, run: () => this.heartbeat() },
    this.logger,
  );
  /** Workers that are alive, as this one last heard. */
  live = 1;
  private joining: Promise<void> | undefined;
  private restMs = SPACING_MS;

  constructor(
    private readonly database: Database,
    random: Random,
    metrics: Metrics,
  ) {
    this.id = random.uuid();
    const help = 'Workers that share work and caps, as this one last heard';
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

  /** Tells `listener` how many workers there are, from now on and whenever that changes. */
  onChange(listener: (live: number) => void): void {
    this.listeners.push(listener);
    listener(this.live);
  }

  /** Resolves when this worker counts for the others and knows of them; or has tried in vain, and goes on to. */
  join(): Promise<void> {
    return (this.joining ??= this.heartbeats.run().then(() => this.heartbeats.start(this.restMs)));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.join();
  }

  /** Claims no task from now on. The worker counts until it has had time to send what is in flight. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.heartbeats, ...this.jobs].map((job) => job.stop()));
  }

  /** The next run of the task is due in `forMs`. */
  async postpone(name: string, forMs: number): Promise<void> {
    await this.database.query(POSTPONE, [name, forMs]);
  }

  private async heartbeat(): Promise<void> {
    const idle = this.jobs.filter((job) => !job.isRunning);
    const names = idle.map(({ options }) => options.name);
    const everyMs = names.map((name) => this.everyMs.get(name));
    const values = [this.id, COUNTS_FOR_MS, names, everyMs, MAX_POSTPONE_MS];
    const [row] = await this.database.query<HeartbeatRow>(HEARTBEAT, values);
    this.restMs = restAfter(row!);
    this.heardOf(row!.live);
    for (const job of idle) if (row!.claimed.includes(job.options.name)) void job.run();
  }

  private heardOf(live: number): void {
    if (live === this.live) return;
    this.live = live;
    for (const listener of this.listeners) listener(live);
  }

  private async runAndRecord(job: ScheduledJob, stopping: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    try {
      await job.run(stopping);
      await this.database.query(RECORD_SUCCESS, [job.name]);
    } finally {
      const restMs = Math.min(MAX_POSTPONE_MS, (performance.now() - startedAt) * REST_PER_WORK);
      if (job.limitDutyCycle && restMs > job.everyMs) await this.postpone(job.name, restMs).catch(() => undefined);
    }
  }
}

/** Until the next of a worker's own moments, by the clock of the database, which all workers share. */
function restAfter({ clock_ms: clockMs, live, place }: HeartbeatRow): number {
  const intervalMs = Math.min(MAX_INTERVAL_MS, live * SPACING_MS);
  const sinceMs = (clockMs - (place / live) * intervalMs) % intervalMs;
  const restMs = intervalMs - sinceMs;
  return restMs < intervalMs / 4 ? restMs + intervalMs : restMs;
}

/** For the workers of features: scheduled jobs, and how many workers there are. */
@Module({ providers: [SharedSchedule], exports: [SharedSchedule] })
export class WorkersModule {}
