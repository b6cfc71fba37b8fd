import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { postgresBackend } from '../../../src/platform/queue/postgres-backend.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('gives its first connection more time than later ones, as BullMQ never tries that one again', async () => {
  const { factory, producer } = postgresBackend(database.url);
  // nobody connects in a millisecond
  const backend = factory('first-connection', { connection: { ...producer, connectionTimeoutMillis: 1 } }, {});
  backend.on('error', () => undefined); // of the connection that is ended below
  try {
    await backend.waitUntilReady();
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'payment-orchestrator-queue'`,
    );
    await eventually(() => expect(backend.getCounts(['wait'])).rejects.toThrow(/timeout/));
  } finally {
    await backend.close();
  }
});
