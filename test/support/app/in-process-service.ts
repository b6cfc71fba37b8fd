import type { Pool } from 'pg';
import { openDatabase } from '../../../src/bootstrap/open-database.js';
import {
  type Role,
  type RunningApplication,
  startApplication,
  stopApplication,
} from '../../../src/bootstrap/start-application.js';
import { Database } from '../../../src/platform/database/database.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { tracing } from '../../../src/platform/tracing/tracing.js';
import { testConfig } from './application.js';
import { insertClient } from './insert-client.js';
import { BOOTSTRAP_CLIENT, type RunningService, rolesOf, type ServiceOptions } from './service.js';

type InProcessOptions = ServiceOptions & { databaseUrl: string };

/** A service for tests that do not need its process: it cannot be killed. */
export type InProcessService = Omit<RunningService, 'pid' | 'kill'>;

/**
 * The applications of dist/main-<entry>.js in the test's process, on free ports, set up like in `run`. This takes a
 * tenth of the CPU time of a separate process. NestJS's logger writes to the service that was started last. It sends no
 * traces unless the test starts tracing, which is global. The first
 * client is inserted here, because the service would take 80 ms of CPU time for its secret, and again for each token.
 */
export async function startServiceInProcess({
  entry,
  databaseUrl,
  redisUrl,
  env,
}: InProcessOptions): Promise<InProcessService> {
  const config = testConfig({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...env });
  let logs = '';
  const logger = createLogger(config.logLevel, { write: (line) => void (logs += line) }, () => tracing.ids() ?? {});
  const { url } = await openDatabase(config);
  const running: RunningApplication[] = [];
  for (const role of rolesOf(entry)) running.push(await startApplication(role, config, url, logger));
  for (const { role, app } of running) {
    if (role === 'api') await ensureFirstClient(app.get(Database, { strict: false }).pool);
  }
  const listening = (role: Role): string => {
    const found = running.find((application) => application.role === role);
    if (found === undefined) throw new Error(`${entry} has no ${role}`);
    return found.address;
  };
  return {
    get url() {
      return listening('api');
    },
    get workerUrl() {
      return listening('worker');
    },
    logs: () => logs,
    stop: async () => {
      await Promise.all(running.map(stopApplication));
      return 0;
    },
  };
}

async function ensureFirstClient(pool: Pool): Promise<void> {
  const { rowCount } = await pool.query('SELECT FROM api_clients WHERE client_id = $1', [BOOTSTRAP_CLIENT.id]);
  if (rowCount === 0) await insertClient({ pool }, BOOTSTRAP_CLIENT);
}
