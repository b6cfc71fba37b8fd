import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  UnsupportedPlatformError,
  UnusableFolderError,
} from '@payment-orchestrator/embedded-postgres';
import { ConfigError } from '../platform/config/config-error.js';

/** The embedded PostgreSQL of `dataDir`. Throws a `ConfigError` that names the setting to change. */
export const startEmbeddedDatabase = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir }).catch((error: unknown) => {
    if (error instanceof UnusableFolderError) throw new ConfigError('DATA_DIR', error.folder, error.needs);
    if (!(error instanceof UnsupportedPlatformError)) throw error;
    throw new ConfigError('DATABASE_URL', undefined, `the URL of a PostgreSQL server, as ${error.message}`);
  });
