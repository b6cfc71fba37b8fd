import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock } from '../../shared/clock.js';
import { MaintenanceJob } from '../../shared/maintenance-job.js';
import { answerTimeClass } from './answer-times.js';
import { ADD_OUTCOMES, type ErrorsRow, type OutcomesRow, PRUNE_OUTCOMES } from './endpoint-outcomes.queries.js';

/** An attempt that is on record. */
export interface AttemptOutcome {
  laneId: number;
  deliveryId: number;
  /** What became of the delivery; `pending`: it is tried again. */
  status: 'pending' | 'delivered' | 'failed';
  /** `null`: there was no answer, and `error` says why. */
  statusCode: number | null;
  error: string | null;
  startedAt: Date;
  durationMs: number;
}

interface Lane {
  outcomes: OutcomesRow;
  errors: Map<string, ErrorsRow>;
}

const WRITE_REST_MS = 2_000;
/** Of one statement. */
const MOST_LANES = 1_000;
const KEPT_MS = 48 * 3_600_000;
const PRUNE_REST_MS = 60_000;
const PRUNE_BATCH = 500;

/**
 * Counts how endpoints answer, for the lists and charts of the last day: in memory, and every two seconds in the database,
 * so that a delivery costs nothing more. Invariants: what is recorded while a write is under way is in `lanes`, and what
 * that write takes is not; when it fails, it comes back. A worker that dies takes the counts of two seconds with it; the
 * deliveries and their attempts, which are the truth, are written elsewhere.
 */
@Injectable()
export class EndpointOutcomes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EndpointOutcomes.name);
  private readonly job = new MaintenanceJob(
    { name: 'counts of endpoints', everyMs: WRITE_REST_MS, run: () => this.flush() },
    this.logger,
  );
  private lanes = new Map<number, Lane>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    maintenance: MaintenanceJobs,
  ) {
    const batch = (transaction: Transaction) => this.prune(transaction);
    maintenance.add({ name: 'endpoint outcomes', everyMs: PRUNE_REST_MS, batch });
  }

  onApplicationBootstrap(): void {
    this.job.start(WRITE_REST_MS);
  }

  /** By then nothing is sent any more. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
    await this.flush().catch((error: unknown) => this.logger.warn({ msg: 'counts of endpoints are lost', err: error }));
  }

  add({ laneId, deliveryId, status, statusCode, error, startedAt, durationMs }: AttemptOutcome): void {
    const { outcomes, errors } = this.laneOf(laneId);
    outcomes.attempts += 1;
    if (status !== 'pending') outcomes[status] += 1;
    if (statusCode !== null) count(outcomes.answer_times, answerTimeClass(durationMs), 1);
    if (status === 'delivered') return;
    const code = error ?? String(statusCode);
    const attempts = (errors.get(code)?.attempts ?? 0) + 1;
    const last_at = startedAt.toISOString();
    errors.set(code, { lane_id: laneId, code, attempts, last_at, last_delivery_id: deliveryId });
  }

  /** Writes what was counted. Rejects when the database does not take it: then it is written with the next. */
  private async flush(): Promise<void> {
    const taken = [...this.lanes.values()];
    this.lanes = new Map();
    try {
      for (; taken.length > 0; taken.splice(0, MOST_LANES)) await this.write(taken.slice(0, MOST_LANES));
    } catch (error) {
      for (const lane of taken) this.giveBack(lane);
      throw error;
    }
  }

  private async write(lanes: Lane[]): Promise<void> {
    const outcomes = lanes.map((lane) => lane.outcomes);
    const errors = lanes.flatMap((lane) => [...lane.errors.values()]);
    await this.database.query(ADD_OUTCOMES, [JSON.stringify(outcomes), JSON.stringify(errors)]);
  }

  /** Before what was counted since. */
  private giveBack({ outcomes: earlier, errors }: Lane): void {
    const lane = this.laneOf(earlier.lane_id);
    for (const name of ['attempts', 'delivered', 'failed'] as const) lane.outcomes[name] += earlier[name];
    for (const [index, times] of earlier.answer_times.entries()) count(lane.outcomes.answer_times, index, times);
    for (const [code, error] of errors) {
      const later = lane.errors.get(code);
      lane.errors.set(code, later ? { ...later, attempts: later.attempts + error.attempts } : error);
    }
  }

  private laneOf(laneId: number): Lane {
    const known = this.lanes.get(laneId);
    if (known) return known;
    const outcomes = { lane_id: laneId, attempts: 0, delivered: 0, failed: 0, answer_times: [] };
    const lane: Lane = { outcomes, errors: new Map() };
    this.lanes.set(laneId, lane);
    return lane;
  }

  private async prune(transaction: Transaction): Promise<Batch> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const [pruned] = await transaction.query<{ rows: number; most: number }>(PRUNE_OUTCOMES, [before, PRUNE_BATCH]);
    return { rows: pruned!.rows, more: pruned!.most === PRUNE_BATCH };
  }
}

/** Lists are as long as their slowest answer needs: quick endpoints, which are most, have short ones to write. */
function count(answerTimes: number[], index: number, times: number): void {
  while (answerTimes.length <= index) answerTimes.push(0);
  answerTimes[index]! += times;
}
