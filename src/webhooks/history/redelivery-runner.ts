import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import {
  ADVANCE_JOB,
  type AheadRow,
  BEGIN_STEP,
  COUNT_AHEAD,
  END_JOB,
  NEWEST_DELIVERY,
  NEXT_JOBS,
  REDELIVER_STEP,
  type RedeliveryJob,
  type StepRow,
  ROLL_BACK_STEP,
  type Scope,
} from './redelivery-jobs.queries.js';
import { BRING_FORWARD } from './waiting-retries.queries.js';
import { MAX_WAITING, MAX_WAITING_IDLE, RedeliveryPace } from './redelivery-pace.js';

/** Interval at which new requests are found. */
const PAUSE_MS = 1_000;
/** Merchants with a step in one batch. Each step takes a few milliseconds. */
const MERCHANTS = 10;
/** Maximum redelivered deliveries with a failed attempt. With more, the receiver has not recovered. */
const MAX_FAILING = 200;
/** Deliveries that one step reads. */
const SLICE = 500;

interface Step {
  redelivered: number;
  laneIds: number[];
  /** More deliveries may follow, at once or when a receiver has answered. */
  more: boolean;
}

const STALLED: Step = { redelivered: 0, laneIds: [], more: false };
const PAUSED: Step = { ...STALLED, more: true };

/**
 * Runs redeliveries at a rate that does not delay new deliveries (`RedeliveryPace`).
 * - A job puts only a few deliveries into the queue, at most half of a lane's capacity. The next ones follow when those
 *   have been tried. In the lane they are queued like all others.
 * - Round robin over merchants and over the shops of a merchant. A batch has one step per merchant, with at most ten
 *   batches a second. A merchant that has reached its rate keeps its place.
 * - A failed step, for example because of a locked row, is rolled back and loses its place. Other steps stay.
 * - A job's progress commits with the deliveries that it puts back into the queue, so after a crash it continues there.
 * - If a job is requested again during a step, the new request's position stays, regardless of which commits first.
 */
@Injectable()
export class RedeliveryRunner implements OnModuleInit {
  private readonly logger = new Logger(RedeliveryRunner.name);
  /** Jobs whose last step failed, so that a failure is logged once. */
  private readonly failing = new Set<number>();
  private readonly pace: RedeliveryPace;

  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly notifier: LaneNotifier,
    @InjectConfig()
    private readonly config: Pick<Config, 'redeliveriesPerSecond' | 'redeliversOnRecovery' | 'webhookRetryDelaysMs'>,
  ) {
    this.pace = new RedeliveryPace(config.redeliveriesPerSecond);
  }

  onModuleInit(): void {
    const batch = (transaction: Transaction): Promise<Batch> => this.batch(transaction);
    this.maintenance.add({ name: 'webhook redeliveries', everyMs: PAUSE_MS, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const jobs = await transaction.query<RedeliveryJob>(NEXT_JOBS, [MERCHANTS]);
    if (jobs.length > 0) this.pace.observe(await newestDelivery(transaction));
    const steps: Step[] = [];
    for (const job of jobs) steps.push(await this.isolated(transaction, job));
    const laneIds = new Set(steps.flatMap((step) => step.laneIds));
    return {
      rows: steps.reduce((sum, { redelivered }) => sum + redelivered, 0),
      more: steps.some(({ more }) => more),
      pausePerWork: this.pace.pausePerWork,
      committed: () => this.notifier.notify(laneIds),
    };
  }

  /** Runs a step in a savepoint. Rejects only if the connection is lost, and with it the whole batch. */
  private async isolated(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    if (this.pace.allowed(job.merchant_id) === 0) return PAUSED;
    await transaction.query(BEGIN_STEP);
    try {
      const step = await this.step(transaction, job);
      this.failing.delete(job.id);
      return step;
    } catch (error) {
      await transaction.query(ROLL_BACK_STEP);
      await advance(transaction, job, job.after_id, 0);
      if (!this.failing.has(job.id))
        this.logger.warn({ msg: 'redelivery failed, retrying', ...about(job), err: error });
      this.failing.add(job.id);
      return STALLED;
    }
  }

  private async step(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    if (job.is_recovery && !job.is_standing && !this.config.redeliversOnRecovery) {
      await this.end(transaction, job);
      return STALLED;
    }
    const { waiting, failing, is_marked: isMarked } = await ahead(transaction, job);
    // an endpoint without a 2xx gets no more than its retries: each run of a delivery that fails is one less
    const isFailing = job.is_stopped || failing >= MAX_FAILING || (isMarked && failing >= MAX_WAITING);
    const capacity = this.pace.capacity({ redelivered: job.redelivered, waiting });
    if (isFailing || capacity <= 0) {
      await advance(transaction, job, job.after_id, 0);
      return isFailing ? STALLED : PAUSED;
    }
    const count = Math.min(capacity, this.pace.allowed(job.merchant_id));
    const [done] =
      job.status === 'pending'
        ? await transaction.query<StepRow>(BRING_FORWARD[scopeOf(job)], forwardValues(job, count))
        : await transaction.query<StepRow>(REDELIVER_STEP[scopeOf(job)], this.stepValues(job, count));
    const { last_id: lastId, redelivered, lane_ids: laneIds } = done!;
    this.pace.take(job.merchant_id, redelivered);
    if (lastId === null) await this.end(transaction, job);
    else await advance(transaction, job, lastId, redelivered);
    return { redelivered, laneIds: laneIds ?? [], more: true };
  }

  private stepValues(job: RedeliveryJob, count: number): unknown[] {
    const attemptsOfRun = this.config.webhookRetryDelaysMs.length + 1;
    return [
      job.lane_id ?? job.shop_id,
      job.status,
      job.after_id,
      job.last_id,
      SLICE,
      job.created_from,
      job.created_to,
      job.webhook_endpoint,
      job.requested_at,
      job.failed_from,
      job.max_runs && job.max_runs * attemptsOfRun,
      count,
    ];
  }

  private async end(transaction: Transaction, job: RedeliveryJob): Promise<void> {
    const ended = await transaction.query(END_JOB, [job.id, job.requested_at]);
    if (ended.length === 0) return; // it was requested again
    this.logger.log({ msg: 'redelivery finished', ...about(job), deliveries: job.redelivered });
  }
}

const about = ({ merchant_id: merchantId, shop_id: shopId, lane_id: endpointId }: RedeliveryJob) =>
  endpointId === null ? { merchantId, shopId } : { merchantId, endpointId };

const forwardValues = (job: RedeliveryJob, count: number): unknown[] => [
  job.lane_id,
  job.after_id,
  job.last_id,
  SLICE,
  job.created_from,
  job.created_to,
  count,
];

const scopeOf = ({ lane_id: laneId, is_standing: isStanding }: RedeliveryJob): Scope =>
  laneId === null ? 'shop' : isStanding ? 'endpoint' : 'lane';

async function advance(
  transaction: Transaction,
  job: RedeliveryJob,
  afterId: number,
  redelivered: number,
): Promise<void> {
  await transaction.query(ADVANCE_JOB, [job.id, afterId, redelivered, job.requested_at]);
}

async function ahead(transaction: Transaction, job: RedeliveryJob): Promise<AheadRow> {
  const values = [job.first_id, job.after_id, job.webhook_endpoint, MAX_FAILING + MAX_WAITING_IDLE];
  const [row] = await transaction.query<AheadRow>(COUNT_AHEAD[scopeOf(job)], [job.lane_id ?? job.shop_id, ...values]);
  return row!;
}

async function newestDelivery(transaction: Transaction): Promise<number> {
  const [row] = await transaction.query<{ id: number }>(NEWEST_DELIVERY);
  return row!.id;
}
