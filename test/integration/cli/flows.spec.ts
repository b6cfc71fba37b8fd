import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import type { Scope } from '../../../src/access/scopes.js';
import { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { temporaryFolder } from '../../support/servers/servers.js';

let api: TestApi;
let fourEyes: TestApi;
let merchant: Merchant;
let merchantId: number;
let file: string;
let environment: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  fourEyes = await startApi({ FLOW_ACTIVATION_APPROVALS: '1' }, { other: api });
});
afterAll(async () => {
  await fourEyes.stop();
  await api.stop();
});
beforeEach(async () => {
  const client = await insertClient(api.database);
  environment = { FLOWS_URL: api.url, FLOWS_CLIENT_ID: client.id, FLOWS_CLIENT_SECRET: client.secret };
  merchant = new Merchant(await ApiClient.login(api.url, client.id, client.secret));
  merchantId = client.merchantId;
  const [berlin, paris] = [await merchant.createShop('Berlin'), await merchant.createShop('Paris')];
  await merchant.createFlow('checkout', [berlin.id, paris.id]);
  await merchant.createFlow('untouched', [berlin.id]);
  file = join(await temporaryFolder(), 'flows.yaml');
});

async function flows(args: string[], changes: Record<string, string> = {}) {
  const run = { out: '', err: '' };
  const code = await runCommandLine(['flows', ...args], {
    environment: () => ({ ...environment, ...changes }),
    out: (text) => (run.out += text),
    err: (text) => (run.err += text),
  });
  return { code, ...run };
}
const plan = (changes?: Record<string, string>) => flows(['plan', '-f', file], changes);
const apply = (...more: string[]) => flows(['apply', '-f', file, '--reason', 'as reviewed', ...more]);
const edit = async (from: string, to: string) => {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};
const versionsOf = async (name: string) => {
  const served = dataOf<{ id: number; name: string }[]>(await merchant.api.get('/flows'));
  const { id } = served.find((flow) => flow.name === name)!;
  return dataOf<Record<string, unknown>[]>(await merchant.api.get(`/flows/${id}/versions`));
};
const narrow = async (...scopes: Scope[]) => {
  const { id, secret } = await insertClient(api.database, { merchantId }, scopes);
  return { FLOWS_CLIENT_ID: id, FLOWS_CLIENT_SECRET: secret };
};
const NOTHING = '0 to create, 0 to change, 1 unchanged';

describe('flows export', () => {
  it('writes all flows, or the named ones, and a plan of it changes nothing', async () => {
    const all = await flows(['export']);
    expect(all).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/\n {2}checkout:\n[^]*\n {2}untouched:\n/),
    });
    expect(await flows(['export', 'checkout', '-f', file])).toEqual({ code: 0, out: '', err: '' });
    expect(await readFile(file, 'utf8')).not.toContain('untouched');
    const { code, out } = await plan();
    expect([code, out]).toEqual([0, expect.stringContaining(`${NOTHING}\nnot in the file, so unchanged: untouched\n`)]);
    expect(await flows(['export', 'no such'])).toMatchObject({ code: 1, err: 'error: no flow is called no such\n' });
  });
});

describe('flows plan', () => {
  it('shows the difference, the backtest and the assertions, and writes nothing', async () => {
    for (let count = 0; count < 4; count++) await merchant.pay('checkout');
    await flows(['export', 'checkout', '-f', file]);
    await edit(
      'strategy: round_robin',
      'strategy: priority\n    max_attempts: 2\n    assertions: [{ when: {}, at_least: 2 }]',
    );
    await edit('      - shop: Paris', '      - shop: Paris\n        priority: 2');
    const reader = await narrow('flows:read', 'shops:read', 'flows:simulate');
    const before = await api.database.dump();
    const { code, out, err } = await plan(reader);
    expect([code, err]).toEqual([2, '']);
    expect(out).toContain(
      'flow checkout: change (version 1 is active)\n  Payments go to Berlin first, then Paris; was Berlin and Paris in turn.\n',
    );
    expect(out).toContain('    - strategy: round_robin\n    + strategy: priority\n');
    expect(out).toMatch(/backtest: 4 payments since .*, 2 go to another shop\n {4}Berlin 2 → 4, Paris 2 → 0\n/);
    expect(out).toMatch(/approvals: 100\.0 % \(.*not_enough_payments\n {2}assertions: all 1 hold\n/);
    expect(await api.database.dump()).toBe(before);
    const json = await flows(['plan', '-f', file, '--json'], reader);
    const { flows: planned } = JSON.parse(json.out) as { flows: object[] };
    expect([json.code, planned]).toEqual([2, [expect.objectContaining({ name: 'checkout', action: 'change' })]]);
  });

  it('fails for a violated assertion, with the name of the shop, also in a new flow', async () => {
    await flows(['export', 'checkout', '-f', file]);
    await edit('strategy: round_robin', 'strategy: round_robin\n    assertions: [{ when: {}, never: Paris }]');
    expect(await plan()).toMatchObject({
      code: 1,
      out: expect.stringContaining('VIOLATED assertions[0]: must never go to Paris, but '),
      err: 'error: assertions are violated\n',
    });
    await edit('  checkout:', '  another:');
    expect(await plan()).toMatchObject({ code: 1, out: expect.stringContaining('flow another: create\n') });
    expect(await apply()).toMatchObject({ code: 1, err: expect.stringContaining('nothing was applied') });
    expect(await versionsOf('checkout')).toHaveLength(1);
  });

  it.each([
    ['an unknown shop', '- shop: Paris', '- shop: Rome', /^error: \S+flows\.yaml:8: no shop is called Rome\n$/],
    [
      'an invalid field',
      '- shop: Paris',
      '- shop: Paris\n        weight: 0',
      /^error: \S+flows\.yaml:9: shops\.1\.weight must/,
    ],
    [
      'an unknown field',
      'strategy:',
      'strateg:',
      /^error: \S+flows\.yaml:5: strateg .*; \S+flows\.yaml:4: strategy is required/,
    ],
    ['no YAML', 'strategy:', 'strategy: [', /^error: \S+flows\.yaml:\d+: /],
  ])('names the line of %s', async (_, from, to, message) => {
    await flows(['export', 'checkout', '-f', file]);
    await edit(from, to);
    const { code, err } = await plan();
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  });

  it('explains a missing scope, a wrong secret, a service that does not answer and a missing file', async () => {
    await flows(['export', 'checkout', '-f', file]);
    const failures = [
      [await narrow('flows:read', 'shops:read'), /needs the scopes flows:read shops:read flows:simulate/],
      [{ FLOWS_CLIENT_SECRET: 'wrong-secret-wrong' }, /401/],
      [{ FLOWS_URL: 'http://127.0.0.1:1' }, /^error: http:\/\/127\.0\.0\.1:1 does not answer: /],
      [{ FLOWS_CLIENT_ID: '' }, /FLOWS_CLIENT_ID/],
    ] as const;
    for (const [changes, message] of failures) {
      expect(await plan(changes)).toEqual({ code: 1, out: '', err: expect.stringMatching(message) });
    }
    file = 'no-such-file.yaml';
    expect(await plan()).toMatchObject({ code: 1, err: expect.stringContaining('no-such-file.yaml cannot be read') });
  });
});

describe('flows apply', () => {
  it('activates with its reason, creates what is new, and changes nothing the second time', async () => {
    await flows(['export', 'checkout', '-f', file]);
    await edit('strategy: round_robin', 'strategy: sticky');
    await writeFile(
      file,
      `${await readFile(file, 'utf8')}  till:\n    strategy: priority\n    shops:\n      - shop: Paris\n`,
    );
    expect(await apply()).toEqual({
      code: 0,
      out: 'flow checkout: activated, version 2\nflow till: created, version 1\n',
      err: '',
    });
    expect((await versionsOf('checkout'))[0]).toMatchObject({ status: 'active', reason: 'as reviewed' });
    const before = await api.database.dump();
    expect(await apply()).toMatchObject({
      code: 0,
      out: 'flow checkout: unchanged, version 2\nflow till: unchanged, version 1\n',
    });
    expect(await api.database.dump()).toBe(before);
    expect((await plan()).code).toBe(0);
  });

  it('uses a draft that a run before it left, and rolls back to a version with the same definition', async () => {
    await flows(['export', 'checkout', '-f', file]);
    await edit('strategy: round_robin', 'strategy: sticky');
    const drafts = await narrow('flows:read', 'shops:read', 'flows:simulate', 'flows:write');
    const cut = await flows(['apply', '-f', file, '--reason', 'x'], drafts);
    expect(cut).toMatchObject({ code: 1, err: expect.stringContaining('flows:activate') });
    expect(await apply()).toMatchObject({ code: 0, out: 'flow checkout: activated, version 2\n' });
    await edit('strategy: sticky', 'strategy: round_robin');
    expect(await apply()).toMatchObject({ code: 0, out: 'flow checkout: activated, version 1\n' });
    expect(await versionsOf('checkout')).toHaveLength(2);
  });

  it('drafts where an approval is needed, and activates after it', async () => {
    environment['FLOWS_URL'] = fourEyes.url;
    await flows(['export', 'checkout', '-f', file]);
    await edit('strategy: round_robin', 'strategy: sticky');
    for (let run = 0; run < 2; run++) {
      const { code, out } = await apply();
      expect([code, out]).toEqual([
        3,
        expect.stringMatching(/^flow checkout: version 2 needs the approval.*: POST \/flows/),
      ]);
    }
    const approver = await insertClient(api.database, { merchantId });
    const client = await ApiClient.login(fourEyes.url, approver.id, approver.secret);
    const path = /POST (\S+)/.exec((await apply()).out)![1]!;
    dataOf(await client.post(path));
    expect(await apply()).toMatchObject({ code: 0, out: 'flow checkout: activated, version 2\n' });
    expect(await versionsOf('checkout')).toHaveLength(2);
  });

  it('refuses a percent that is none, before it calls the service', async () => {
    await flows(['export', 'checkout', '-f', file]);
    for (const percent of ['0', '101', '5.123', 'all']) {
      expect(await apply('--percent', percent)).toMatchObject({
        code: 1,
        err: expect.stringContaining('--percent: got'),
      });
    }
  });
});
