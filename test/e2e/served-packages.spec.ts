import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { request } from 'undici';
import { VERSION } from '../../src/platform/config/config.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { root } from '../support/deploy/settings.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';

const run = promisify(execFile);
const PACKAGES = ['client', 'provider-kit', 'receiver', 'routing'];
const DOCS_TOKEN = 'token-of-the-docs-0123456789';

let database: TestDatabase;
let api: InProcessService;
let guarded: InProcessService;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url });
  guarded = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env: { DOCS_TOKEN } });
  folder = await project(`//${new URL(guarded.url).host}/packages/:_authToken=${DOCS_TOKEN}\n`);
  await install(folder, ...PACKAGES.map((name) => `${guarded.url}/packages/${name}.tgz`));
});
afterAll(async () => {
  await Promise.all([api?.stop(), guarded?.stop()]);
  await database.drop();
});

/** A new folder, as in the project of an integrator. */
async function project(npmrc: string): Promise<string> {
  const made = await temporaryFolder();
  writeFileSync(join(made, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  writeFileSync(join(made, '.npmrc'), npmrc);
  return made;
}

/** Installs with a registry address on which nothing listens, and with an empty cache. */
const install = (cwd: string, ...packages: string[]) => {
  const env = { PATH: process.env.PATH, npm_config_cache: join(cwd, 'cache'), npm_config_fetch_retries: '0' };
  const options = ['--registry', 'http://127.0.0.1:9', '--no-audit', '--no-fund'];
  return run('npm', ['install', ...options, ...packages], { cwd, env });
};

const installed = (name: string, file: string) =>
  readFileSync(join(folder, 'node_modules/@payment-orchestrator', name, file), 'utf8');

describe.each(PACKAGES)('/packages/%s.tgz', (name) => {
  const path = `/packages/${name}.tgz`;

  it('needs no token, and is revalidated by its ETag', async () => {
    const answer = await fetch(api.url + path);
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      200,
      { 'content-type': 'application/gzip', 'cache-control': 'no-cache', etag: expect.stringMatching(/"\S+"/) },
    ]);
    // not with fetch, which asks for a fresh answer when the request is conditional
    const again = await request(api.url + path, { headers: { 'if-none-match': answer.headers.get('etag')! } });
    expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
    const head = await fetch(api.url + path, { method: 'HEAD' });
    expect([head.status, Number(head.headers.get('content-length'))]).toEqual([
      200,
      (await answer.arrayBuffer()).byteLength,
    ]);
    expect((await fetch(api.url + path, { method: 'POST' })).status).toBe(405);
  });

  it('carries the version of the service', () => {
    expect(JSON.parse(installed(name, 'package.json'))).toMatchObject({ version: VERSION });
  });

  it('requires DOCS_TOKEN if the document requires it', async () => {
    for (const method of ['GET', 'HEAD']) {
      expect((await fetch(guarded.url + path, { method })).status).toBe(401);
      const headers = { authorization: `Bearer ${DOCS_TOKEN}` };
      expect((await fetch(guarded.url + path, { method, headers })).status).toBe(200);
    }
  });
});

describe('the installed packages', () => {
  it('work in an empty folder without a registry, with DOCS_TOKEN in .npmrc', async () => {
    const program = `
      import { createClient } from '@payment-orchestrator/client';
      import { verify } from '@payment-orchestrator/receiver';
      import { webhooks } from '@payment-orchestrator/receiver/express';
      const client = createClient({
        baseUrl: '${api.url}',
        credentials: { clientId: '${BOOTSTRAP_CLIENT.id}', clientSecret: '${BOOTSTRAP_CLIENT.secret}' },
      });
      const { data } = await client.post('/shops', { body: { name: 'Berlin' } });
      console.log(data.name, typeof verify, typeof webhooks);`;
    writeFileSync(join(folder, 'program.js'), program);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder });
    expect(stdout).toBe('Berlin function function\n');
  });

  it('the client has the programs flows and listen', async () => {
    for (const name of ['flows.yaml', 'tests.yaml']) {
      copyFileSync(join(root, 'examples/flows-as-code', name), join(folder, name));
    }
    const program = (name: string) => join(folder, 'node_modules/.bin', name);
    const test = await run(program('flows'), ['test', 'flows.yaml', 'tests.yaml'], { cwd: folder });
    expect(test.stdout).toMatch(/^flow checkout\n( {2}ok .*\n){4}4 hold, 0 fail\n$/);
    await expect(run(program('flows'), ['test', 'package.json'], { cwd: folder })).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('unknown field name'),
    });
    const help = await run(program('listen'), ['--help'], { cwd: folder });
    expect(help.stdout).toContain('Usage: listen');
  });

  it('contain the types of the document, which has the same version', async () => {
    // openapi-document.spec.ts checks that the types of the source are those of the document that the service serves
    expect(await (await fetch(`${api.url}/openapi.json`)).json()).toMatchObject({ info: { version: VERSION } });
    const source = readFileSync(join(root, 'packages/client/src/schema.ts'), 'utf8');
    expect(installed('client', 'dist/schema.d.ts') === declarationOf(source)).toBe(true);
  });

  it('compile in a strict TypeScript project', async () => {
    const program = `
      import { createClient, type Schema } from '@payment-orchestrator/client';
      import { isPaymentStatusChanged, verify } from '@payment-orchestrator/receiver';
      const client = createClient({ baseUrl: '', credentials: { token: '' } });
      export const amount: Promise<number> = client
        .get('/payments/{id}', { params: { path: { id: 1 } } })
        .then(({ data }: { data: Schema<'Payment'> }) => data.amount);
      export const verified = verify('', {}, '').then((event) => isPaymentStatusChanged(event) && event.payment.status);
      // @ts-expect-error the body lacks a name
      void client.post('/shops', { body: {} });`;
    writeFileSync(join(folder, 'program.ts'), program);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    const checked = await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe('');
  });
});

/** Returns the declarations of the client as tsc writes them. */
const declarationOf = (source: string): string =>
  ts.transpileDeclaration(source, { compilerOptions: { target: ts.ScriptTarget.ES2022 } }).outputText;
