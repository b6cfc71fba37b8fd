import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { ApiClient } from '../support/app/api-client.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/servers/servers.js';
import { builtFile, startService } from '../support/app/service.js';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a main file and waits until it ends by itself. `openFiles` is its limit of file descriptors. */
function run(entry: string, env: Record<string, string>, openFiles?: number): Promise<Ended> {
  const main = fileURLToPath(new URL(`../../dist/main-${entry}.js`, import.meta.url));
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles};`;
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `${limit} exec "$0" "$1"`, process.execPath, main], {
      env: { PATH: process.env.PATH, ...env },
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

describe('a process that cannot start', () => {
  let database: TestDatabase;
  let empty: TestDatabase;
  const good = () => ({
    DATABASE_URL: database.url,
    JWT_SECRET: 'a-secret-that-is-long-enough-for-hs256',
    ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
    PORT: '0',
    WORKER_PORT: '0',
  });

  beforeAll(async () => {
    [database, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  });
  afterAll(() => Promise.all([database.drop(), empty.drop()]));

  // all other wrong settings and their messages: src/platform/config/bad-settings.spec.ts
  it.each([
    ['WORKER_PORT', '70000'],
    ['DATABASE_URL', 'postgres://127.0.0.1:1/none'],
    ['JWT_PRIVATE_KEY', 'no key'],
  ])('reports %s=%j in one line and exits with 1', async (setting, value) => {
    const entry = setting === 'WORKER_PORT' ? 'worker' : 'api';
    const { code, stderr } = await run(entry, { ...good(), LOG_LEVEL: 'silent', [setting]: value });
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain(setting);
  });

  it.each([
    ['api', 1_521, [{ process: 'api', limit: 1_521, needed: 1_522 }]],
    ['api', 1_522, []],
    ['worker', 2_000, [{ process: 'worker', limit: 2_000, needed: 3_565 }]],
  ])(
    'the %s with %d file descriptors first logs whether its settings may need more',
    async (entry, limit, expected) => {
      const settings = { ...good(), DATABASE_URL: 'postgres://127.0.0.1:1/none', HTTP_MAX_CONNECTIONS: '1000' };
      const { stdout } = await run(entry, settings, limit);
      const lines = stdout.split('\n').filter((line) => line.includes('too few file descriptors'));
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
        expected.map((each) => expect.objectContaining(each)),
      );
    },
  );

  it.each(['api', 'worker'])('the %s reports pending migrations', async (entry) => {
    const { code, stderr } = await run(entry, { ...good(), DATABASE_URL: empty.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/migrat/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('npm start on a fresh folder', () => {
  it('creates a demo client once, with credentials that work after a restart too', async () => {
    const env = {
      DATA_DIR: join(await temporaryFolder(), "the folder of Ada's shop"),
      JWT_SECRET: undefined,
      ENCRYPTION_KEY: undefined,
      BOOTSTRAP_CLIENT_ID: undefined,
      BOOTSTRAP_CLIENT_SECRET: undefined,
      WEBHOOK_ALLOWED_NETWORKS: undefined,
    };
    const first = await startService({ entry: 'all', env });
    const printed = (what: string) =>
      eventually(() => new RegExp(`${what}:\\s+(\\S+)`).exec(first.logs())?.[1] ?? false);
    const [id, secret] = [await printed('client id'), await printed('client secret')];
    const shops = await (await ApiClient.login(first.url, id, secret)).get('/shops');
    expect(shops.body).toEqual({ success: true, data: [], pagination: { next_cursor: null, has_more: false } });
    expect(await first.stop()).toBe(0);

    const second = await startService({ entry: 'all', env });
    expect(second.logs()).not.toContain(secret);
    await ApiClient.login(second.url, id, secret);
    // as printed, in a folder without a database of the service
    const line = await eventually(() =>
      /^ *(DATA_DIR=.* npm run cli -- client:rotate-secret .*)$/m.exec(second.logs()),
    );
    expect(line[1]).toContain(String(id));
    const rotate = line[1]!.replace('npm run cli --', `node ${builtFile('cli', 'main.js')}`);
    const options = { cwd: await temporaryFolder(), env: { PATH: process.env.PATH } };
    const { stdout } = await promisify(execFile)('sh', ['-c', rotate], options);
    await ApiClient.login(second.url, id, /client secret: +(\S+)/.exec(stdout)![1]!);
    expect(await second.stop()).toBe(0);
  });
});
