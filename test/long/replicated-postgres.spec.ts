import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPgBouncer } from '../support/servers/pgbouncer.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/servers/postgres-replica.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../support/servers/servers.js';

describe('startReplicatedPostgres', () => {
  let postgres: ReplicatedPostgres;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres(await temporaryFolder(), { isSynchronous: true });
  });

  afterAll(() => postgres.stop());

  it('starts a primary and a standby behind a pooler, which can switch roles and continue without the primary', async () => {
    const [first, second] = [postgres.primary, postgres.standby];
    await first.query('CREATE TABLE notes (text text)');
    await first.query(`INSERT INTO notes VALUES ('a')`);
    await postgres.caughtUp();
    expect(await second.query('SELECT * FROM notes')).toEqual([{ text: 'a' }]);
    await expect(second.query(`INSERT INTO notes VALUES ('b')`)).rejects.toMatchObject({ code: '25006' });

    const pooler = await startPgBouncer({
      folder: await temporaryFolder(),
      databaseUrl: postgres.url([first]),
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
    await pooler.pointTo(postgres.url([second]));
    expect(await isStandby()).toBe(true);
    await pooler.stop();

    await postgres.switchOver();
    expect(postgres.primary).toBe(second);
    await second.query(`INSERT INTO notes VALUES ('c')`);
    await postgres.caughtUp();
    expect(await first.query('SELECT * FROM notes')).toHaveLength(2);

    await postgres.killPrimary();
    await postgres.promote();
    await first.query(`INSERT INTO notes VALUES ('d')`);
    expect(await first.query('SELECT * FROM notes')).toHaveLength(3);
  });
});
