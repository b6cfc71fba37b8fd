import { Injectable, type OnModuleInit } from '@nestjs/common';
import { firstIdSince } from '../../platform/database/first-id-since.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Statement, Queryable } from '../../platform/database/database.js';
import { alternating, IdWalk } from '../../platform/maintenance/id-walk.js';
import { MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { PRUNE_ATTEMPTS, PRUNE_DELIVERIES, type PrunedRow } from './retention.queries.js';
import { ENDED_IN_TIME } from './delivery-views.queries.js';

const PAUSE_MS = 60_000;
/** Deliveries or attempts that one batch reads, in about 15 ms. A larger batch costs as much per row, and holds locks longer. */
const BATCH_SIZE = 1_000;

/**
 * Deletes deliveries and attempts after their retention period. The counters of payments are separate and do not change. A
 * delivery that must stay, such as one that was retried recently, is read once per walk.
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
    if (walks.length > 0) this.maintenance.add(alternating('webhook deliveries', PAUSE_MS, walks));
  }

  private walk(statement: Statement, days: number): IdWalk {
    return new IdWalk(
      BATCH_SIZE,
      async (transaction) => {
        const before = daysBefore(this.clock.now(), days);
        return { before, last: (await firstDeliverySince(transaction, before)) - 1 };
      },
      async (transaction, { after, last, before }, limit) =>
        (await transaction.query<PrunedRow>(statement, [after, last, before, limit]))[0]!,
    );
  }
}

/** Returns the first id of finished deliveries that were created at `time` or later, see `firstIdSince`. */
export const firstDeliverySince = (database: Queryable, time: Date): Promise<number> =>
  firstIdSince(database, ENDED_IN_TIME, time);
