import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { ApiClient } from '../support/app/api-client.js';
import { dataOf } from '../support/app/merchant.js';
import { quickstartFiles } from '../support/app/quickstart-files.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.mjs';
import { forgetProcess, rememberProcess } from '../support/servers/servers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let database: TestDatabase;
let service: InProcessService;
let folder: string;
let env: Record<string, string>;
const processes: ManagedProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  // Receivers are processes of their own in this test, and a busy machine may delay them. The slow case of a
  // conformance run waits for almost half of this timeout.
  service = await startServiceInProcess({
    entry: 'all',
    databaseUrl: database.url,
    env: { WEBHOOK_TIMEOUT_MS: '12000' },
  });
  ({ folder } = await quickstartFiles());
  writeFileSync(join(folder, '.env'), `CLIENT_ID=${BOOTSTRAP_CLIENT.id}\nCLIENT_SECRET=${BOOTSTRAP_CLIENT.secret}\n`);
  env = { BASE_URL: service.url, PORT: String(await freePort()) };
});
afterAll(async () => {
  for (const process of processes) await process.kill();
  await service.stop();
  await database.drop();
});

function spawn(...args: string[]): ManagedProcess {
  const process = ManagedProcess.spawn({ name: args.at(-1)!, args, cwd: folder, env });
  rememberProcess(process.pid);
  process.child.once('exit', () => forgetProcess(process.pid));
  processes.push(process);
  return process;
}

/** Runs a file of the page to its end. */
async function run(file: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const process = spawn('--env-file=.env', file, ...args);
  // not `exit`, which may come before the end of the output
  await once(process.child, 'close');
  return { code: process.child.exitCode, output: process.log() };
}

const printed = (process: ManagedProcess, line: string | RegExp) => eventually(() => process.log().search(line) >= 0);

it('the steps of docs/start/quickstart.md work', async () => {
  expect(await run('setup.mjs')).toMatchObject({ code: 0, output: expect.stringMatching(/shop \d+/) });
  const settings = readFileSync(join(folder, '.env'), 'utf8');
  const [, secret] = /WEBHOOK_SECRET=(\S+)/.exec(settings)!;

  const own = `whsec_${randomBytes(32).toString('base64')}`;
  appendFileSync(join(folder, '.env'), `ENDPOINT_SECRET=${own}\n`);
  const receiver = spawn('--env-file=.env', 'receiver.mjs');
  await printed(receiver, 'waiting for webhooks');
  const endpoint = `http://127.0.0.1:${env['PORT']}/webhooks`;

  const credentials = ['--client-id', BOOTSTRAP_CLIENT.id, '--client-secret', BOOTSTRAP_CLIENT.secret];
  const target = ['--url', service.url, '--forward-to', endpoint, '--secret', secret!];
  const listen = spawn(join(root, 'dist/cli/main.js'), 'listen', ...credentials, ...target);
  await printed(listen, 'connected');
  const [, unreached] = /payment (\d+) is completed/.exec((await run('pay.mjs')).output)!;
  await printed(receiver, `payment ${unreached} is completed`);
  expect(receiver.log()).toContain(`payment ${unreached} is processing`);
  expect(await listen.stop()).toBe(0);

  const [, reached] = /payment (\d+) is completed/.exec((await run('pay.mjs', endpoint)).output)!;
  await printed(receiver, `payment ${reached} is completed`);

  // a move to a standing endpoint: both deliver, and the receiver handles each change once
  const client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  const standing = dataOf<{ id: number }>(await client.post('/webhooks/endpoints', { url: endpoint, secret: own }));
  const [, moving] = /payment (\d+) is completed/.exec((await run('pay.mjs', endpoint)).output)!;
  await eventually(async () => {
    const deliveries = dataOf<{ status: string }[]>(await client.get(`/webhooks/deliveries?payment_id=${moving}`));
    expect(deliveries.map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
  });
  expect(receiver.log().match(new RegExp(`^payment ${moving} is `, 'gm'))).toHaveLength(2);
  expect(receiver.log()).not.toContain('refused: ');
  await client.delete(`/webhooks/endpoints/${standing.id}`);

  expect((await run('why.mjs')).output).toMatch(/^valid\nreserialized_body: \S/);

  const { code, output } = await run('conformance.mjs', endpoint);
  expect(output).not.toContain('FAIL');
  expect([code, output.match(/^pass /gm)!.length > 10]).toEqual([0, true]);
  await printed(receiver, 'refused: timestamp_too_old');
  await printed(receiver, /^.*sample: payment 0 is completed$/m);
  expect(receiver.log()).not.toMatch(/payment 0 is processing|(?<!sample: )payment 0 is/);
  expect(output).not.toMatch(/Only 208 shows/);

  const lines = (await run('ship.mjs')).output;
  expect(lines).toMatch(/payment \d+ is processing, authorized 49\.9\n/);
  expect(lines).toMatch(/payment \d+ is completed, captured 39\.9\n/);
  expect(lines).toMatch(/refund \d+ is succeeded; payment \d+ is completed, refunded 10\n/);

  expect((await run('failover.mjs')).output).toMatch(/^payment \d+ is completed at two\n$/);
});
