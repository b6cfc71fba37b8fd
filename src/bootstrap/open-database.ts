import type { Config } from '../platform/config/config.js';
import { hasPendingMigrations, migrate } from '../platform/database/migrate.js';
import { hasPendingQueueMigrations, migrateQueue } from '../platform/queue/queue-migration.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { StartError } from '../platform/config/env-reader.js';

export interface OpenDatabase {
  url: string;
  /** To be called after all connections to it are closed. */
  stop(): Promise<unknown>;
}

/** Takes what is being done, where that lasts seconds. */
type Tell = (step: string) => void;

/**
 * The database with its schema up to date. Without DATABASE_URL: the embedded one, migrated here. With it, migrations
 * are the operator's step: throws a `StartError` when some are pending or the database cannot be reached.
 */
export async function openDatabase(config: Config, tell: Tell = () => undefined): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir, tell);
  const pending = await isBehind(config.databaseUrl, config.redis).catch(cannotUse(config.databaseUrl));
  if (pending) throw new StartError('DATABASE_URL: the database lacks migrations, run `npm run cli -- migrate` first');
  return { url: config.databaseUrl, stop: () => Promise.resolve() };
}

/** The queue's own schema matters only where no Redis holds the queue. */
const isBehind = async (databaseUrl: string, redis: Config['redis']): Promise<boolean> =>
  (
    await Promise.all([
      hasPendingMigrations(databaseUrl),
      redis === undefined && hasPendingQueueMigrations(databaseUrl),
    ])
  ).includes(true);

async function openEmbedded(dataDir: string, tell: Tell): Promise<OpenDatabase> {
  tell('starting the embedded PostgreSQL');
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    tell('applying migrations');
    await migrate(postgres.url);
    await migrateQueue(postgres.url);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Names the server but not the password that is in the URL. */
export function cannotUse(databaseUrl: string): (error: Error & { code?: string }) => never {
  const { host } = new URL(databaseUrl);
  return (error) => {
    const reason = error.message || error.code || error.name;
    throw new StartError(`DATABASE_URL: cannot use the database at ${host || 'localhost'} (${reason})`, {
      cause: error,
    });
  };
}
