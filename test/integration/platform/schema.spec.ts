import { afterEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';
import { describedObjects, dropOldObjects, schemaOf } from '../../support/upgrade/schema.js';

describe('the schema', () => {
  let opened: TestDatabase[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.drop();
    opened = [];
  });
  const open = async (database: Promise<TestDatabase>): Promise<TestDatabase> => {
    opened.push(await database);
    return database;
  };

  it('An upgraded database has the schema of a new one, apart from what the page names for processes of 03ffeb28', async () => {
    const [fresh, upgraded] = [await open(createTestDatabase()), await open(restoreOldDatabase('http://127.0.0.1:1'))];
    await migrate(upgraded.url);
    await dropOldObjects(upgraded);
    expect(await schemaOf(upgraded)).toEqual(await schemaOf(fresh));
  });

  it('A new database has the triggers that the page explains, and no other', async () => {
    const { pool } = await open(createTestDatabase());
    const { rows } = await pool.query<{ line: string }>(
      `SELECT concat_ws(' ', tgname, p.proname) AS line FROM pg_trigger JOIN pg_proc p ON p.oid = tgfoid
        WHERE NOT tgisinternal`,
    );
    expect(rows.map(({ line }) => line).sort()).toEqual((await describedObjects()).triggers);
  });
});
