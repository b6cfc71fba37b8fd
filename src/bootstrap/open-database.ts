import type { Config } from '../platform/config/config.js';
import { hasPendingMigrations, migrate } from '../platform/database/migrate.js';
import { hasPendingQueueMigrations, migrateQueue } from '../platform/queue/queue-migration.js';
import { hostsOf } from '../platform/config/database-url.js';
import { StartError } from '../platform/config/config-error.js';
import { roleStatements, sessionAt } from '../platform/database/role-settings.js';

export interface OpenDatabase {
  url: string;
  /** To be called after all connections to it are closed. */
  stop(): Promise<unknown>;
}

/** Takes what is being done, where that lasts seconds. */
type Tell = (step: string) => void;

/**
 * The database with its schema up to date. Without DATABASE_URL: the embedded one, migrated here. With it, migrations
 * are the operator's step: throws a `StartError` when some are pending, when the database cannot be reached, or when a pooler
 * gives sessions that `migrate` has not prepared. `warn` takes what lets the process start but should be repaired.
 */
export async function openDatabase(
  config: Config,
  tell: Tell = () => undefined,
  warn: Tell = tell,
): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir, tell);
  const server = serverOf(config.databaseUrl, config.databaseDirectUrl);
  const pending = await isBehind(server.url, config.redis).catch(cannotUse(server.url, server.setting));
  if (pending) throw new StartError('DATABASE_URL: the database lacks migrations, run `npm run cli -- migrate` first');
  if (config.databaseDirectUrl !== undefined) await checkPooler(config.databaseUrl, warn);
  return { url: config.databaseUrl, stop: () => Promise.resolve() };
}

/** The server itself, and the setting that names it. */
export const serverOf = (
  databaseUrl: string,
  databaseDirectUrl: string | undefined,
): { url: string; setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' } =>
  databaseDirectUrl === undefined
    ? { url: databaseUrl, setting: 'DATABASE_URL' }
    : { url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL' };

async function checkPooler(databaseUrl: string, warn: Tell): Promise<void> {
  const { role, database, missing, isPrepared } = await sessionAt(databaseUrl).catch(cannotUse(databaseUrl));
  if (missing.length === 0) return;
  const lacks = `DATABASE_URL: sessions of '${role}' in '${database}' lack ${missing.join(', ')}`;
  const refresh = `on the pooler's console: RECONNECT ${database}`;
  if (isPrepared) return warn(`${lacks}, though the role has them; ${refresh}`);
  const statements = roleStatements(role, database).join('; ');
  throw new StartError(`${lacks}: run \`npm run cli -- migrate\`, or as who may: ${statements}; then ${refresh}`);
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
  const { startEmbeddedDatabase } = await import('./embedded-database.js');
  tell('starting the embedded PostgreSQL');
  const postgres = await startEmbeddedDatabase(dataDir);
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
export function cannotUse(
  databaseUrl: string,
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' = 'DATABASE_URL',
): (error: Error & { code?: string }) => never {
  return (error) => {
    const reason = error.message || error.code || error.name;
    const where = `the database at ${hostsOf(databaseUrl)}`;
    // what PgBouncer says to the startup options of a session
    const line = reason.includes('unsupported startup parameter')
      ? `${setting}: ${where} is a pooler (${reason}); give the server's own URL as DATABASE_DIRECT_URL`
      : `${setting}: cannot use ${where} (${reason})`;
    throw new StartError(line, { cause: error });
  };
}
