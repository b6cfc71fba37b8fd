import type { Config } from '../platform/config/config.js';
import { hasPendingMigrations, migrate } from '../schema/upgrade/migrate.js';
import { hasPendingQueueMigrations, migrateQueue } from '../platform/queue/queue-migration.js';
import { hostsOf } from '../platform/config/database-url.js';
import { StartError } from '../platform/config/config-error.js';
import { roleStatements, sessionAt } from '../platform/database/role-settings.js';

export interface OpenDatabase {
  url: string;
  /** Call after all connections to it are closed. */
  stop(): Promise<unknown>;
}

/** Reports a step that may take seconds. */
type Report = (step: string) => void;

/**
 * Opens the database and checks that its schema is up to date. Without DATABASE_URL it is the embedded one, which is
 * migrated here. With it, the operator runs migrations. Throws a `StartError` when some are pending, when the database
 * cannot be reached, or when a pooler's sessions lack the settings of `migrate`. `warn` reports problems that do not
 * prevent the start.
 */
export async function openDatabase(
  config: Config,
  report: Report = () => undefined,
  warn: Report = report,
): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) return openEmbedded(config.dataDir, report);
  const server = serverOf(config.databaseUrl, config.databaseDirectUrl);
  const pending = await isBehind(server.url, config.redis).catch(cannotUse(server.url, server.setting));
  if (pending) throw new StartError('DATABASE_URL: the database lacks migrations, run `npm run cli -- migrate` first');
  if (config.databaseDirectUrl !== undefined) await checkPooler(config.databaseUrl, warn);
  return { url: config.databaseUrl, stop: () => Promise.resolve() };
}

/** The URL of the server itself, and the setting that contains it. */
export const serverOf = (
  databaseUrl: string,
  databaseDirectUrl: string | undefined,
): { url: string; setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' } =>
  databaseDirectUrl === undefined
    ? { url: databaseUrl, setting: 'DATABASE_URL' }
    : { url: databaseDirectUrl, setting: 'DATABASE_DIRECT_URL' };

async function checkPooler(databaseUrl: string, warn: Report): Promise<void> {
  const { role, database, missing, isPrepared } = await sessionAt(databaseUrl).catch(cannotUse(databaseUrl));
  if (missing.length === 0) return;
  const lacks = `DATABASE_URL: sessions of '${role}' in '${database}' lack ${missing.join(', ')}`;
  const refresh = `on the pooler's console: RECONNECT ${database}`;
  if (isPrepared) return warn(`${lacks}, though the role has them; ${refresh}`);
  const statements = roleStatements(role, database).join('; ');
  throw new StartError(
    `${lacks}: run \`npm run cli -- migrate\`, or as an administrator: ${statements}; then ${refresh}`,
  );
}

/** The queue's schema matters only without Redis. */
const isBehind = async (databaseUrl: string, redis: Config['redis']): Promise<boolean> =>
  (
    await Promise.all([
      hasPendingMigrations(databaseUrl),
      redis === undefined && hasPendingQueueMigrations(databaseUrl),
    ])
  ).includes(true);

async function openEmbedded(dataDir: string, report: Report): Promise<OpenDatabase> {
  const { startEmbeddedDatabase } = await import('./embedded-database.js');
  report('starting the embedded PostgreSQL');
  const postgres = await startEmbeddedDatabase(dataDir);
  try {
    report('applying migrations');
    await migrate(postgres.url);
    await migrateQueue(postgres.url);
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Throws a `StartError` that names the server without the password in the URL. */
export function cannotUse(
  databaseUrl: string,
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL' = 'DATABASE_URL',
): (error: Error & { code?: string }) => never {
  return (error) => {
    const reason = error.message || error.code || error.name;
    const where = `the database at ${hostsOf(databaseUrl)}`;
    // PgBouncer's message about startup options
    const line = reason.includes('unsupported startup parameter')
      ? `${setting}: ${where} is a pooler (${reason}); give the server's own URL as DATABASE_DIRECT_URL`
      : `${setting}: cannot use ${where} (${reason})`;
    throw new StartError(line, { cause: error });
  };
}
