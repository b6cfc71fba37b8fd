import { Injectable, Logger, Module } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { SharedSchedule, WorkersModule } from '../workers/shared-schedule.js';
import { isDue } from './due-work-sql.js';

/** Work that a worker has claimed. */
interface ClaimedWork {
  subjectId: number;
  part: number;
  /** Extends the claim by its lease, for work of unknown length. `false`: the worker stops, or a feature has moved the work. */
  keep: () => Promise<boolean>;
}

/** A kind of work, and how it is done. */
export interface WorkKind {
  /** As in the rows of `due_work`. */
  kind: string;
  /** The job's name. */
  name: string;
  /** How often due work is looked for. */
  everyMs: number;
  /**
   * For how long a worker has claimed the work: longer than it takes, or than it takes between two calls of `keep`. After a
   * failure or a death it is due again then.
   */
  leaseMs: number;
  /** How much work a worker does at a time. */
  batch: number;
  /** Does the work. Returns in how many ms it is due again; `undefined`: it has ended. */
  run(work: ClaimedWork): Promise<number | undefined>;
}

interface ClaimedRow {
  subject_id: number;
  part: number;
  due_at: Date;
}

/** Claims due work, the longest due first: $1 kind, $2 limit, $3 for how many ms. Parallel workers get different rows. */
const CLAIM: Statement = {
  name: 'due_work.claim',
  text: `WITH due AS MATERIALIZED (
      SELECT subject_id, part FROM due_work WHERE ${isDue('$1')}
      ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    UPDATE due_work d SET due_at = clock_timestamp() + $3 * interval '1 ms' FROM due
    WHERE d.kind = $1 AND d.subject_id = ANY (ARRAY(SELECT subject_id FROM due)) AND d.subject_id = due.subject_id
      AND d.part = due.part
    RETURNING d.subject_id, d.part, d.due_at`,
};

/** Condition: nothing has moved the row since its claim. $1 kind, $2 subject, $3 part, $4 the time that the claim set. */
const IS_OURS = 'kind = $1 AND subject_id = $2 AND part = $3 AND due_at = $4';

const END: Statement = { name: 'due_work.end', text: `DELETE FROM due_work WHERE ${IS_OURS}` };

/** $5 in how many ms. */
const MOVE: Statement = {
  name: 'due_work.move',
  text: `UPDATE due_work SET due_at = clock_timestamp() + $5 * interval '1 ms' WHERE ${IS_OURS} RETURNING due_at`,
};

/**
 * Does the work of `due_work`: one job for each kind on the shared schedule. A statement of the feature adds the row with its
 * subject (`due-work-sql.ts`).
 * - Work is claimed by moving its time, so a worker that dies or fails leaves it to the next one.
 * - Work that a feature moves while it is done stays due: its end and its delay change only the row that was claimed.
 */
@Injectable()
export class DueWork {
  private readonly logger = new Logger(DueWork.name);

  constructor(
    private readonly database: Database,
    private readonly schedule: SharedSchedule,
  ) {}

  /** To be called before the application starts. */
  register(kind: WorkKind): void {
    const { name, everyMs } = kind;
    this.schedule.add({ name, everyMs, run: (stopping) => this.round(kind, stopping) });
  }

  /** Does due work until none is left. */
  private async round(kind: WorkKind, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const claimed = await this.database.query<ClaimedRow>(CLAIM, [kind.kind, kind.batch, kind.leaseMs]);
      await Promise.all(claimed.map((row) => this.perform(kind, row, stopping)));
      if (claimed.length < kind.batch) return;
    }
  }

  /** Never rejects: failed work is due again when its claim ends. */
  private async perform(work: WorkKind, row: ClaimedRow, stopping: AbortSignal): Promise<void> {
    const { kind } = work;
    const { subject_id: subjectId, part } = row;
    let claimedUntil = row.due_at;
    const ours = () => [kind, subjectId, part, claimedUntil];
    const moveBy = (ms: number) => this.database.query<{ due_at: Date }>(MOVE, [...ours(), ms]);
    const keep = async (): Promise<boolean> => {
      if (stopping.aborted) return false;
      const [kept] = await moveBy(work.leaseMs);
      if (kept) claimedUntil = kept.due_at;
      return kept !== undefined;
    };
    try {
      const inMs = await work.run({ subjectId, part, keep });
      await (inMs === undefined ? this.database.query(END, ours()) : moveBy(inMs));
    } catch (error) {
      this.logger.error({ msg: 'failed to do due work, will try again', kind, subjectId, part, err: error });
    }
  }
}

/** For worker modules of features with due work. */
@Module({ imports: [WorkersModule], providers: [DueWork], exports: [DueWork] })
export class DueWorkModule {}
