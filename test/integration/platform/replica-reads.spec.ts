import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { boundedDataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { Database } from '../../../src/platform/database/database.js';
import { ReplicaReads } from '../../../src/platform/database/replica-reads.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { eventually } from '../../support/eventually.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../support/servers/postgres-replica.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const MAX_LAG_MS = 400;
const IS_STANDBY = { name: 'test.is_standby', text: 'SELECT pg_is_in_recovery() AS standby' };
const COUNT = { name: 'test.count', text: 'SELECT count(*)::int AS notes FROM notes' };

describe('ReplicaReads', () => {
  let postgres: ReplicatedPostgres;
  let dataSource: DataSource;
  let reads: ReplicaReads;
  let metrics: Metrics;
  const serving = { isPooled: false, maxLifetimeSeconds: 0 };
  beforeAll(async () => {
    Logger.overrideLogger(false);
    postgres = await startReplicatedPostgres(await temporaryFolder());
    const { primary, standby } = postgres;
    await primary.query('CREATE TABLE notes ()');
    dataSource = await new DataSource(boundedDataSourceOptions(postgres.url([primary]), 3, serving)).initialize();
    metrics = new Metrics();
    const settings = { url: postgres.url([standby]), maxLagMs: MAX_LAG_MS, poolSize: 3, serving };
    reads = new ReplicaReads(new Database(dataSource), metrics, settings);
    reads.onApplicationBootstrap();
  });
  afterAll(async () => {
    await reads.beforeApplicationShutdown();
    await reads.onApplicationShutdown();
    await dataSource.destroy();
    await postgres.stop();
  });

  const answeredBy = async (): Promise<string> => {
    const [row] = await reads.query<{ standby: boolean }>(IS_STANDBY);
    return row!.standby ? 'standby' : 'primary';
  };
  const inTransaction = () => reads.readOnly(async (transaction) => (await transaction.query(IS_STANDBY))[0]);
  const are = (by: 'standby' | 'primary') => eventually(async () => expect(await answeredBy()).toBe(by));
  const lag = async () => /^database_replica_lag_seconds (\S+)$/m.exec(await metrics.render())?.[1];

  // one sequence: each step needs the state that the previous one left, and the last one cannot be undone
  it('reads from a standby that has replayed everything, and from the primary while it lags or is lost', async () => {
    await are('standby');
    await eventually(async () => expect(await lag()).toBe('0'));

    // also in a read-only transaction
    await eventually(async () => expect(await inTransaction()).toEqual({ standby: true }));

    // too far behind
    await postgres.pauseReplay();
    await postgres.primary.query('INSERT INTO notes DEFAULT VALUES');
    await are('primary');
    expect(await reads.query(COUNT)).toEqual([{ notes: 1 }]);
    expect(Number(await lag())).toBeGreaterThan(MAX_LAG_MS / 1_000);
    await postgres.resumeReplay();
    await are('standby');
    expect(await reads.query(COUNT)).toEqual([{ notes: 1 }]);

    // lost meanwhile
    await are('standby');
    await postgres.standby.kill();
    expect(await answeredBy()).toBe('primary');
    expect(await inTransaction()).toEqual({ standby: false });
    await eventually(async () => expect(await lag()).toBeUndefined());
    await postgres.standby.start();
    await are('standby');

    // it has become a primary
    await postgres.killPrimary();
    await postgres.promote();
    // no server is left
    await eventually(() => expect(reads.query(COUNT)).rejects.toThrow());
  });
});
