// Starts a shop with its payment service and two providers, all on this machine: `npm run checkout`.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@payment-orchestrator/client';
import { ManagedProcess } from '../../dist/cli/demo/managed-process.js';
import { freePort } from '../../test/support/servers/free-port.mjs';
import { startBackend } from './backend.js';
import { startProviders } from './providers.js';
import { createFlow, createShops } from './setup.js';

const START_TIMEOUT_MS = 120_000;

console.log('Starting; on a slow machine this takes half a minute ...');
const providers = await startProviders();
const dataDir = await mkdtemp(join(tmpdir(), 'checkout-'));
await chmod(dataDir, 0o711); // for root, PostgreSQL runs as another account, which must have access
const credentials = { clientId: 'checkout', clientSecret: randomBytes(24).toString('base64url') };
const serviceUrl = `http://127.0.0.1:${await freePort()}`;
const service = ManagedProcess.spawn({
  name: 'the service',
  args: [fileURLToPath(new URL('../../dist/main-all.js', import.meta.url))],
  env: {
    DATA_DIR: dataDir,
    PORT: new URL(serviceUrl).port,
    WORKER_PORT: '0',
    PUBLIC_URL: serviceUrl,
    STRIPE_API_BASE: providers.stripe.url,
    ADYEN_API_BASE: providers.adyen.url,
    BOOTSTRAP_CLIENT_ID: credentials.clientId,
    BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  },
  detached: true,
});

let backend;
let stopping;
const stop = (code) => (stopping ??= stopAll(code));
async function stopAll(code) {
  backend?.server.close();
  backend?.server.closeAllConnections();
  await service.stop();
  await providers.close();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));

try {
  await service.ready(START_TIMEOUT_MS, () => [serviceUrl, service.address('worker')]);
  const client = createClient({ baseUrl: serviceUrl, credentials });
  const shops = await createShops(client, providers);
  await createFlow(client, shops);
  providers.notify(serviceUrl, shops);
  backend = await startBackend({ client, shops, providers: providers.publicSettings, port: process.env.PORT ?? 4000 });
  console.log(`The shop is open: ${backend.url}`);
} catch (error) {
  console.error(error);
  await stop(1);
}
