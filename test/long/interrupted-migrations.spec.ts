import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasPendingMigrations, migrate } from '../../src/schema/upgrade/migrate.js';
import { createEmptyDatabase, type TestDatabase } from '../support/servers/database.js';
import { contentsOf, dieAtStatements } from '../support/upgrade/interruptions.js';
import { restoreOldDatabase } from '../support/upgrade/old-database.js';
import { schemaOf } from '../support/upgrade/schema.js';

/** For a test that hangs. */
const LIMIT_MS = 900_000;
const RECEIVER = 'http://127.0.0.1:1';

describe.each([
  ['of an empty database', createEmptyDatabase, 100],
  ['of a database at commit 03ffeb28', () => restoreOldDatabase(RECEIVER), 60],
])('migrations %s that are killed', (_, open, leastStatements) => {
  let killed: TestDatabase;
  let whole: TestDatabase;

  beforeEach(async () => {
    [killed, whole] = await Promise.all([open(), open()]);
  });
  afterEach(() => Promise.all([killed.drop(), whole.drop()]));

  it(
    'lead to the same result after a death at any statement',
    async () => {
      await migrate(whole.url);
      expect(await dieAtStatements(killed.url)).toBeGreaterThan(leastStatements);
      expect(await hasPendingMigrations(killed.url)).toBe(false);
      expect(await schemaOf(killed)).toEqual(await schemaOf(whole));
      expect(await contentsOf(killed)).toEqual(await contentsOf(whole));
    },
    LIMIT_MS,
  );
});
