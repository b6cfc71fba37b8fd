import { databaseAddress } from './database-url.js';
import { ConfigError, type EnvReader } from './env-reader.js';

/** How the service reaches PostgreSQL. */
export interface DatabaseSettings {
  /** One or several hosts; `undefined`: an embedded PostgreSQL under `dataDir`. */
  databaseUrl: string | undefined;
  /** Of the server itself, where `databaseUrl` is a pooler in transaction mode; `undefined`: `databaseUrl` is the server. */
  databaseDirectUrl: string | undefined;
  /** Of a standby that answers reads which decide nothing; `undefined`: there is none. */
  databaseReplicaUrl: string | undefined;
  /** A standby that is further behind is not asked. */
  databaseReplicaMaxLagMs: number;
  databasePoolSize: number;
  /** After which a connection is replaced once it is idle; 0: never. */
  databaseMaxLifetimeSeconds: number;
}

export function databaseSettings(read: EnvReader): DatabaseSettings {
  const databaseUrl = urlOf(read, 'DATABASE_URL');
  return {
    databaseUrl,
    databaseDirectUrl: besideDatabaseUrl(read, 'DATABASE_DIRECT_URL', databaseUrl),
    databaseReplicaUrl: besideDatabaseUrl(read, 'DATABASE_REPLICA_URL', databaseUrl),
    databaseReplicaMaxLagMs: read.integer('DATABASE_REPLICA_MAX_LAG_MS', 5_000, 100, 3_600_000),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    databaseMaxLifetimeSeconds: read.integer('DATABASE_MAX_LIFETIME_SECONDS', 1_800, 0, 86_400),
  };
}

function urlOf(read: EnvReader, name: string): string | undefined {
  const url = read.optional(name);
  if (url !== undefined) databaseAddress(name, url);
  return url;
}

function besideDatabaseUrl(read: EnvReader, name: string, databaseUrl: string | undefined): string | undefined {
  const url = urlOf(read, name);
  if (url === undefined || databaseUrl !== undefined) return url;
  throw new ConfigError('DATABASE_URL', undefined, `the URL of a PostgreSQL, as ${name} is set`);
}
