import type { Logger } from 'pino';
import { StartError } from '../platform/config/config-error.js';
import type { Config } from '../platform/config/config.js';
import { withClient } from '../platform/database/connection.js';
import { SHOPS } from '../shared/relations.js';

/** $1 names of the providers that are loaded → the others that shops use */
const ABSENT = `SELECT provider, count(*)::int AS shops FROM ${SHOPS} shop WHERE provider <> ALL ($1) GROUP BY provider ORDER BY provider`;

interface AbsentProvider {
  provider: string;
  shops: number;
}

/**
 * The providers that shops use and that are not `loaded`. Throws a `StartError` that names them, or with `warn` only
 * logs them: payments of these shops are not recovered.
 */
export async function absentProviders(
  databaseUrl: string,
  loaded: readonly string[],
  action: Config['onAbsentProvider'],
  logger: Pick<Logger, 'warn'>,
): Promise<string[]> {
  const { rows } = await withClient(databaseUrl, undefined, (client) => client.query<AbsentProvider>(ABSENT, [loaded]));
  if (rows.length === 0) return [];
  const named = rows
    .map(({ provider, shops }) => `${provider} (${shops} ${shops === 1 ? 'shop' : 'shops'})`)
    .join(', ');
  if (action === 'refuse')
    throw new StartError(
      `PROVIDER_MODULES: lacks the module of ${named}; add it, or set PROVIDER_MODULES_ABSENT=warn to start without`,
    );
  logger.warn({ providers: rows }, `shops are unavailable: PROVIDER_MODULES lacks the module of ${named}`);
  return rows.map(({ provider }) => provider);
}
