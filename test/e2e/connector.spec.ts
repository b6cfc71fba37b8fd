import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeAcme, signAcme } from '@payment-orchestrator/provider-kit/example/fake-acme';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { installKit, testOutput } from '../support/app/packed-kit.js';
import { BOOTSTRAP_CLIENT, builtFile } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.mjs';
import { temporaryFolder } from '../support/servers/servers.js';

const SECRET = 'sign_0123456789';
const ACME = { provider: 'acme', provider_credentials: { api_key: 'acme_0123456789', signing_secret: SECRET } };

const run = promisify(execFile);

/** Has the packed kit, with its example in `acme`. */
let folder: string;
let acme: FakeAcme;
let database: TestDatabase;
let service: InProcessService;
let merchant: Merchant;
beforeAll(async () => {
  [folder, acme, database] = await Promise.all([temporaryFolder(), FakeAcme.start(), createTestDatabase()]);
  await installKit(folder);
  const example = join(folder, 'node_modules/@payment-orchestrator/provider-kit/dist/example');
  mkdirSync(join(folder, 'acme'));
  for (const name of ['api', 'charges', 'connector', 'events', 'fake-acme', 'fixture', 'conformance.test'])
    cpSync(join(example, `${name}.js`), join(folder, 'acme', `${name}.js`));
  const port = String(await freePort());
  const env = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PROVIDER_MODULES: join(folder, 'acme/connector.js'),
    ACME_API_BASE: acme.server.url,
  };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  await merchant.createFlow('acme', [(await merchant.createShop('acme', ACME)).id]);
});
afterAll(async () => {
  await service?.stop();
  await acme?.stop();
  await database?.drop();
});

it('the example passes the conformance run with the packed kit, in a folder outside of the repository', async () => {
  const output = await testOutput(folder);
  expect(output).toMatch(/^# fail 0$/m);
  expect(output).toMatch(/^# pass 1[3-9]\d$/m);
});

const becomes = (payment: PaymentAnswer, expected: object) =>
  eventually(async () => expect(await merchant.payment(payment.id)).toMatchObject(expected));

describe('the example of the kit in PROVIDER_MODULES', () => {
  const pay = (token: string) => merchant.pay('acme', { payment_method: { token } });
  let notificationUrl: string;
  beforeAll(async () => {
    const shops = dataOf<{ id: number; provider: string }[]>(await merchant.api.get('/shops'));
    const { id } = shops.find(({ provider }) => provider === 'acme')!;
    notificationUrl = `${service.url}/providers/acme/notifications/${id}`;
    acme.notifications.endpoint = { url: notificationUrl, secret: SECRET };
  });

  it('GET /providers lists the connector with its credentials', async () => {
    const { body } = await merchant.api.get('/providers');
    expect((body as { data: unknown[] }).data).toContainEqual({
      name: 'acme',
      credentials: [
        expect.objectContaining({ name: 'api_key', required: true }),
        expect.objectContaining({ name: 'signing_secret', required: false }),
      ],
    });
  });

  // one sequence: the provider does not come back
  it('charges in the API, completes by a signed notification, and fails at once without a byte sent', async () => {
    const payment = await pay('src_ok');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'acme' });
    const held = acme.charges.filter(({ id }) => id === payment.provider_transaction_id);
    expect(held).toMatchObject([{ status: 'paid', amount: 4_990, currency: 'EUR' }]);

    const slow = await pay('src_slow');
    expect(slow.status).toBe('processing');
    acme.settle(slow.provider_transaction_id, 'paid');
    await becomes(slow, { status: 'completed' });

    await acme.server.close();
    expect(await pay('src_ok')).toMatchObject({ status: 'failed' });
  });

  it('a notification that is none is refused with the connector’s reason', async () => {
    const { rawBody, headers } = signAcme('{"id":"evt_1"}', SECRET);
    const answer = await fetch(notificationUrl, { method: 'POST', headers, body: rawBody });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ field: 'type', message: 'must be a text' }] },
    ]);
  });

  it('API and worker have series of the connector in their metrics', async () => {
    for (const url of [service.url, service.workerUrl])
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/provider="acme"/);
  });
});

/** Starts a worker whose output goes to pipes, as in a container; returns how it failed. */
const failedStart = async (env: Record<string, string>) =>
  run(process.execPath, [builtFile('main-worker.js')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...SETTINGS, ...env },
  }).catch((error: { code: number; stderr: string; stdout: string }) => error);

it('a process loads a module whose kit is reached by a symbolic link, and says in one line before it opens the database that it is made for another port', async () => {
  const scope = join(folder, 'linked/node_modules/@payment-orchestrator');
  mkdirSync(scope, { recursive: true });
  symlinkSync(fileURLToPath(new URL('../../packages/provider-kit', import.meta.url)), join(scope, 'provider-kit'));
  writeFileSync(
    join(folder, 'linked/newer.mjs'),
    `import { PORT_VERSION } from '@payment-orchestrator/provider-kit';
    export default () => ({ portVersion: PORT_VERSION + 1, name: 'newer' });`,
  );
  const databaseUrl = `postgres://unused@127.0.0.1:${await freePort()}/none`;
  expect(await failedStart({ DATABASE_URL: databaseUrl, PROVIDER_MODULES: './linked/newer.mjs' })).toMatchObject({
    code: 1,
    stderr: `PROVIDER_MODULES: got './linked/newer.mjs', made for version 3 of the port, takes portVersion 2\n`,
    stdout: '',
  });
});

it('a process does not start without the modules of shops', async () => {
  expect(await failedStart({ DATABASE_URL: database.url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PROVIDER_MODULES: lacks the module of acme (1 shop)'),
  });
});
