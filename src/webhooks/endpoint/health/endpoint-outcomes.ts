import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { MaintenanceJob } from '../../../shared/maintenance-job.js';
import { answerTimeClass } from './answer-times.js';
import { ADD_OUTCOMES, type ErrorsRow, type OutcomesRow } from './endpoint-outcomes.queries.js';

/** A recorded attempt. */
export interface AttemptOutcome {
  laneId: number;
  deliveryId: number;
  /** New status of the delivery; `pending`: another attempt follows. */
  status: 'pending' | 'delivered' | 'failed';
  /** `null` if there was no answer; then `error` has the reason. */
  statusCode: number | null;
  error: string | null;
  /** One sentence about `error`; `null` or absent: none. */
  errorMessage?: string | null;
  startedAt: Date;
  durationMs: number;
}

interface Lane {
  outcomes: OutcomesRow;
  errors: Map<string, ErrorsRow>;
}

const WRITE_PAUSE_MS = 2_000;
/** Maximum lanes in one statement. */
const MAX_LANES = 1_000;

/**
 * Counts the answers of endpoints, for the lists and charts of the last day. It counts in memory and writes to the database
 * every two seconds, so a delivery needs no additional statement.
 * - During a write, `lanes` has only newer counts. If the write fails, its counts are merged into `lanes` again.
 * - A worker that crashes loses the counts of two seconds. Deliveries and attempts, which are authoritative, are stored
 *   separately.
 */
@Injectable()
export class EndpointOutcomes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EndpointOutcomes.name);
  private readonly job = new MaintenanceJob(
    { name: 'counts of endpoints', everyMs: WRITE_PAUSE_MS, run: () => this.flush() },
    this.logger,
  );
  private lanes = new Map<number, Lane>();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.job.start(WRITE_PAUSE_MS);
  }

  /** Writes the last counts. At this point, nothing is sent any longer. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.job.stop();
    await this.flush().catch((error: unknown) =>
      this.logger.warn({ msg: 'cannot write the last counts of endpoints', err: error }),
    );
  }

  add({ laneId, deliveryId, status, statusCode, error, errorMessage, startedAt, durationMs }: AttemptOutcome): void {
    const { outcomes, errors } = this.laneOf(laneId);
    outcomes.attempts += 1;
    if (status !== 'pending') outcomes[status] += 1;
    if (statusCode !== null) count(outcomes.answer_times, answerTimeClass(durationMs), 1);
    if (status === 'delivered') return;
    const code = error ?? String(statusCode);
    const attempts = (errors.get(code)?.attempts ?? 0) + 1;
    const last_at = startedAt.toISOString();
    const last = { last_at, last_delivery_id: deliveryId, last_message: errorMessage ?? null };
    errors.set(code, { lane_id: laneId, code, attempts, ...last });
  }

  /** Writes the counts. Rejects if the database fails; the next write then includes them. */
  async flush(): Promise<void> {
    const taken = [...this.lanes.values()];
    this.lanes = new Map();
    try {
      for (; taken.length > 0; taken.splice(0, MAX_LANES)) await this.write(taken.slice(0, MAX_LANES));
    } catch (error) {
      for (const lane of taken) this.restore(lane);
      throw error;
    }
  }

  private async write(lanes: Lane[]): Promise<void> {
    const outcomes = lanes.map((lane) => lane.outcomes);
    const errors = lanes.flatMap((lane) => [...lane.errors.values()]);
    await this.database.query(ADD_OUTCOMES, [JSON.stringify(outcomes), JSON.stringify(errors)]);
  }

  /** Merges older counts into the counts since then. */
  private restore({ outcomes: earlier, errors }: Lane): void {
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
}

/** Extends the list up to `index` only, so that fast endpoints, which are the most, write short lists. */
function count(answerTimes: number[], index: number, times: number): void {
  while (answerTimes.length <= index) answerTimes.push(0);
  answerTimes[index]! += times;
}
