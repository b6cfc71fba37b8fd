import { ConfigError } from './config-error.js';
import type { EnvReader } from './env-reader.js';

/** How the service reaches PostgreSQL. */
export function databaseSettings(read: EnvReader) {
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (read.get(name) !== undefined && !read.isSet('DATABASE_URL'))
      throw new ConfigError('DATABASE_URL', undefined, `the URL of a PostgreSQL, as ${name} is set`);
  }
  return {
    /** One or several hosts; `undefined`: an embedded PostgreSQL under `dataDir`. */
    databaseUrl: read.get('DATABASE_URL'),
    databaseDirectUrl: read.get('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: read.get('DATABASE_REPLICA_URL'),
    databaseReplicaMaxLagMs: read.get('DATABASE_REPLICA_MAX_LAG_MS'),
    databasePoolSize: read.get('DATABASE_POOL_SIZE'),
    databaseMaxLifetimeSeconds: read.get('DATABASE_MAX_LIFETIME_SECONDS'),
  };
}
