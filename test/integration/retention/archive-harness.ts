import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentRetention } from '../../../src/payments/work/payment-retention.job.js';
import { Database, type Transaction } from '../../../src/platform/database/database.js';
import type { BatchJob, MaintenanceJobs } from '../../../src/platform/maintenance/maintenance-jobs.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestApi } from '../../support/app/api-app.js';

/** The days of the tests' setting, and an age above it. */
export const KEPT_DAYS = 180;
const OLD_DAYS = 400;

export type Line = { id: number } & Record<string, unknown>;

/** A folder for an archive. */
export class ArchiveFolder {
  private constructor(readonly path: string) {}

  static async create(): Promise<ArchiveFolder> {
    return new ArchiveFolder(await mkdtemp(join(tmpdir(), 'archive-')));
  }

  /** Paths of the files, relative to the folder. */
  async files(): Promise<string[]> {
    const found = await readdir(this.path, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  /** Lines of all files, parsed. */
  async lines(): Promise<Line[]> {
    const texts = await Promise.all((await this.files()).sort().map((file) => readFile(file, 'utf8')));
    return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line) as Line);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}

/** The job of a worker that only runs when the test calls it. */
export async function aRetention(api: TestApi, archiveDir: string | undefined) {
  const jobs: BatchJob[] = [];
  const maintenance = { add: (job: BatchJob) => void jobs.push(job) } as unknown as MaintenanceJobs;
  const config = { archiveDir, retentionDays: { payments: KEPT_DAYS } } as ConstructorParameters<
    typeof PaymentRetention
  >[2];
  await new PaymentRetention(maintenance, new SystemClock(), config).onModuleInit();
  const batch = (transaction: Transaction) => jobs[0]!.batch(transaction);
  /** Runs one walk; returns how many payments it deleted. */
  const walk = async (): Promise<number> => {
    let deleted = 0;
    for (;;) {
      const { rows, more } = await api.get(Database).transaction(batch);
      deleted += rows;
      if (!more) return deleted;
    }
  };
  return { batch, walk };
}

/** Lets the payments end long ago, with their deliveries and keys pruned meanwhile. */
export async function age(api: TestApi, ids: readonly number[]): Promise<void> {
  const ago = (...columns: string[]) =>
    columns.map((column) => `${column} = ${column} - interval '${OLD_DAYS} days'`).join(', ');
  const statements = [
    `UPDATE payments SET ${ago('created_at', 'updated_at')} WHERE id = ANY ($1)`,
    `UPDATE payment_attempts SET ${ago('started_at', 'ended_at')} WHERE payment_id = ANY ($1)`,
    `UPDATE provider_operations SET ${ago('created_at', 'updated_at')} WHERE payment_id = ANY ($1)`,
    `UPDATE refunds SET ${ago('created_at', 'updated_at')} WHERE payment_id = ANY ($1)`,
    `UPDATE disputes SET ${ago('opened_at', 'updated_at')} WHERE payment_id = ANY ($1)`,
    `UPDATE payment_status_changes SET ${ago('at')} WHERE payment_id = ANY ($1)`,
    `DELETE FROM provider_notifications WHERE payment_id = ANY ($1)`,
    `DELETE FROM pending_deliveries WHERE payment_id = ANY ($1)`,
    `DELETE FROM webhook_deliveries WHERE payment_id = ANY ($1)`,
    `DELETE FROM idempotency_keys WHERE payment_id = ANY ($1)`,
  ];
  for (const statement of statements) await api.database.pool.query(statement, [ids]);
}
