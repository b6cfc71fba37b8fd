import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hasPendingQueueMigrations, migrateQueue } from '../../../src/platform/queue/queue-migration.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/servers/database.js';

describe('migrateQueue', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  it('makes the schema of the queue, once, whoever comes first', async () => {
    expect(await hasPendingQueueMigrations(database.url)).toBe(true);
    await Promise.all([migrateQueue(database.url), migrateQueue(database.url), migrateQueue(database.url)]);
    expect(await hasPendingQueueMigrations(database.url)).toBe(false);
  });
});
