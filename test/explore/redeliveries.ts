import type { Config } from '../../src/platform/config/config.js';
import type { Statement, Transaction } from '../../src/platform/database/database.js';
import type { BatchJob, MaintenanceJobs } from '../../src/platform/maintenance/maintenance-jobs.js';
import { pause } from '../../src/shared/clock.js';
import {
  ADVANCE_JOB,
  type AheadRow,
  COUNT_AHEAD,
  END_JOB,
  NEWEST_DELIVERY,
  NEXT_JOBS,
  REDELIVER_STEP,
  type RedeliveryJob,
  type StepRow,
} from '../../src/webhooks/history/redelivery-jobs.queries.js';
import { RedeliveryRunner } from '../../src/webhooks/history/redelivery-runner.js';
import type { LaneNotifier } from '../../src/webhooks/outbox/lane-notifier.js';
import type { MemoryDelivery } from '../support/app/memory-delivery-store.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import type { Recovery, RecoveringStore } from './recovering-store.js';
import { RETRY_DELAYS_MS } from './scenario-plan.js';
import type { VirtualClock } from './virtual-clock.js';

/** The default of `WEBHOOK_REDELIVERIES_PER_SECOND`. */
const PER_SECOND = 50;
/** Runs of the schedule of a delivery to an endpoint that was announced as failing. */
const MAX_RUNS = 10;
const MIN_PAUSE_MS = 100;
const MAX_LATENCY_MS = 6;

type Answer = (values: unknown[]) => object[];

/**
 * Runs the batches of the real `RedeliveryRunner` as `MaintenanceJobs` does, on a store in memory. The process that
 * runs them is not one of the scenario's workers, and never crashes.
 */
export class Redeliveries {
  private readonly answers: ReadonlyMap<string, Answer>;
  private readonly random: SeededRandom;

  constructor(
    private readonly store: RecoveringStore,
    private readonly clock: VirtualClock,
    private readonly merchantOf: (endpointId: number) => number,
    seed: number,
  ) {
    this.random = new SeededRandom(seed, 'redeliveries');
    const answers: [Statement, Answer][] = [
      [NEXT_JOBS, () => [...this.store.recoveries.values()].map((recovery) => this.jobOf(recovery))],
      [NEWEST_DELIVERY, () => [{ id: this.store.newestId }]],
      [COUNT_AHEAD.endpoint, (values) => [this.ahead(values as AheadValues)]],
      [REDELIVER_STEP.endpoint, (values) => [this.step(values as StepValues)]],
      [ADVANCE_JOB, (values) => this.advance(values as AdvanceValues)],
      [END_JOB, (values) => this.end(values as [number, string])],
    ];
    this.answers = new Map(answers.map(([{ name }, answer]) => [name, answer]));
  }

  /** Whether a recovery runs. */
  get isBusy(): boolean {
    return this.store.recoveries.size > 0;
  }

  /** Call it while the clock is installed. */
  start(notify: (laneIds: number[]) => void): void {
    const jobs: BatchJob[] = [];
    const maintenance = { add: (job: BatchJob) => void jobs.push(job) } as unknown as MaintenanceJobs;
    const notifier = { notify: (laneIds: Set<number>) => void (laneIds.size > 0 && notify([...laneIds])) };
    const config: Pick<Config, 'redeliveriesPerSecond' | 'redeliversOnRecovery' | 'webhookRetryDelaysMs'> = {
      redeliveriesPerSecond: PER_SECOND,
      redeliversOnRecovery: true,
      webhookRetryDelaysMs: RETRY_DELAYS_MS,
    };
    new RedeliveryRunner(maintenance, notifier as unknown as LaneNotifier, config).onModuleInit();
    for (const job of jobs) void this.repeat(job);
  }

  private async repeat(job: BatchJob): Promise<never> {
    const transaction = { query: ({ name }: Statement, values?: unknown[]) => this.query(name, values ?? []) };
    for (;;) {
      const startedMs = this.clock.nowMs;
      const batch = await job.batch(transaction as unknown as Transaction);
      batch.committed?.();
      const tookMs = this.clock.nowMs - startedMs;
      await pause(batch.more ? Math.max(MIN_PAUSE_MS, tookMs * batch.pausePerWork!) : job.everyMs);
    }
  }

  /** A statement without an answer here is of a savepoint. */
  private query(name: string, values: unknown[]): Promise<object[]> {
    return new Promise((resolve, reject) => {
      this.clock.after(this.random.between(0.2, MAX_LATENCY_MS), undefined, () => {
        const answer = this.answers.get(name);
        if (answer === undefined && !name.includes('redelivery_step')) reject(new Error(`no answer to ${name}`));
        else resolve(answer?.(values) ?? []);
      });
    });
  }

  private jobOf({ endpointId, failedFrom, requestedAt, lastId, afterId, redelivered }: Recovery): RedeliveryJob {
    return {
      id: endpointId,
      merchant_id: this.merchantOf(endpointId),
      shop_id: null,
      lane_id: endpointId,
      is_standing: true,
      is_stopped: false,
      is_recovery: true,
      status: 'failed',
      webhook_endpoint: null,
      created_from: '-infinity',
      created_to: 'infinity',
      requested_at: String(requestedAt),
      first_id: 0,
      after_id: afterId,
      last_id: lastId,
      redelivered,
      failed_from: String(failedFrom),
      max_runs: MAX_RUNS,
    };
  }

  /** The deliveries of an endpoint with these ids, oldest first. */
  private deliveriesOf(endpointId: number, afterId: number, lastId: number): MemoryDelivery[] {
    return [...this.store.deliveries.values()].filter(
      (one) => one.endpointId === endpointId && one.id > afterId && one.id <= lastId,
    );
  }

  private ahead([endpointId, firstId, afterId, , limit]: AheadValues): AheadRow {
    const tried = this.deliveriesOf(endpointId, firstId, afterId)
      .filter(({ status, attempts }) => status === 'pending' && attempts > 0)
      .slice(0, limit);
    const waiting = tried.filter(({ attemptsInRun }) => attemptsInRun === 0).length;
    return { waiting, failing: tried.length - waiting, is_marked: this.store.marks.has(endpointId) };
  }

  private step(values: StepValues): StepRow {
    const [endpointId, status, afterId, lastId, limit, , , , requestedAt, failedFrom, maxAttempts, count] = values;
    const scanned = this.deliveriesOf(endpointId, afterId, lastId)
      .filter((one) => one.status === status)
      .slice(0, limit);
    const matches = ({ attempts, history }: MemoryDelivery): boolean => {
      const { startedAt } = history.at(-1)!;
      return startedAt < Number(requestedAt) && startedAt >= Number(failedFrom) && attempts < maxAttempts;
    };
    const chosen = scanned.filter(matches).slice(0, count);
    for (const delivery of chosen) this.store.redeliver(delivery);
    const last = (chosen.length === count ? chosen : scanned).at(-1);
    const laneIds = [...new Set(chosen.map(({ laneId }) => laneId))];
    return { last_id: last?.id ?? null, redelivered: chosen.length, lane_ids: laneIds };
  }

  private advance([endpointId, afterId, redelivered, requestedAt]: AdvanceValues): object[] {
    const recovery = this.store.recoveries.get(endpointId)!;
    recovery.redelivered += redelivered;
    if (String(recovery.requestedAt) === requestedAt) recovery.afterId = afterId;
    return [];
  }

  private end([endpointId, requestedAt]: [number, string]): object[] {
    if (String(this.store.recoveries.get(endpointId)?.requestedAt) !== requestedAt) return [];
    this.store.recoveries.delete(endpointId);
    return [{ id: endpointId }];
  }
}

type AheadValues = [endpointId: number, firstId: number, afterId: number, address: null, limit: number];
type AdvanceValues = [endpointId: number, afterId: number, redelivered: number, requestedAt: string];
type StepValues = [
  endpointId: number,
  status: string,
  afterId: number,
  lastId: number,
  limit: number,
  createdFrom: string,
  createdTo: string,
  address: null,
  requestedAt: string,
  failedFrom: string,
  maxAttempts: number,
  count: number,
];
