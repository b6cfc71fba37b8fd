import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import type pg from 'pg';
import { withClient } from '../database/connection.js';
import { UNBOUNDED_OPTIONS } from '../database/session-settings.js';
import { QUEUE_SCHEMA } from './postgres-backend.js';

/**
 * Brings BullMQ's schema in `databaseUrl` up to date. Several processes may run it at once. Also useful while Redis
 * holds the queue: switching then needs only a change of settings.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, UNBOUNDED_OPTIONS, async (client) => {
    await runMigrations(client, QUEUE_SCHEMA);
    await stopEvents(client);
  });
}

const LOCK_FUNCTION = `SELECT pg_advisory_xact_lock(hashtext('${QUEUE_SCHEMA}.publish_event'))`;
const PUBLISH_NOTHING = `CREATE OR REPLACE FUNCTION ${QUEUE_SCHEMA}.publish_event(p_queue text, p_event text, p_data jsonb)
    RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'`;

/** Each wake-up would write five rows of events, with a NOTIFY each, which no process reads (docs/decisions/092-no-queue-events.md). */
async function stopEvents(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  await client.query(LOCK_FUNCTION); // of two that replace a function at once, PostgreSQL refuses one
  await client.query(PUBLISH_NOTHING);
  await client.query('COMMIT');
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
