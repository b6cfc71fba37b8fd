import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { isQueryCanceled } from '../../platform/database/postgres-errors.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock, DAY_MS } from '../../shared/clock.js';
import { SEGMENT_FIELDS, type SegmentField } from '@payment-orchestrator/routing/facts/segment';
import { byChange, type Cell, cellsOf } from './approval-cell.js';
import { firstKeptDay, isHourly, malformed, type Period, periodOf, stepMsOf } from './approval-period.js';
import { COUNTED_SINCE } from './approval-cells.queries.js';
import {
  APPROVAL_STEPS,
  APPROVALS,
  type CellRow,
  PREPARE_READ,
  READ_TIMEOUT_MS,
  type StepRow,
} from './approvals.queries.js';

/** Fields that divide attempts, at most two. */
export const MAX_BY = 2;
/** The maximum number of cells in an answer. */
const MAX_CELLS = 500;
/** The cells with the most attempts among which changes are compared. */
const MAX_COMPARED = 2_000;

const TOO_LARGE = `must begin a shorter period, or a shop must be named: more segments than ${READ_TIMEOUT_MS / 1_000} s suffice to count`;

export const APPROVAL_ORDERS = ['attempts', 'change'] as const;
export type ApprovalOrder = (typeof APPROVAL_ORDERS)[number];

/** Filters of attempts; an absent one excludes nothing. */
export interface SegmentFilter {
  from?: string | undefined;
  to?: string | undefined;
  shopId?: number | undefined;
  /** '': unknown. */
  values: Readonly<Partial<Record<SegmentField, string>>>;
}

export interface ApprovalsRequest extends SegmentFilter {
  by: readonly SegmentField[];
  order: ApprovalOrder;
}

export interface Approvals extends Period {
  countedSince: Date;
  by: readonly SegmentField[];
  cells: Cell[];
  isTruncated: boolean;
}

/** The values of the filter's fields, in the order of the statements' parameters; `null`: any. */
export const valuesOf = ({ values }: SegmentFilter): (string | null)[] =>
  SEGMENT_FIELDS.map((field) => values[field] ?? null);

/** The beginning of the first hour that is counted. */
export async function firstCountedHour(transaction: Transaction, now: Date): Promise<Date> {
  const [counting] = await transaction.query<{ since: Date }>(COUNTED_SINCE);
  return new Date(Math.max(counting!.since.getTime(), firstKeptDay(now).getTime()));
}

/** Approvals of one step of time, and of the step of the period before; `null`: it was not counted. */
interface ApprovalStep {
  at: Date;
  counts: StepCounts;
  before: StepCounts | null;
}

export interface ApprovalSteps {
  step: 'hour' | 'day';
  steps: ApprovalStep[];
}

type StepCounts = Omit<StepRow, 'step'>;
interface Counting {
  now: Date;
  period: Period;
  /** The numbers of up to two fields; `null`: none. */
  fields: (number | null)[];
  /** The last parameter of the statement. */
  last: number;
  hasBins: boolean;
}

const NOTHING: StepCounts = { approved: 0, declined: 0, failed: 0 };

/** Approvals by shop and segment, from counts. Only reads; all data of an answer is from one snapshot. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly clock: Clock,
  ) {}

  /** Throws `malformed_request` for an impossible period, and for one with more segments than can be counted in time. */
  async read(merchantId: number, request: ApprovalsRequest): Promise<Approvals> {
    const { by, order, values } = request;
    const now = this.clock.now();
    const period = periodOf(request, now);
    const fields = [0, 1].map((place) => (by[place] === undefined ? null : SEGMENT_FIELDS.indexOf(by[place]) + 1));
    const limit = order === 'change' ? MAX_COMPARED : MAX_CELLS + 1;
    const { countedSince, rows } = await this.counts<CellRow>(APPROVALS, merchantId, request, {
      ...{ now, period, fields, last: limit, hasBins: by.includes('card.bin') || values['card.bin'] !== undefined },
    });
    const cells = cellsOf(rows, period.before >= countedSince);
    if (order === 'change') cells.sort(byChange);
    return { ...period, countedSince, by, cells: cells.slice(0, MAX_CELLS), isTruncated: cells.length > MAX_CELLS };
  }

  /** The approvals of a period in steps of hours or days, all with the values of the filter. Problems: as `read`. */
  async steps(merchantId: number, request: SegmentFilter): Promise<ApprovalSteps> {
    const now = this.clock.now();
    const period = periodOf(request, now);
    const stepMs = stepMsOf(period, now);
    const { countedSince, rows } = await this.counts<StepRow>(APPROVAL_STEPS, merchantId, request, {
      ...{ now, period, fields: [null, null], last: stepMs / 1_000, hasBins: request.values['card.bin'] !== undefined },
    });
    const counts = new Map(rows.map(({ step, ...row }) => [step, row]));
    const count = Math.ceil((period.to.getTime() - period.from.getTime()) / stepMs);
    const isBeforeKnown = period.before >= countedSince && (stepMs === DAY_MS || isHourly(period.before, now));
    const steps = Array.from({ length: count }, (_, step) => ({
      at: new Date(period.from.getTime() + step * stepMs),
      counts: counts.get(step) ?? NOTHING,
      before: isBeforeKnown ? (counts.get(step - count) ?? NOTHING) : null,
    }));
    return { step: stepMs === DAY_MS ? 'day' : 'hour', steps };
  }

  private async counts<Row>(
    statement: Statement,
    merchantId: number,
    request: SegmentFilter,
    { now, period, fields, last, hasBins }: Counting,
  ): Promise<{ countedSince: Date; rows: Row[] }> {
    const parameters = [...fields, request.shopId ?? null, ...valuesOf(request), last];
    const read = this.reads.readOnly(async (transaction) => {
      await transaction.query(PREPARE_READ);
      const counted = await firstCountedHour(transaction, now);
      const [from, to, before] = [period.from, period.to, period.before].map((time) =>
        time < counted ? counted : time,
      );
      const values = [merchantId, hasBins, from, to, before, ...parameters];
      return { countedSince: counted, rows: await transaction.query<Row>(statement, values) };
    });
    return read.catch((error: unknown) => {
      // a day of BINs takes long only if the database is overloaded: that is no fault of the request
      const isLarge = hasBins && period.to.getTime() - period.from.getTime() > DAY_MS;
      throw isLarge && isQueryCanceled(error) ? malformed('from', TOO_LARGE, request.from) : error;
    });
  }
}
