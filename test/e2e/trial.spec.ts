import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ManagedProcess } from '../../src/cli/managed-process.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { root } from '../support/deploy/settings.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.mjs';
import { forgetProcess, rememberProcess } from '../support/servers/servers.js';

let database: TestDatabase;
let service: InProcessService;
let receiver: ManagedProcess;
let receiverUrl: string;

/** As docker-compose.yml has them with .env.local-trial, but that all of it is on one machine, API and worker in the test's process. */
beforeAll(async () => {
  const trial = parseEnv(readFileSync(join(root, '.env.local-trial'), 'utf8'));
  const networks = `${trial['WEBHOOK_ALLOWED_NETWORKS']},127.0.0.0/8`;
  const env = { ...trial, WEBHOOK_ALLOWED_NETWORKS: networks, MANAGEMENT_PORT: undefined };
  database = await createTestDatabase();
  const port = await freePort();
  receiverUrl = `http://127.0.0.1:${port}`;
  receiver = ManagedProcess.spawn({
    name: 'receiver',
    args: [join(root, 'deploy/trial/receiver.mjs')],
    env: { PORT: String(port) },
  });
  rememberProcess(receiver.pid);
  receiver.child.once('exit', () => forgetProcess(receiver.pid));
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
});
afterAll(async () => {
  await Promise.all([service?.stop(), receiver?.stop()]);
  await database?.drop();
});

/** The walk of README, with its shops' secrets told to the receiver as soon as there are any. */
function walk(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, script] = /<!-- walk -->\n\n```sh\n([^]*?)\n```/.exec(readme)!;
  const tell = '$&\nfor n in 1 2; do eval "curl -s -X PUT -d \\$SECRET$n $RECEIVER_ITSELF/secrets/\\$SHOP$n"; done';
  return script!.replaceAll('http://127.0.0.1:3000', service.url).replace(/^SHOP2=.*$/m, tell);
}

/** Resolves to what the script printed. */
const run = (script: string, env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env } };
    execFile('bash', ['-c', script], options, (error, stdout, stderr) =>
      error ? reject(new Error(`${error.message}\n${stderr}`)) : resolve(stdout),
    );
  });

it("README's walk brings its webhooks to the receiver of a trial", async () => {
  const output = await run(walk(), {
    CLIENT_ID: BOOTSTRAP_CLIENT.id,
    CLIENT_SECRET: BOOTSTRAP_CLIENT.secret,
    RECEIVER: `${receiverUrl}/webhooks`,
    RECEIVER_ITSELF: receiverUrl,
  });
  expect(output).not.toContain('"success":false');
  const statuses = () =>
    fetch(receiverUrl).then(async (answer) =>
      ((await answer.json()) as { payment?: { status: string } }[]).map(({ payment }) => payment?.status),
    );
  await eventually(async () => expect(await statuses()).toEqual(expect.arrayContaining(['processing', 'completed'])));
  expect(receiver.log()).not.toContain('refused');
});
