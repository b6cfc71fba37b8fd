import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock } from '../../shared/clock.js';
import { COMPACT_RULE_HITS, PRUNE_RULE_HITS } from './rule-hits.queries.js';

const DAY_MS = 86_400_000;
/** One day more than the report shows. */
const KEPT_DAYS = 31;
const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Puts the hits of rules together after their hour, and deletes old ones. */
@Injectable()
export class RuleHitsCompaction implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.add('rule hits', (transaction) => run(transaction, COMPACT_RULE_HITS, []));
    this.add('rule hit hours', (transaction) => {
      const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
      return run(transaction, PRUNE_RULE_HITS, [before]);
    });
  }

  private add(name: string, batch: (transaction: Transaction) => Promise<Batch>): void {
    this.maintenance.add({ name, everyMs: INTERVAL_MS, batch });
  }
}

async function run(transaction: Transaction, statement: Statement, values: unknown[]): Promise<Batch> {
  const [result] = await transaction.query<{ rows: number }>(statement, [...values, BATCH_SIZE]);
  return { rows: result!.rows, more: result!.rows === BATCH_SIZE };
}
