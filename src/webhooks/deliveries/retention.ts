import { Injectable, type OnModuleInit } from '@nestjs/common';
import { firstIdSince } from '../../platform/database/first-id-since.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Statement, Transaction, Queryable } from '../../platform/database/database.js';
import { type Batch, type BatchJob, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { PRUNE_ATTEMPTS, PRUNE_DELIVERIES, type PrunedRow } from './retention.queries.js';
import { ENDED_IN_TIME } from './delivery-views.queries.js';

const PAUSE_MS = 60_000;
/** Deliveries or attempts that one batch reads, in about 15 ms. A larger batch costs as much per row, and holds locks longer. */
const BATCH_SIZE = 1_000;

/**
 * Deletes deliveries and attempts after their retention period, as fast as the service can write them: see `isBehind`.
 * The counters of payments are separate and do not change.
 */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  onModuleInit(): void {
    const { deliveries, attempts } = this.config.retentionDays;
    const walks = [
      ...(attempts > 0 ? [this.walk(PRUNE_ATTEMPTS, attempts)] : []),
      ...(deliveries > 0 ? [this.walk(PRUNE_DELIVERIES, deliveries)] : []),
    ];
    if (walks.length > 0) this.maintenance.add(alternating(walks));
  }

  private walk(statement: Statement, days: number): PruningWalk {
    return new PruningWalk(statement, () => daysBefore(this.clock.now(), days));
  }
}

/** Returns one job that runs the walks one after the other. A lock on the block of ids keeps two workers apart, also in different walks. */
function alternating(walks: PruningWalk[]): BatchJob {
  let current = 0;
  const batch = async (transaction: Transaction): Promise<Batch> => {
    const step = await walks[current]!.step(transaction);
    if (!step.more) current = (current + 1) % walks.length;
    return { ...step, more: step.more || current > 0 };
  };
  return { name: 'webhook deliveries', isShared: true, everyMs: PAUSE_MS, batch };
}

/**
 * Reads all deliveries that were created before a point in time, batch by batch in the order of their ids. Then the next
 * walk starts. A delivery that must stay, such as one that was retried recently, is read once per walk.
 */
class PruningWalk {
  private at: { after: number; last: number; before: Date } | undefined;

  constructor(
    private readonly statement: Statement,
    private readonly cutoff: () => Date,
  ) {}

  async step(transaction: Transaction): Promise<Batch> {
    const { after, last, before } = (this.at ??= await this.start(transaction));
    const [row] = await transaction.query<PrunedRow>(this.statement, [after, last, before, BATCH_SIZE]);
    const { last_id: lastId, pruned, is_ours: isOurs } = row!;
    this.at = lastId === null ? undefined : { after: lastId, last, before };
    return { rows: pruned, more: lastId !== null, isBehind: !isOurs || pruned * 2 >= BATCH_SIZE };
  }

  private async start(transaction: Transaction): Promise<{ after: number; last: number; before: Date }> {
    const before = this.cutoff();
    return { after: 0, last: (await firstDeliverySince(transaction, before)) - 1, before };
  }
}

/** Returns the first id of finished deliveries that were created at `time` or later, see `firstIdSince`. */
export const firstDeliverySince = (database: Queryable, time: Date): Promise<number> =>
  firstIdSince(database, ENDED_IN_TIME, time);
