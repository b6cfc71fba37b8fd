import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { RolloutAborts } from '../../../src/flows/rollouts/rollout-aborts.service.js';
import { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const GERMANY = JSON.stringify({ country: { equals: 'DE' } });
const PART = ['--percent', '5', '--key', 'customer', '--when', GERMANY, '--max-drop-points', '2'];
const TERMS = `--key customer --when '${GERMANY}' --max-drop-points 2 --min-payments 100 --confidence 0.95`;
const ROLLING_OUT = { code: 0, out: 'flow checkout: rolling out, version 2\n', err: '' };

let api: TestApi;
let merchant: Merchant;
let path: string;
let file: string;
let environment: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
/** A flow whose file differs from its active version. */
beforeEach(async () => {
  const client = await insertClient(api.database);
  environment = { FLOWS_URL: api.url, FLOWS_CLIENT_ID: client.id, FLOWS_CLIENT_SECRET: client.secret };
  merchant = new Merchant(await ApiClient.login(api.url, client.id, client.secret));
  const [berlin, paris] = [await merchant.createShop('Berlin'), await merchant.createShop('Paris')];
  path = `/flows/${(await merchant.createFlow('checkout', [berlin.id, paris.id])).id}`;
  file = join(await temporaryFolder(), 'flows.yaml');
  await flows('export', '-f', file);
  await edit('strategy: round_robin', 'strategy: sticky');
});

async function flows(...args: string[]) {
  const run = { out: '', err: '' };
  const code = await runCommandLine(['flows', ...args], {
    environment: () => environment,
    out: (text) => (run.out += text),
    err: (text) => (run.err += text),
  });
  return { code, ...run };
}
const plan = (...more: string[]) => flows('plan', '-f', file, ...more);
const apply = (...more: string[]) => flows('apply', '-f', file, '--reason', 'as reviewed', ...more);
const edit = async (from: string, to: string) => {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};
const rollouts = async () => dataOf<{ id: number; percent: number }[]>(await merchant.api.get(`${path}/rollouts`));

/** The options end with this error, and change nothing, also not another flow of the file. */
async function refuses(options: string[], ...parts: string[]): Promise<void> {
  const before = await api.database.dump();
  const { code, out, err } = await apply(...options);
  expect([code, out]).toEqual([1, '']);
  for (const part of ['error: nothing was applied: flow checkout: ', ...parts]) expect(err).toContain(part);
  expect(await api.database.dump()).toBe(before);
}

describe('flows apply --percent', () => {
  it('begins a rollout with its condition and guardrail, and sets only the percent after that', async () => {
    expect(await apply(...PART)).toEqual(ROLLING_OUT);
    const guardrail = { max_drop_points: 2, min_payments: 100, confidence: 0.95 };
    const terms = { version: 2, percent: 5, key: 'customer', when: { country: { equals: 'DE' } }, guardrail };
    expect(await rollouts()).toEqual([expect.objectContaining({ ...terms, reason: 'as reviewed' })]);
    const before = await api.database.dump();
    expect(await apply(...PART)).toEqual(ROLLING_OUT);
    expect(await api.database.dump()).toBe(before);
    expect(await apply(...PART.with(1, '50'))).toEqual(ROLLING_OUT);
    expect(await rollouts()).toEqual([expect.objectContaining({ ...terms, percent: 50, status: 'running' })]);
  });

  it('changes nothing while a rollout with other options runs, and begins another one after its abort', async () => {
    await merchant.createFlow('till', [(await merchant.createShop('Rome')).id]);
    await flows('export', '-f', file);
    await edit('strategy: round_robin', 'strategy: sticky');
    await apply(...PART);
    await edit('strategy: round_robin', 'strategy: priority');
    const [running] = await rollouts();
    const runs = `a rollout of version 2 to 5 % with ${TERMS} runs`;
    const abort = `abort it first (POST ${path}/rollouts/${running!.id}/abort)`;
    for (const options of [PART.with(3, 'payment'), PART.with(5, '{}'), PART.with(7, '3'), PART.slice(0, 4)])
      await refuses(options, runs, 'asked was a rollout of version 2 to 5 % with --key', abort);
    await refuses([], runs, 'asked was an activation of version 2', abort);
    dataOf(await merchant.api.post(`${path}/rollouts/${running!.id}/abort`, {}));
    expect(await apply(...PART.with(3, 'payment'))).toMatchObject({
      out: 'flow checkout: rolling out, version 2\nflow till: rolling out, version 2\n',
    });
    expect(await rollouts()).toMatchObject([{ key: 'payment', status: 'running' }, { status: 'aborted' }]);
  });

  it('changes nothing while a rollout of another version runs', async () => {
    await apply(...PART);
    await edit('strategy: sticky', 'strategy: priority');
    await refuses(
      PART,
      `a rollout of version 2 to 5 % with ${TERMS} runs`,
      'asked was a rollout of a new version to 5 %',
    );
  });

  it('refuses to repeat a rollout that its guardrail aborted', async () => {
    await apply(...PART);
    const { id } = (await rollouts())[0]!;
    const outcomes = { payments: 100, approved: 50, declined: 50, refused: 0 };
    const numbers = { maxDropPoints: 2, dropPoints: 9, base: outcomes, candidate: outcomes };
    expect(await api.get(RolloutAborts).abortByGuardrail(id, numbers)).toBe(true);
    await refuses(PART, 'its guardrail aborted this rollout of version 2', 'start it again in the console');
    expect(await apply(...PART.with(7, '10'))).toEqual(ROLLING_OUT);
  });

  it('begins one rollout when two run at the same time, and each can be repeated', async () => {
    const runs = await Promise.all([apply(...PART), apply(...PART)]);
    expect(runs.map(({ code }) => code)).toContain(0);
    expect(await rollouts()).toHaveLength(1);
    expect(await apply(...PART)).toMatchObject({ code: 0 });
    expect(await rollouts()).toHaveLength(1);
  });

  it('needs valid options before it calls the service', async () => {
    environment['FLOWS_URL'] = 'http://127.0.0.1:1';
    expect(await apply('--when', GERMANY)).toMatchObject({
      code: 1,
      err: `error: --when: got '${GERMANY}' without --percent, takes both\n`,
    });
    expect(await apply('--percent', '5', '--when', '{"country":{"equals":"Germany"}}')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: --when: got '.*', takes a condition .*: when\.country\.equals must be an ISO/,
      ),
    });
  });
});

describe('flows plan', () => {
  it('shows the rollout that runs, also of a flow that does not change', async () => {
    await apply(...PART);
    const warning = '  warning: version 2 is being rolled out to 5 %\n';
    const changed = await plan();
    expect([changed.code, changed.out]).toEqual([2, expect.stringContaining(warning)]);
    await edit('strategy: sticky', 'strategy: round_robin');
    const unchanged = await plan();
    expect([unchanged.code, unchanged.out]).toEqual([0, expect.stringContaining(`(version 1 is active)\n${warning}`)]);
    const { flows: planned } = JSON.parse((await plan('--json')).out) as { flows: object[] };
    expect(planned).toMatchObject([{ rollout: { version: 2, percent: 5 } }]);
    expect(await apply()).toMatchObject({
      code: 0,
      out: 'flow checkout: unchanged, version 1; version 2 is being rolled out to 5 %\n',
    });
  });
});
