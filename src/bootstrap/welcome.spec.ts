import { expect, it } from '@jest/globals';
import { SETTINGS } from '../../test/support/app/settings.js';
import { ApiClientsService } from '../auth/api-clients.service.js';
import { loadConfig } from '../platform/config/config.js';
import type { RunningApplication } from './start-application.js';
import { welcome } from './welcome.js';

const CREATED = { clientId: 'demo', clientSecret: 'shown once' };
const ADDRESS = 'http://127.0.0.1:3000';

/** The text that a start prints when the database has these clients, and has just got `created`. */
async function printed(env: Record<string, string>, created: object | null, known: object[] = []): Promise<string> {
  const services = (type: unknown) =>
    type === ApiClientsService ? { list: () => known } : { createDemoClient: () => created };
  const api = { app: { get: services }, address: ADDRESS } as unknown as RunningApplication;
  let text = '';
  await welcome([api], loadConfig({ ...SETTINGS, ...env }), (more) => (text += more));
  return text;
}

it('welcome prints nothing on a database of the operator', async () => {
  expect(await printed({ DATABASE_URL: 'postgres://h/d' }, CREATED)).toBe('');
});

it('welcome prints the addresses, the new client with its secret, and how to get a token', async () => {
  const text = await printed({ DATA_DIR: '/data' }, CREATED);
  for (const path of ['', '/console', '/docs']) expect(text).toMatch(new RegExp(`: +${ADDRESS}${path}\n`));
  expect(text).toContain('  client id:     demo\n');
  expect(text).toContain('  client secret: shown once\n');
  expect(text).toContain(`  curl -u 'demo:shown once' -d grant_type=client_credentials ${ADDRESS}/auth/token\n`);
});

it('welcome prints how to replace the secret of the first client that is not revoked, in a folder of any name', async () => {
  const known = [
    { clientId: 'revoked', revokedAt: new Date() },
    { clientId: 'known', revokedAt: null },
  ];
  const rotate = 'npm run cli -- client:rotate-secret known\n';
  expect(await printed({ DATA_DIR: '/data' }, null, known)).toContain(`  DATA_DIR=/data ${rotate}`);
  const text = await printed({ DATA_DIR: "/the folder of Ada's shop" }, null, known);
  expect(text).toContain(`  DATA_DIR='/the folder of Ada'\\''s shop' ${rotate}`);
  expect(text).not.toContain('secret: ');
});

it('welcome creates no client where the settings name one', async () => {
  const bootstrap = { BOOTSTRAP_CLIENT_ID: 'mine', BOOTSTRAP_CLIENT_SECRET: 'the secret of the first client' };
  expect(await printed({ DATA_DIR: '/data', ...bootstrap }, CREATED)).not.toContain('demo');
});
