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
  TAKE_STEP_BACK,
} from './redelivery-jobs.queries.js';
import { MAX_WAITING_QUIET, RedeliveryPace } from './redelivery-pace.js';

/** Until a request is noticed. */
const REST_MS = 1_000;
/** Merchants that have a step in one batch: each takes some milliseconds. */
const MERCHANTS = 10;
/** Redelivered, tried in vain and to be tried again: the receiver is not back yet. */
const MAX_FAILING = 200;
/** Deliveries that one step looks at. */
const SLICE = 500;

interface Step {
  redelivered: number;
  laneIds: number[];
  /** There may be more to do, at once or when a receiver has answered. */
  more: boolean;
}

const STALLED: Step = { redelivered: 0, laneIds: [], more: false };
const PAUSED: Step = { ...STALLED, more: true };

/**
 * Carries redeliveries out, so slowly that what happens meanwhile is not delayed (`RedeliveryPace`).
 * - Of a job only so many deliveries wait in the queue that a lane has room for as many others; the next ones come when
 *   those were tried. In the lane they stand in line like all others.
 * - Merchants take turns, and the shops of a merchant do: a step of each in a batch, ten batches a second at most. Who
 *   has had what it may have for now keeps its turn.
 * - A step that fails, for a row that somebody has locked or anything else, is taken back and loses its turn; the others'
 *   steps stay.
 * - A job's progress commits with the deliveries that it puts back into the queue: after a crash it goes on behind them.
 * - A job that is asked for again while a step of it runs keeps what the request put down, whichever commits first.
 */
@Injectable()
export class RedeliveryRunner implements OnModuleInit {
  private readonly logger = new Logger(RedeliveryRunner.name);
  /** Jobs whose last step failed: told once. */
  private readonly failing = new Set<number>();
  private readonly pace: RedeliveryPace;

  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly notifier: LaneNotifier,
    @InjectConfig() { redeliveriesPerSecond }: Pick<Config, 'redeliveriesPerSecond'>,
  ) {
    this.pace = new RedeliveryPace(redeliveriesPerSecond);
  }

  onModuleInit(): void {
    const batch = (transaction: Transaction): Promise<Batch> => this.batch(transaction);
    this.maintenance.add({ name: 'webhook redeliveries', everyMs: REST_MS, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const jobs = await transaction.query<RedeliveryJob>(NEXT_JOBS, [MERCHANTS]);
    if (jobs.length > 0) this.pace.note(await newestDelivery(transaction));
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

  /** Rejects only when the connection is lost, and with it all that the batch wrote. */
  private async isolated(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    if (this.pace.allowed(job.merchant_id) === 0) return PAUSED;
    await transaction.query(BEGIN_STEP);
    try {
      const step = await this.step(transaction, job);
      this.failing.delete(job.id);
      return step;
    } catch (error) {
      await transaction.query(TAKE_STEP_BACK);
      await advance(transaction, job, job.after_id, 0);
      if (!this.failing.has(job.id))
        this.logger.warn({ msg: 'a redelivery fails, trying on', ...about(job), err: error });
      this.failing.add(job.id);
      return STALLED;
    }
  }

  private async step(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    const { waiting, failing } = await ahead(transaction, job);
    const isFailing = failing >= MAX_FAILING;
    const room = this.pace.room({ redelivered: job.redelivered, waiting });
    if (isFailing || room <= 0) {
      await advance(transaction, job, job.after_id, 0);
      return isFailing ? STALLED : PAUSED;
    }
    const count = Math.min(room, this.pace.allowed(job.merchant_id));
    const [done] = await transaction.query<StepRow>(REDELIVER_STEP, stepValues(job, count));
    const { last_id: lastId, redelivered, lane_ids: laneIds } = done!;
    this.pace.took(job.merchant_id, redelivered);
    if (lastId === null) await this.end(transaction, job);
    else await advance(transaction, job, lastId, redelivered);
    return { redelivered, laneIds: laneIds ?? [], more: true };
  }

  private async end(transaction: Transaction, job: RedeliveryJob): Promise<void> {
    const ended = await transaction.query(END_JOB, [job.id, job.requested_at]);
    if (ended.length === 0) return; // it was asked for again
    this.logger.log({ msg: 'redelivered', ...about(job), deliveries: job.redelivered });
  }
}

const about = ({ merchant_id: merchantId, shop_id: shopId }: RedeliveryJob) => ({ merchantId, shopId });

async function advance(
  transaction: Transaction,
  job: RedeliveryJob,
  afterId: number,
  redelivered: number,
): Promise<void> {
  await transaction.query(ADVANCE_JOB, [job.id, afterId, redelivered, job.requested_at]);
}

async function ahead(transaction: Transaction, job: RedeliveryJob): Promise<AheadRow> {
  const values = [job.shop_id, job.first_id, job.after_id, job.webhook_endpoint, MAX_FAILING + MAX_WAITING_QUIET];
  const [row] = await transaction.query<AheadRow>(COUNT_AHEAD, values);
  return row!;
}

async function newestDelivery(transaction: Transaction): Promise<number> {
  const [row] = await transaction.query<{ id: number }>(NEWEST_DELIVERY);
  return row!.id;
}

const stepValues = (job: RedeliveryJob, count: number): unknown[] => [
  job.shop_id,
  job.status,
  job.after_id,
  job.last_id,
  SLICE,
  job.created_from,
  job.created_to,
  job.webhook_endpoint,
  job.requested_at,
  count,
];
