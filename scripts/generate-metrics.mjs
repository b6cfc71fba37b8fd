// Writes docs/operate/metrics.md: `npm run docs:metrics`, after a build. It starts the API and the worker on their own embedded
// PostgreSQL, because the code that counts a metric registers it. test/integration/platform/metrics-page.spec.ts fails when the
// page is not current.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import prettier from 'prettier';
import { openDatabase } from '../dist/bootstrap/open-database.js';
import { startApplication, stopApplication } from '../dist/bootstrap/start-application.js';
import { loadConfig } from '../dist/platform/config/config.js';
import { createLogger } from '../dist/platform/observability/logger.js';
import { Metrics } from '../dist/platform/observability/metrics.js';
import { metricsPage } from './metrics-page.mjs';

const page = new URL('../docs/operate/metrics.md', import.meta.url);

async function described(role, config, databaseUrl) {
  const application = await startApplication(role, config, databaseUrl, createLogger(config.logLevel));
  const descriptions = application.app.get(Metrics).describe();
  await stopApplication(application);
  return descriptions;
}

const folder = mkdtempSync(join(tmpdir(), 'metrics-'));
// root's PostgreSQL runs as another account, which must be able to enter the folder
chmodSync(folder, 0o711);
try {
  const config = loadConfig({ DATA_DIR: folder, PORT: '0', WORKER_PORT: '0', LOG_LEVEL: 'silent' });
  const database = await openDatabase(config);
  try {
    const api = await described('api', config, database.url);
    const worker = await described('worker', config, database.url);
    const options = await prettier.resolveConfig(page);
    writeFileSync(page, await prettier.format(metricsPage({ api, worker }), { ...options, parser: 'markdown' }));
  } finally {
    await database.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
