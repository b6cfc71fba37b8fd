import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { withClient } from '../database/connection.js';
import { UNBOUNDED_OPTIONS } from '../database/session-settings.js';
import { QUEUE_SCHEMA } from './postgres-backend.js';

/**
 * Brings BullMQ's schema in `databaseUrl` up to date. Several processes may run it at once. Also useful while Redis
 * holds the queue: switching then needs only a change of settings.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, UNBOUNDED_OPTIONS, (client) => runMigrations(client, QUEUE_SCHEMA));
}

/** Whether the database lacks the queue's schema, or has an older one than this build needs. */
export function hasPendingQueueMigrations(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, UNBOUNDED_OPTIONS, async (client) => {
    try {
      return (await assertSchemaCompatibility(client, QUEUE_SCHEMA)) < LATEST_SCHEMA_VERSION;
    } catch (error) {
      if (error instanceof SchemaMigrationRequiredError) return true;
      throw error;
    }
  });
}
