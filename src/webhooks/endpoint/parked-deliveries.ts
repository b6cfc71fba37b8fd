import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import {
  CLOSE_DELETED,
  END_EXPIRED,
  END_OF_DELETED,
  PARK_DUE,
  RELEASE_PARKED,
  type ReleasedRow,
} from './parked-deliveries.queries.js';

const PAUSE_MS = 1_000;
const EXPIRY_PAUSE_MS = 60_000;
/** Deliveries that one statement parks, releases or ends, in about ten milliseconds. */
const BATCH_SIZE = 500;
/** Far longer than any transaction that may still insert for an endpoint. */
const CLOSED_AFTER_MS = 3_600_000;

/**
 * Keeps deliveries of paused and disabled endpoints out of the way of others: parked, they are never due. After a
 * resumption it releases them oldest first, in portions. It ends the deliveries of deleted endpoints.
 * - A change of an endpoint's state writes no delivery. Each run compares deliveries with states, so it also finds the
 *   deliveries of transactions that saw an earlier state, and continues after any crash.
 * - A batch commits on its own. Rows that another transaction has locked are left for the next one.
 */
@Injectable()
export class ParkedDeliveries implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly notifier: LaneNotifier,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction): Promise<Batch> => this.batch(transaction);
    this.maintenance.add({ name: 'parked deliveries', everyMs: PAUSE_MS, batch });
    const { deliveries } = this.config.retentionDays;
    const expire = (transaction: Transaction): Promise<Batch> => this.expire(transaction, deliveries);
    if (deliveries > 0)
      this.maintenance.add({ name: 'expired parked deliveries', everyMs: EXPIRY_PAUSE_MS, batch: expire });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const parked = await rowsOf(transaction, PARK_DUE, [BATCH_SIZE]);
    const ended = await rowsOf(transaction, END_OF_DELETED, [BATCH_SIZE]);
    await transaction.query(CLOSE_DELETED, [CLOSED_AFTER_MS]);
    const [released] = await transaction.query<ReleasedRow>(RELEASE_PARKED, [BATCH_SIZE]);
    const { rows, lane_ids: laneIds } = released!;
    return {
      rows: parked + ended + rows,
      more: parked === BATCH_SIZE || ended === BATCH_SIZE || rows > 0,
      committed: () => this.notifier.notify(laneIds),
    };
  }

  private async expire(transaction: Transaction, days: number): Promise<Batch> {
    const before = daysBefore(this.clock.now(), days);
    const rows = await rowsOf(transaction, END_EXPIRED, [before, BATCH_SIZE]);
    return { rows, more: rows === BATCH_SIZE };
  }
}

async function rowsOf(transaction: Transaction, statement: Statement, values: unknown[]): Promise<number> {
  const [row] = await transaction.query<{ rows: number }>(statement, values);
  return row!.rows;
}
