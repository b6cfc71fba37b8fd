import type { Transaction } from '../database/database.js';
import type { Batch, BatchJob } from './maintenance-jobs.js';

/** Ids that one lock covers. Two workers at once work in different blocks, and so never wait for each other. */
export const BLOCK = 65_536;

/**
 * CTEs `block` and `batch`: the next $4 rows of a block of ids whose lock is free; $1 id to start after, $2 last id. A batch
 * never leaves its block. `lockSpace` is a space of advisory locks of its own: see `LOCK_SPACE` of maintenance jobs.
 */
export const batchOf = (table: string, id: string, lockSpace: number): string => `block AS MATERIALIZED (
      SELECT least($2, (n + 1) * ${BLOCK} - 1) AS last, pg_try_advisory_xact_lock(${lockSpace}, n::integer) AS is_ours
      FROM (SELECT ${id} / ${BLOCK} AS n FROM ${table} WHERE ${id} > $1 AND ${id} <= $2 ORDER BY ${id} LIMIT 1) next
    ), batch AS MATERIALIZED (
      SELECT ${id} AS id FROM ${table} WHERE ${id} > $1 AND ${id} <= (SELECT last FROM block WHERE is_ours)
      ORDER BY ${id} LIMIT $4
    )`;

/** Columns that say how far a batch came. It may be empty although the block had a row: another worker deleted it in between. */
export const BATCH_RESULT = `coalesce((SELECT max(id) FROM batch), (SELECT last FROM block)) AS last_id,
      coalesce((SELECT is_ours FROM block), true) AS is_ours`;

/** `BATCH_RESULT`. */
export interface BatchRow {
  /** The id to continue after; `null` if there were no more. */
  last_id: number | null;
  /** Whether the rows were read; otherwise another worker has the block of ids, which `last_id` ends. */
  is_ours: boolean;
}

/** Rows of the ids above `after`, up to `last`, that are older than `before`. */
export interface Span {
  after: number;
  last: number;
  before: Date;
}

/** Prunes at most `limit` rows of a span. */
export type PruneSpan = (transaction: Transaction, span: Span, limit: number) => Promise<BatchRow & { pruned: number }>;

/**
 * Reads all rows that were created before a point in time, batch by batch in the order of their ids. Then the next walk
 * starts. A row that must stay is read once per walk.
 */
export class IdWalk {
  private at: Span | undefined;

  /** `start`: the last id of a walk, and the point in time. */
  constructor(
    private readonly limit: number,
    private readonly start: (transaction: Transaction) => Promise<Omit<Span, 'after'>>,
    private readonly prune: PruneSpan,
  ) {}

  async step(transaction: Transaction): Promise<Batch> {
    const at = (this.at ??= { after: 0, ...(await this.start(transaction)) });
    const { last_id: lastId, pruned, is_ours: isOurs } = await this.prune(transaction, at, this.limit);
    this.at = lastId === null ? undefined : { ...at, after: lastId };
    return { rows: pruned, more: lastId !== null, isBehind: !isOurs || pruned * 2 >= this.limit };
  }
}

/**
 * Returns one job that runs the walks one after the other, as fast as rows can be written: see `isBehind`. A lock on the
 * block of ids keeps two workers apart, also in different walks.
 */
export function alternating(name: string, everyMs: number, walks: readonly IdWalk[]): BatchJob {
  let current = 0;
  const batch = async (transaction: Transaction): Promise<Batch> => {
    const step = await walks[current]!.step(transaction);
    if (!step.more) current = (current + 1) % walks.length;
    return { ...step, more: step.more || current > 0 };
  };
  return { name, isShared: true, everyMs, batch };
}
