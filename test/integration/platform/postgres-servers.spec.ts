import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPgBouncer } from '../../support/servers/pgbouncer.js';
import { startReplicatedPostgres, type ReplicatedPostgres } from '../../support/servers/postgres-replica.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../../support/servers/servers.js';

describe('the servers of the tests', () => {
  let postgres: ReplicatedPostgres;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres(await temporaryFolder(), { isSynchronous: true });
  });

  afterAll(() => postgres.stop());

  it('are a primary and a standby that shows what the primary has committed', async () => {
    await postgres.primary.query('CREATE TABLE notes (text text)');
    await postgres.primary.query(`INSERT INTO notes VALUES ('a')`);
    await postgres.caughtUp();
    expect(await postgres.standby.query('SELECT * FROM notes')).toEqual([{ text: 'a' }]);
    await expect(postgres.standby.query(`INSERT INTO notes VALUES ('b')`)).rejects.toMatchObject({ code: '25006' });
  });

  it('have a pooler in front that takes transactions, and goes where it is pointed', async () => {
    const { primary, standby } = postgres;
    const pooler = await startPgBouncer({
      folder: await temporaryFolder(),
      databaseUrl: postgres.url([primary]),
      onStart: rememberProcess,
      onExit: forgetProcess,
    });
    const isStandby = async () => {
      const client = new pg.Client({ connectionString: pooler.url });
      await client.connect();
      const { rows } = await client.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
      await client.end();
      return rows[0]!.is;
    };
    expect(await isStandby()).toBe(false);
    await pooler.restart();
    await pooler.pointTo(postgres.url([standby]));
    expect(await isStandby()).toBe(true);
    await pooler.stop();
  });

  it('change places', async () => {
    const { primary, standby } = postgres;
    await postgres.switchOver();
    expect(postgres.primary).toBe(standby);
    await postgres.primary.query(`INSERT INTO notes VALUES ('c')`);
    await postgres.caughtUp();
    expect(await primary.query('SELECT * FROM notes')).toHaveLength(2);
  });

  it('go on without the primary once the standby is promoted', async () => {
    const { standby } = postgres;
    await postgres.caughtUp();
    await postgres.killPrimary();
    await postgres.promote();
    await standby.query(`INSERT INTO notes VALUES ('d')`);
    expect(await standby.query('SELECT * FROM notes')).toHaveLength(3);
  });
});
