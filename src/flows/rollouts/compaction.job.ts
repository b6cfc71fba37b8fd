import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { COMPACT_ROLLOUT_COUNTS } from './rollout-counts.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Compacts the counts of rollouts: each connection counts in rows of its own, so a long rollout would have millions. */
@Injectable()
export class RolloutCompaction implements OnModuleInit {
  constructor(private readonly maintenance: MaintenanceJobs) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction) => this.compact(transaction);
    this.maintenance.add({ name: 'rollout counts', everyMs: INTERVAL_MS, batch });
  }

  private async compact(transaction: Transaction): Promise<Batch> {
    const [compacted] = await transaction.query<{ rows: number }>(COMPACT_ROLLOUT_COUNTS, [BATCH_SIZE]);
    return { rows: compacted!.rows, more: compacted!.rows === BATCH_SIZE };
  }
}
