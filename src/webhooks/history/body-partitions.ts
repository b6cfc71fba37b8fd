import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import {
  createPartition,
  dropPartition,
  IS_REFERRED_TO,
  type PartitionPlan,
  PLAN_PARTITIONS,
  PRUNE_DEFAULT,
} from './body-partitions.queries.js';

/** Partitions are created this many days ahead. If all workers are down for longer, bodies go to the default partition. */
const DAYS_AHEAD = 7;
/** Extra days for bodies, because attempts happen after the day of their body. So headers are deleted before bodies. */
const DAYS_LONGER = 1;
const FOR_EVER_DAYS = 1_000_000;
const BATCH_SIZE = 500;
const PAUSE_MS = 60_000;

/** Limits the wait for the table lock, because all later statements on the table queue behind a waiting one. */
const WAIT_BRIEFLY: Statement = {
  name: 'webhooks.wait_briefly',
  text: `SELECT set_config('lock_timeout', '100ms', true)`,
};
const SAVEPOINT: Statement = { name: 'webhooks.savepoint', text: 'SAVEPOINT before_lock' };
const ROLLBACK: Statement = { name: 'webhooks.rollback_to', text: 'ROLLBACK TO SAVEPOINT before_lock' };
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the partitions of the next days and drops expired ones, so bodies are removed without deleting rows.
 * - A partition is dropped only if no pending delivery refers to it or to an older one. A retry copies the body to the
 *   partition of the current day, so no delivery needs a partition older than its last run.
 * - If the lock is not available at once, the job tries again a minute later. For example, a dump holds it for long.
 */
@Injectable()
export class BodyPartitions implements OnModuleInit {
  private readonly logger = new Logger(BodyPartitions.name);
  private readonly daysKept: number;

  constructor(
    private readonly maintenance: MaintenanceJobs,
    @InjectConfig() config: Pick<Config, 'retentionDays'>,
  ) {
    const { deliveries } = config.retentionDays;
    this.daysKept = deliveries > 0 ? deliveries + DAYS_LONGER : FOR_EVER_DAYS;
  }

  onModuleInit(): void {
    const batch = (transaction: Transaction) => this.batch(transaction);
    this.maintenance.add({ name: 'webhook bodies', everyMs: PAUSE_MS, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const [plan] = await transaction.query<PartitionPlan>(PLAN_PARTITIONS, [DAYS_AHEAD, this.daysKept]);
    const { missing, expired } = plan!;
    if (missing !== null) return { rows: 0, more: await this.change(transaction, createPartition(missing)) };
    if (expired !== null && !(await this.isReferredTo(transaction, expired))) return this.drop(transaction, expired);
    const pruned = await transaction.query(PRUNE_DEFAULT, [this.daysKept, BATCH_SIZE]);
    return { rows: pruned.length, more: pruned.length === BATCH_SIZE };
  }

  private async drop(transaction: Transaction, day: string): Promise<Batch> {
    const isDone = await this.change(transaction, dropPartition(day));
    if (isDone) this.logger.log({ msg: 'dropped partition of webhook bodies', day });
    return { rows: 0, more: isDone };
  }

  private async isReferredTo(transaction: Transaction, day: string): Promise<boolean> {
    const [row] = await transaction.query<{ is_referred_to: boolean }>(IS_REFERRED_TO, [day]);
    return row!.is_referred_to;
  }

  /** Returns whether the table lock was available at once. */
  private async change(transaction: Transaction, statements: Statement[]): Promise<boolean> {
    await transaction.query(WAIT_BRIEFLY);
    await transaction.query(SAVEPOINT);
    try {
      for (const statement of statements) await transaction.query(statement);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      await transaction.query(ROLLBACK);
      return false;
    }
  }
}
