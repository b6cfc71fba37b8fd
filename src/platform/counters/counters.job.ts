import { type DynamicModule, Inject, Module } from '@nestjs/common';
import { Clock } from '../../shared/clock.js';
import type { Transaction } from '../database/database.js';
import { type Batch, MaintenanceJobs, MaintenanceModule } from '../maintenance/maintenance-jobs.js';
import { type Counter, tidy } from './counter.js';

const INTERVAL_MS = 60_000;
/** Ten to twenty milliseconds of work. */
const BATCH_SIZE = 1_000;
const COUNTERS = Symbol('counters');

/** Compacts and expires the rows of all counters, one counter after the other. */
@Module({ imports: [MaintenanceModule] })
export class CountersWorkerModule {
  static keeping(counters: readonly Counter[]): DynamicModule {
    return { module: CountersWorkerModule, providers: [{ provide: COUNTERS, useValue: counters }] };
  }

  constructor(
    maintenance: MaintenanceJobs,
    private readonly clock: Clock,
    @Inject(COUNTERS) private readonly counters: readonly Counter[],
  ) {
    const batch = (transaction: Transaction) => this.tidy(transaction);
    maintenance.add({ name: 'counters', everyMs: INTERVAL_MS, batch });
  }

  private async tidy(transaction: Transaction): Promise<Batch> {
    let rows = 0;
    for (const counter of this.counters)
      if (rows < BATCH_SIZE) rows += await tidy(transaction, counter, BATCH_SIZE - rows, this.clock.now());
    return { rows, more: rows === BATCH_SIZE };
  }
}
