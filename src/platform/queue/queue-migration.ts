import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { withClient } from '../database/connection.js';
import { UNBOUNDED_OPTIONS } from '../database/session-settings.js';
import { QUEUE_SCHEMA } from './postgres-backend.js';

/**
 * Brings BullMQ's own schema in `databaseUrl` up to date. Safe to run from several processes at once. Also worth running
 * where Redis holds the queue: switching is a change of one setting then.
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
