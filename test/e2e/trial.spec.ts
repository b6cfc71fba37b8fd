import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { root } from '../support/deploy/settings.js';
import { eventually } from '../support/eventually.js';
import { committedOpenApi, operationsOf } from '../support/fuzz/openapi-operations.js';
import { prefilled, prefilledPath } from '../support/fuzz/prefilled-bodies.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { freePort } from '../support/servers/free-port.mjs';
import { forgetProcess, rememberProcess } from '../support/servers/servers.js';

let database: TestDatabase;
let service: InProcessService;
let receiver: ManagedProcess;
let receiverUrl: string;

/**
 * The settings of docker-compose.yml with .env.local-trial, except that API and worker run in the process of the test,
 * on one machine.
 */
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

const README = 'README.md';
const WALK_PAGE = 'docs/integrate/payments-and-flows.md';
const ROUTING_PAGE = 'docs/integrate/routing.md';

/** A shell block of a page, by the name in the comment above it. */
function block(name: string, page = WALK_PAGE): string {
  const text = readFileSync(join(root, page), 'utf8');
  const [, script] = new RegExp(`<!-- ${name} -->\n\n\`\`\`sh\n([^]*?)\n\`\`\``).exec(text)!;
  return script!.replaceAll('http://127.0.0.1:3000', service.url);
}

/** The script of the walkthrough, which also gives each shop's secret to the receiver. */
function walkthrough(): string {
  const withSecrets =
    '$&\nfor n in 1 2; do eval "curl -s -X PUT -d \\$SECRET$n $RECEIVER_ITSELF/secrets/\\$SHOP$n"; done';
  return block('walk').replace(/^SHOP2=.*$/m, withSecrets);
}

/** Resolves to the output of the script. */
const run = (script: string, env: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> => {
  const whole = {
    PATH: process.env.PATH,
    CLIENT_ID: BOOTSTRAP_CLIENT.id,
    CLIENT_SECRET: BOOTSTRAP_CLIENT.secret,
    RECEIVER: `${receiverUrl}/webhooks`,
    RECEIVER_ITSELF: receiverUrl,
    ...env,
  };
  return promisify(execFile)('bash', ['--norc', '-c', script], { env: whole });
};

/** Executes the steps that the page lists for Swagger UI, with the suggested values. */
async function sixSteps(): Promise<void> {
  const document = committedOpenApi();
  const client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  const page = readFileSync(join(root, WALK_PAGE), 'utf8');
  const names = [...page.matchAll(/^\d\. `((?:GET|POST) \S+)`/gm)].map(([, name]) => name);
  expect(names).toHaveLength(5); // the first of the six steps gets a token
  for (const name of names) {
    const operation = operationsOf(document).find((each) => each.name === name)!;
    const body = operation.method === 'POST' ? prefilled(document, operation) : undefined;
    const { status } = await client.request(operation.method, prefilledPath(operation), body);
    expect([name, status < 300]).toEqual([name, true]);
  }
}

/** Reads a count that a script printed after its name. */
const countOf = (output: string, name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(output)![1]);

const received = async (): Promise<(string | undefined)[]> => {
  const events = (await (await fetch(receiverUrl)).json()) as { payment?: { status: string } }[];
  return events.map(({ payment }) => payment?.status);
};

it('the first payment of README is completed', async () => {
  const { stdout, stderr } = await run(block('first-payment', README));
  expect(stderr).toBe('');
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { success: boolean; data: object });
  expect(answers.map(({ success }) => success)).toEqual([true, true, true]);
  expect(answers[2]!.data).toMatchObject({ status: 'completed', shop: { name: 'Paris' } });
});

describe('docs/integrate/payments-and-flows.md', () => {
  it('takes a reader from the six steps through the walkthrough to the backtest', async () => {
    await sixSteps();
    const { stdout, stderr } = await run(`${walkthrough()}\necho end of the walkthrough\n${block('backtest')}`);
    expect(stderr).toBe('');
    const [walked, tested] = stdout.split('end of the walkthrough');
    expect(walked).not.toContain('"success":false');
    expect(tested).toMatch(/^payments: 31$/m);
    expect(tested).toMatch(/^without_shop: 0$/m);
    expect(countOf(tested!, 'changed')).toBeGreaterThan(0);
    // the one refusal that the page announces
    expect(tested!.match(/"success":false,"code":"\w+"/g)).toEqual([
      '"success":false,"code":"flow_assertion_violated"',
    ]);
    await eventually(async () => expect(await received()).toEqual(expect.arrayContaining(['processing', 'completed'])));
    expect(receiver.log()).not.toContain('refused');
  });

  it('repeats its walkthrough, says how many webhooks a redelivery sends, and goes on with the questions of docs/integrate/routing.md', async () => {
    const names = ['traffic', 'approvals', 'cost', 'rollout', 'rules', 'back'];
    const questions = names.map((name) => `echo ${name} follows\n${block(name, ROUTING_PAGE)}`);
    // a fifth of the traffic shows the same
    const script = [walkthrough(), ...questions].join('\n').replace('seq 1 60', 'seq 1 12');
    const { stdout, stderr } = await run(script);
    expect(stderr).toBe('');
    expect(stdout).not.toContain('"success":false');
    const [walked, , approvals, cost, rollout, rules, back] = stdout.split(/^\w+ follows$/m);
    const counts = ['pending', 'delivered', 'delivered, would be sent again'].map((name) => countOf(walked!, name));
    const [pending, delivered, sentAgain] = counts as [number, number, number];
    // the shop has two webhooks, and one that arrives between two of the counts is in both
    expect(pending + delivered).toBeGreaterThanOrEqual(2);
    expect(Math.max(pending, delivered, sentAgain)).toBeLessThanOrEqual(2);
    expect(sentAgain).toBeGreaterThanOrEqual(delivered);
    expect(countOf(walked!, 'failed, would be sent again')).toBe(0);
    const cells = (JSON.parse(approvals!.trim().split('\n')[0]!) as { data: { cells: Record<string, unknown>[] } }).data
      .cells;
    expect(cells.map(({ values }) => values)).toContainEqual({ 'card.scheme': 'maestro' });
    expect(approvals!.trim().split('\n')[1]).toMatch(/"payment_id":\d+.*"scheme":"maestro"/);
    expect(cost).toMatch(/currency: 'EUR'[^]*difference: -\d/);
    expect(rollout).toMatch(/"key":"customer"[^]*"percent":25[^]*"status":"promoted"/);
    expect(rules).toContain('"hits_24h"');
    expect(back).toContain('Back to the start');
  });

  it.each([
    ['a wrong secret', { CLIENT_SECRET: 'wrong' }, /^refused: .*secret is wrong *\n$/],
    ['no credentials', { CLIENT_ID: '', CLIENT_SECRET: '' }, /^.*CLIENT_ID: set it.*\n$/],
  ])('reports %s in one line', async (_, env, line) => {
    const { stdout, stderr } = await run(`${block('walk')}\n${block('backtest')}`, env);
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(line)]);
  });

  it('reports in one line that nothing listens', async () => {
    const script = block('walk').replaceAll(service.url, `http://127.0.0.1:${await freePort()}`);
    const { stdout, stderr } = await run(script);
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^curl: .+\n$/)]);
  });
});
