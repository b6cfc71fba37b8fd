import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { AuditWorkerModule } from '../../../src/audit/audit-retention.job.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';
import { ArchiveFolder } from './archive-harness.js';

@Module({ imports: [AuditWorkerModule] })
class WorkerFeatures {}

describe('retention of the audit log', () => {
  let api: TestApi;
  let folder: ArchiveFolder;
  let worker: Engine | undefined;

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    folder = await ArchiveFolder.create();
  });
  afterEach(async () => {
    await worker?.stop();
    await folder.remove();
  });

  const entries = async (days: number, count: number): Promise<number[]> => {
    const { rows } = await api.database.pool.query<{ id: number }>(
      `INSERT INTO audit_entries (merchant_id, at, actor, action, object_type, object_id, fields, details)
       SELECT 1, now() - $1 * interval '1 day', 'cli', 'shop.updated', 'shop', n, '{name}', '{"n": "one\\ntwo"}'
       FROM generate_series(1, $2::int) n RETURNING id`,
      [days, count],
    );
    return rows.map(({ id }) => id);
  };
  const leftFrom = async (id: number): Promise<number[]> => {
    const text = 'SELECT id FROM audit_entries WHERE id >= $1 ORDER BY id';
    return (await api.database.pool.query<{ id: number }>(text, [id])).rows.map((row) => row.id);
  };

  it('archives and deletes old entries, and no younger one', async () => {
    const [old, young] = [await entries(600, 1_200), await entries(500, 2)];
    await forgetWorkers(api.database.pool);
    const env = { RETENTION_AUDIT_DAYS: '550', RETENTION_ARCHIVE: folder.path };
    worker = await startEngine(WorkerFeatures, api.database.url, env);
    await eventually(async () => expect(await leftFrom(old[0]!)).toEqual(young));
    const lines = await folder.lines();
    expect(lines.map(({ id }) => id).sort((one, other) => one - other)).toEqual(old);
    expect(lines[0]).toMatchObject({
      merchant_id: 1,
      action: 'shop.updated',
      fields: ['name'],
      details: { n: 'one\ntwo' },
    });
  });

  it('deletes nothing within a year: the database refuses', async () => {
    const [id] = await entries(300, 1);
    await expect(api.database.pool.query('DELETE FROM audit_entries WHERE id = $1', [id])).rejects.toThrow(
      'append-only for a year',
    );
  });
});
