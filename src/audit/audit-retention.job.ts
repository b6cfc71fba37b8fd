import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import type { Transaction } from '../platform/database/database.js';
import { requireWritable, writeArchive } from '../platform/maintenance/archive.js';
import { type Batch, MaintenanceJobs, MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../shared/clock.js';
import { DELETE_ENTRIES, FIND_OLD_ENTRIES } from './audit.queries.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 1_000;

/** Archives and deletes old entries, in the same order of steps as payments. The trigger of the table refuses younger ones. */
@Injectable()
class AuditRetention implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays' | 'archiveDir'>,
  ) {}

  /** Throws a `ConfigError` if the folder of the archive cannot be written. */
  async onModuleInit(): Promise<void> {
    if (this.config.retentionDays.audit === 0) return;
    if (this.config.archiveDir !== undefined) await requireWritable(this.config.archiveDir);
    const batch = (transaction: Transaction) => this.batch(transaction);
    this.maintenance.add({ name: 'audit entries', everyMs: INTERVAL_MS, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const now = this.clock.now();
    const values = [daysBefore(now, this.config.retentionDays.audit), BATCH_SIZE];
    const old = await transaction.query<{ id: number; line: string }>(FIND_OLD_ENTRIES, values);
    if (old.length === 0) return { rows: 0, more: false };
    const ids = old.map(({ id }) => id);
    const lines = old.map(({ line }) => line);
    const { archiveDir } = this.config;
    if (archiveDir !== undefined) await writeArchive(archiveDir, `audit-${ids[0]}-${ids.at(-1)}`, now, lines);
    await transaction.query(DELETE_ENTRIES, [ids]);
    return { rows: old.length, more: old.length === BATCH_SIZE };
  }
}

@Module({ imports: [MaintenanceModule], providers: [AuditRetention] })
export class AuditWorkerModule {}
