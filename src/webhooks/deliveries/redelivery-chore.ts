import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, Housekeeping } from '../../platform/housekeeping/housekeeping.service.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import {
  ADVANCE_JOB,
  type AheadRow,
  BEGIN_STEP,
  COUNT_AHEAD,
  END_JOB,
  NEXT_JOBS,
  REDELIVER_STEP,
  type RedeliveryJob,
  type StepRow,
  TAKE_STEP_BACK,
} from './redelivery-jobs.queries.js';

/** Until a request is noticed. */
const REST_MS = 1_000;
/** A step is some rows and mostly waits for the disk: what bounds the work is how many deliveries may wait. */
const REST_PER_WORK = 1;
/** Merchants that have a step in one batch: each takes some milliseconds. */
const MERCHANTS = 10;
/** Redelivered and not tried yet: half of what a lane that answers slowly may have in flight. */
const MAX_WAITING = 16;
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

/**
 * Carries redeliveries out, so slowly that what happens meanwhile is not delayed.
 * - Of a job only so many deliveries wait in the queue that a lane has room for as many others; the next ones come when
 *   those were tried. In the lane they stand in line like all others.
 * - Merchants take turns, and the shops of a merchant do: a step of each in a batch, ten batches a second at most.
 * - A step that fails, for a row that somebody has locked or anything else, is taken back and loses its turn; the others'
 *   steps stay.
 * - A job's progress commits with the deliveries that it puts back into the queue: after a crash it goes on behind them.
 */
@Injectable()
export class RedeliveryChore implements OnModuleInit {
  private readonly logger = new Logger(RedeliveryChore.name);
  /** Jobs whose last step failed: told once. */
  private readonly failing = new Set<number>();

  constructor(
    private readonly housekeeping: Housekeeping,
    private readonly notifier: LaneNotifier,
  ) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction): Promise<Batch> => this.batch(transaction);
    this.housekeeping.add({ name: 'webhook redeliveries', restMs: REST_MS, restPerWork: REST_PER_WORK, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const steps: Step[] = [];
    for (const job of await transaction.query<RedeliveryJob>(NEXT_JOBS, [MERCHANTS]))
      steps.push(await this.isolated(transaction, job));
    const laneIds = new Set(steps.flatMap((step) => step.laneIds));
    return {
      rows: steps.reduce((sum, { redelivered }) => sum + redelivered, 0),
      more: steps.some(({ more }) => more),
      committed: () => this.notifier.notify(laneIds),
    };
  }

  /** Rejects only when the connection is lost, and with it all that the batch wrote. */
  private async isolated(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    await transaction.query(BEGIN_STEP);
    try {
      const step = await this.step(transaction, job);
      this.failing.delete(job.id);
      return step;
    } catch (error) {
      await transaction.query(TAKE_STEP_BACK);
      await transaction.query(ADVANCE_JOB, [job.id, job.after_id, 0]);
      if (!this.failing.has(job.id))
        this.logger.warn({ msg: 'a redelivery fails, trying on', ...about(job), err: error });
      this.failing.add(job.id);
      return STALLED;
    }
  }

  private async step(transaction: Transaction, job: RedeliveryJob): Promise<Step> {
    const { waiting, failing } = await ahead(transaction, job);
    const room = failing < MAX_FAILING ? MAX_WAITING - waiting : 0;
    if (room <= 0) {
      await transaction.query(ADVANCE_JOB, [job.id, job.after_id, 0]);
      return failing < MAX_FAILING ? { ...STALLED, more: true } : STALLED;
    }
    const [done] = await transaction.query<StepRow>(REDELIVER_STEP, stepValues(job, room));
    const { last_id: lastId, redelivered, lane_ids: laneIds } = done!;
    if (lastId === null) await this.end(transaction, job);
    else await transaction.query(ADVANCE_JOB, [job.id, lastId, redelivered]);
    return { redelivered, laneIds: laneIds ?? [], more: true };
  }

  private async end(transaction: Transaction, job: RedeliveryJob): Promise<void> {
    await transaction.query(END_JOB, [job.id]);
    this.logger.log({ msg: 'redelivered', ...about(job), deliveries: job.redelivered });
  }
}

const about = ({ merchant_id: merchantId, shop_id: shopId }: RedeliveryJob) => ({ merchantId, shopId });

async function ahead(transaction: Transaction, job: RedeliveryJob): Promise<AheadRow> {
  const values = [job.shop_id, job.first_id, job.after_id, job.webhook_endpoint, MAX_FAILING + MAX_WAITING];
  const [row] = await transaction.query<AheadRow>(COUNT_AHEAD, values);
  return row!;
}

const stepValues = (job: RedeliveryJob, room: number): unknown[] => [
  job.shop_id,
  job.status,
  job.after_id,
  job.last_id,
  SLICE,
  job.created_from,
  job.created_to,
  job.webhook_endpoint,
  job.requested_at,
  room,
];
