import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/bootstrap/open-database.js';
import { ApiClient } from '../support/app/api-client.js';
import { testConfig } from '../support/app/application.js';
import { dataOf, Merchant } from '../support/app/merchant.js';
import { builtFile, preloading, startService } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { createEmptyDatabase } from '../support/servers/database.js';
import { startReceiver } from '../support/servers/receiver.js';
import { temporaryFolder } from '../support/servers/servers.js';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a main file and waits until it ends by itself. `openFiles` is its limit of file descriptors. */
function run(entry: string, env: Record<string, string>, openFiles: number): Promise<Ended> {
  return new Promise((resolve) => {
    const main = builtFile(`main-${entry}.js`);
    const child = spawn('sh', ['-c', `ulimit -n ${openFiles}; exec "$0" "$1"`, process.execPath, main], {
      env: { PATH: process.env.PATH, ...SETTINGS, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // not `exit`, which may come before the end of the output
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

const UNREACHABLE = 'postgres://127.0.0.1:1/none';

describe('a process that cannot start', () => {
  // all other wrong settings and their messages: src/platform/config/bad-settings.spec.ts
  it.each([
    ['worker', { DATABASE_URL: UNREACHABLE, WORKER_PORT: '70000' }, /^WORKER_PORT: .*\n$/, []],
    [
      'api',
      { DATABASE_URL: UNREACHABLE, HTTP_MAX_CONNECTIONS: '1000' },
      /^DATABASE_URL: .*\n$/,
      [{ process: 'api', limit: 1_500 }],
    ],
  ])(
    'reports why in one line and exits with 1, after a warning of few files: the %s',
    async (entry, env, line, files) => {
      const { code, stdout, stderr } = await run(entry, env, 1_500);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) });
      const warnings = stdout.split('\n').filter((each) => each.includes('too few file descriptors'));
      expect(warnings.map((each) => JSON.parse(each) as object)).toEqual(
        files.map((each) => expect.objectContaining(each)),
      );
    },
  );

  it('names pending migrations', async () => {
    const empty = await createEmptyDatabase();
    const opened = openDatabase(testConfig({ DATABASE_URL: empty.url }));
    await expect(opened).rejects.toThrow(/^DATABASE_URL: the database lacks migrations, run `npm run cli -- migrate`/);
    await empty.drop();
  });
});

it('npm start on a fresh folder pays with the credentials that it prints, loads nothing of OpenTelemetry, and finishes its work on SIGTERM', async () => {
  const [folder, receiver] = await Promise.all([temporaryFolder(), startReceiver()]);
  const listed = join(folder, 'listed');
  const service = await startService({
    entry: 'all',
    env: {
      DATA_DIR: join(folder, 'data'),
      JWT_SECRET: undefined,
      ENCRYPTION_KEY: undefined,
      BOOTSTRAP_CLIENT_ID: undefined,
      BOOTSTRAP_CLIENT_SECRET: undefined,
      PROVIDER_TIMEOUT_MS: '3000',
      WEBHOOK_TIMEOUT_MS: '30000',
      NODE_OPTIONS: preloading('listed-modules.mjs'),
      LISTED_MODULES: listed,
    },
  });
  const printed = (what: string) =>
    eventually(() => new RegExp(`${what}:\\s+(\\S+)`).exec(service.logs())?.[1] ?? false);
  const client = await ApiClient.login(service.url, await printed('client id'), await printed('client secret'));
  const merchant = new Merchant(client);
  await merchant.createFlow('checkout', [(await merchant.createShop('one')).id]);
  const webhook_endpoint = `${receiver.url}/hook`;
  await merchant.pay('checkout', { webhook_endpoint });
  await eventually(() => receiver.requests.length === 2);

  receiver.respondWith({ status: 500, delayMs: 300 });
  const charging = merchant.pay('checkout', { payment_method: { token: 'tok_timeout' } }); // the provider answers late
  await eventually(async () => dataOf<object[]>(await client.get('/payments?status=pending')).length === 1);
  await merchant.pay('checkout', { webhook_endpoint, payment_method: { token: 'tok_pending' } });
  await eventually(() => receiver.requests.length === 3);
  const exit = service.stop();
  expect([(await charging).status, await exit]).toEqual(['pending', 0]);
  expect(service.logs().match(/"msg":"webhook attempt".*"statusCode":500/g)).toHaveLength(1);
  await receiver.stop();

  const loaded = readFileSync(listed, 'utf8').split('\n');
  for (const root of ['api.module', 'worker.module']) {
    expect(loaded.filter((file) => file.includes(`/${root}.`))).toHaveLength(1);
  }
  expect(loaded.some((file) => /[/]pino[/.]/.test(file))).toBe(true);
  // prom-client loads @opentelemetry/api, which does nothing by itself
  const isOurs = (file: string) => /open-?telemetry/.test(file) && !file.includes('/@opentelemetry/api/');
  expect(loaded.filter(isOurs)).toEqual([]);
});
