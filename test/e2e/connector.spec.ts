import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeAcme } from '@payment-orchestrator/provider-kit/example/fake-acme';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant } from '../support/app/merchant.js';
import { installKit, testOutput } from '../support/app/packed-kit.js';
import { BOOTSTRAP_CLIENT, builtFile, type RunningService, startService } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';

const run = promisify(execFile);

let folder: string;
let fake: FakeAcme;
let database: TestDatabase;
beforeAll(async () => {
  [folder, fake, database] = await Promise.all([temporaryFolder(), FakeAcme.start(), createTestDatabase()]);
  await installKit(folder);
  const example = join(folder, 'node_modules/@payment-orchestrator/provider-kit/dist/example');
  for (const name of ['connector', 'fake-acme', 'fixture', 'conformance.test'])
    cpSync(join(example, `${name}.js`), join(folder, `${name}.js`));
});
afterAll(async () => {
  await fake.stop();
  await database.drop();
});

it('the example of the packed kit passes the conformance run in another folder', async () => {
  const stdout = await testOutput(folder);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(stdout).toMatch(/^# pass [1-9]\d$/m);
});

describe('a connector in PROVIDER_MODULES', () => {
  let api: RunningService;
  let worker: RunningService;
  let merchant: Merchant;
  beforeAll(async () => {
    const env = { PROVIDER_MODULES: join(folder, 'connector.js'), ACME_API_BASE: fake.server.url };
    api = await startService({ entry: 'api', databaseUrl: database.url, env });
    worker = await startService({ entry: 'worker', databaseUrl: database.url, env });
    merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    const credentials = { provider: 'acme', provider_credentials: { api_key: 'acme_0123456789' } };
    const { id } = await merchant.createShop('Berlin', credentials);
    await merchant.createFlow('checkout', [id]);
    fake.notifications.endpoint = { url: `${api.url}/providers/acme/notifications/${id}` };
  });
  afterAll(() => Promise.all([api?.stop(), worker?.stop()]));

  const pay = (token: string) => merchant.pay('checkout', { payment_method: { token } });

  it('GET /providers lists the connector with its credentials', async () => {
    const { body } = await merchant.api.get('/providers');
    expect((body as { data: unknown[] }).data).toContainEqual({
      name: 'acme',
      credentials: [expect.objectContaining({ name: 'api_key', required: true })],
    });
  });

  it('the API charges through the connector', async () => {
    const payment = await pay('src_ok');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'acme' });
    const held = fake.charges.filter(({ id }) => id === payment.provider_transaction_id);
    expect(held).toMatchObject([{ status: 'paid', amount: 4_990, currency: 'EUR' }]);
  });

  it('the worker looks up through the connector after an unsigned notification', async () => {
    const payment = await pay('src_slow');
    expect(payment.status).toBe('processing');
    fake.settle(payment.provider_transaction_id, 'paid');
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
  });

  it('a notification that is none is refused with the connector’s reason', async () => {
    const answer = await fetch(fake.notifications.endpoint!.url, { method: 'POST', body: 'id=x' });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ field: 'id', message: 'must be the id of a charge' }] },
    ]);
  });

  it('both processes have series of the connector in their metrics', async () => {
    for (const url of [api.url, worker.workerUrl])
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/provider="acme"/);
  });

  // last: the provider does not come back
  it('a payment fails at once when no byte was sent to the provider', async () => {
    await fake.server.close();
    expect(await pay('src_ok')).toMatchObject({ status: 'failed' });
  });
});

it.each(['api', 'worker'])(
  'the %s does not start with a module for another port, and says so in one line',
  async (entry) => {
    const path = join(folder, 'newer.mjs');
    writeFileSync(path, `export default () => ({ portVersion: 2, name: 'newer' });`);
    const env = { PATH: process.env.PATH, ...SETTINGS, DATABASE_URL: database.url, PROVIDER_MODULES: './newer.mjs' };
    const failed = await run(process.execPath, [builtFile(`main-${entry}.js`)], { cwd: folder, env }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: `PROVIDER_MODULES: got './newer.mjs', made for version 2 of the port, takes portVersion 1\n`,
    });
  },
);
