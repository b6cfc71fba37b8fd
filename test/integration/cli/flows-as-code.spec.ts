import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { insertClient } from '../../support/app/insert-client.js';
import { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { builtFile } from '../../support/app/service.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const example = fileURLToPath(new URL('../../../examples/flows-as-code/', import.meta.url));

interface Workflow {
  jobs: Record<'plan' | 'apply', { steps: { run?: string }[] }>;
}

let api: TestApi;
let merchant: Merchant;
let folder: string;
let env: Record<string, string>;
let workflow: Workflow;

beforeAll(async () => {
  api = await sharedApi();
  const client = await insertClient(api.database);
  merchant = new Merchant(await ApiClient.login(api.url, client.id, client.secret));
  for (const name of ['Berlin', 'Paris']) await merchant.createShop(name);
  folder = await temporaryFolder();
  await cp(example, folder, { recursive: true });
  workflow = parse(await readFile(join(folder, '.github/workflows/flows.yml'), 'utf8')) as Workflow;
  env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    CLI: `node ${builtFile('cli', 'main.js')}`,
    ...{ FLOWS_URL: api.url, FLOWS_CLIENT_ID: client.id, FLOWS_CLIENT_SECRET: client.secret },
    ...{ GITHUB_STEP_SUMMARY: 'summary.txt', GITHUB_SHA: 'a1b2c3' },
  };
});
afterAll(() => api.stop());

/** Runs a command of the workflow as its shell does, in the repository. */
const shell = (command: string): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', command],
      { cwd: folder, env },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

async function job(name: 'plan' | 'apply'): Promise<{ code: number; out: string; err: string }> {
  const commands = workflow.jobs[name].steps.flatMap(({ run }) => run ?? []);
  return shell(commands.join('\n'));
}

/** Runs a command in this process, which saves the start of one. */
async function cli(...args: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const write = (text: string) => (out += text);
  const code = await runCommandLine(args, { environment: () => env, out: write, err: write });
  return { code, out };
}

describe('examples/flows-as-code', () => {
  it('plans and applies the file, then a change of it, and is what export writes', async () => {
    const path = join(folder, 'flows.yaml');
    const created = { code: 2, out: expect.stringContaining('flow checkout: create\n') };
    expect(await cli('flows', 'plan', '--file', path)).toEqual(created);
    expect(await job('apply')).toEqual({ code: 0, out: 'flow checkout: created, version 1\n', err: '' });
    const file = await readFile(path, 'utf8');
    expect(await cli('flows', 'export')).toEqual({ code: 0, out: file });

    await writeFile(path, file.replace('weight: 3', 'weight: 5'));
    expect(await job('plan')).toEqual({ code: 0, out: '', err: '' });
    const summary = await readFile(join(folder, 'summary.txt'), 'utf8');
    expect(summary).toMatch(/^flow checkout\n {2}ok {4}assertions\[0\]\n( {2}ok .*\n){3}4 hold, 0 fail\n/);
    expect(summary).toMatch(/-\s+weight: 3\n\s+\+\s+weight: 5\n/);
    expect(summary).toContain('assertions: all 1 hold\n');
    expect(await job('apply')).toEqual({ code: 0, out: 'flow checkout: activated, version 2\n', err: '' });
    expect((await cli('flows', 'plan', '--file', path)).code).toBe(0);
    const [flow] = dataOf<{ id: number }[]>(await merchant.api.get('/flows'));
    const [newest] = dataOf<object[]>(await merchant.api.get(`/flows/${flow!.id}/versions`));
    expect(newest).toMatchObject({ version: 2, reason: 'commit a1b2c3' });

    await writeFile(path, file.replace('weight: 3', 'weight: 7'));
    const [part] = /^\$CLI flows apply .*$/m.exec(await readFile(join(folder, 'README.md'), 'utf8'))!;
    expect(await shell(part)).toEqual({ code: 0, out: 'flow checkout: rolling out, version 3\n', err: '' });
    const [rollout] = dataOf<object[]>(await merchant.api.get(`/flows/${flow!.id}/rollouts`));
    expect(rollout).toMatchObject({ percent: 5, when: { country: { equals: 'DE' } }, reason: 'commit a1b2c3' });

    await writeFile(path, file.replace('- Paris', '- Berlin'));
    expect(await job('plan')).toMatchObject({ code: 2, err: '' });
    expect(await readFile(join(folder, 'summary.txt'), 'utf8')).toContain('rules[0].use.shops');

    await writeFile(path, file.replace('- shop: Paris', '- shop: Rome'));
    const unknown = { code: 1, out: expect.stringContaining('no shop is called Rome') };
    expect(await cli('flows', 'plan', '--file', path)).toEqual(unknown);
  });
});
