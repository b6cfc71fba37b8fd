import { describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../../support/servers/database.js';
import {
  aMerchant,
  aPayment,
  type Caller,
  type FlowsApplication,
  over,
  type ProblemBody,
  withFlows,
} from './flows-harness.js';

interface VersionBody {
  version: number;
  status: string;
  created_by: string | null;
  approvals: { by: string; reason: string | null; at: string }[];
  needs_approval: boolean;
}

let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let ada: Caller;
let bob: Caller;
let alpha: number;
let beta: number;

withFlows(
  (flows) => {
    ({ database, app, merchant, alpha, beta } = flows);
    ada = app.as(merchant, 'ada');
    bob = app.as(merchant, 'bob');
  },
  { FLOW_ACTIVATION_APPROVALS: '1' },
);

const REQUIRED = { status: 409, body: { code: 'flow_approval_required' } };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let flowsMade = 0;
/** The path of a flow of Ada with a draft of hers, version 2. */
async function aFlowWithDraft(): Promise<string> {
  const name = `flow ${++flowsMade}`;
  const { body } = await ada<{ data: { id: number } }>('POST', '/flows', { name, ...over(alpha) });
  const path = `/flows/${body.data.id}`;
  expect((await ada('POST', `${path}/versions`, over(beta))).status).toBe(201);
  return path;
}
const approve = (by: Caller, path: string, body?: object) =>
  by<{ data: VersionBody } & ProblemBody>('POST', `${path}/versions/2/approve`, body);
const activate = (by: Caller, path: string, version = 2) =>
  by<{ data: { version: number } } & ProblemBody>('POST', `${path}/versions/${version}/activate`);
const versionOf = async (path: string, version = 2): Promise<VersionBody> =>
  (await ada<{ data: VersionBody }>('GET', `${path}/versions/${version}`)).body.data;

describe('a version that needs an approval', () => {
  it('becomes active once another client has approved it, also by its author', async () => {
    const path = await aFlowWithDraft();
    expect(await versionOf(path)).toMatchObject({ status: 'draft', approvals: [], needs_approval: true });
    for (const client of [ada, bob]) {
      expect(await activate(client, path)).toMatchObject(REQUIRED);
    }
    const { body } = await approve(bob, path, { reason: 'as agreed' });
    const approvals = [{ by: 'bob', reason: 'as agreed', at: TIME }];
    expect(body.data).toMatchObject({ status: 'draft', created_by: 'ada', approvals, needs_approval: false });
    expect((await activate(ada, path)).body.data).toMatchObject({ version: 2 });
    expect(await versionOf(path)).toMatchObject({ status: 'active', approvals, needs_approval: false });
  });

  it('gets no approval from its author', async () => {
    const path = await aFlowWithDraft();
    const before = await database.dump();
    expect(await approve(ada, path)).toMatchObject({ status: 409, body: { code: 'flow_own_version' } });
    expect(await activate(ada, path)).toMatchObject(REQUIRED);
    expect(await database.dump()).toBe(before);
  });

  it('needs the approval of any client if an earlier release wrote it', async () => {
    const path = await aFlowWithDraft();
    await database.pool.query('UPDATE flow_versions SET created_by = NULL WHERE version = 2');
    expect(await activate(ada, path)).toMatchObject(REQUIRED);
    expect((await approve(ada, path)).status).toBe(200);
    expect((await activate(ada, path)).status).toBe(200);
  });

  it('keeps the first approval of a client that repeats it, and gets a second one of another client', async () => {
    const path = await aFlowWithDraft();
    await approve(bob, path, { reason: 'first' });
    const before = await database.dump();
    expect((await approve(bob, path, { reason: 'second' })).status).toBe(200);
    expect(await database.dump()).toBe(before);
    const { body } = await approve(app.as(merchant, 'carol'), path);
    expect(body.data.approvals).toMatchObject([
      { by: 'bob', reason: 'first' },
      { by: 'carol', reason: null },
    ]);
  });

  it('becomes active or not, but never without approval, when both come at once', async () => {
    const path = await aFlowWithDraft();
    const [activated, approved] = await Promise.all([activate(ada, path), approve(bob, path)]);
    expect(approved.status).toBe(200);
    const { body } = await ada<{ data: { version: number } }>('GET', path);
    expect([activated.status, body.data.version]).toEqual(activated.status === 200 ? [200, 2] : [409, 1]);
    expect((await activate(ada, path)).status).toBe(200);
  });

  it('belongs only to its merchant', async () => {
    const path = await aFlowWithDraft();
    const stranger = app.as(await aMerchant(database, 'Other'), 'bob');
    const before = await database.dump();
    expect(await approve(stranger, path)).toMatchObject({ status: 404, body: { code: 'flow_not_found' } });
    expect(await database.dump()).toBe(before);
  });

  it.each(['3', '9007199254740991'])('with number %s does not exist', async (version) => {
    const path = await aFlowWithDraft();
    const answer = await bob('POST', `${path}/versions/${version}/approve`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'flow_version_not_found' } });
  });
});

describe('the rollout of a version that needs an approval', () => {
  const roll = (path: string, body: object) => ada<{ data: { id: number } }>('POST', `${path}/rollouts`, body);
  const tenth = { version: 2, percent: 10, key: 'payment' };

  it('begins once another client has approved it', async () => {
    const path = await aFlowWithDraft();
    const before = await database.dump();
    expect(await roll(path, tenth)).toMatchObject(REQUIRED);
    expect(await database.dump()).toBe(before);
    await approve(bob, path);
    expect((await roll(path, tenth)).status).toBe(201);
  });

  it('that began before approvals were required gets fewer payments, but neither more nor all without one', async () => {
    const path = await aFlowWithDraft();
    await approve(bob, path);
    const rollout = `${path}/rollouts/${(await roll(path, tenth)).body.data.id}`;
    await database.pool.query('DELETE FROM flow_version_approvals');
    const before = await database.dump();
    expect(await ada('PATCH', rollout, { percent: 100 })).toMatchObject(REQUIRED);
    expect(await ada('POST', `${rollout}/promote`)).toMatchObject(REQUIRED);
    expect(await database.dump()).toBe(before);
    expect((await ada('PATCH', rollout, { percent: 5 })).status).toBe(200);
    await approve(bob, path);
    expect((await ada('PATCH', rollout, { percent: 100 })).status).toBe(200);
    expect((await ada('POST', `${rollout}/promote`)).status).toBe(200);
    expect(await versionOf(path)).toMatchObject({ status: 'active', needs_approval: false });
  });
});

describe('without an approval', () => {
  it('a version that was active before is active again', async () => {
    const path = await aFlowWithDraft();
    await approve(bob, path);
    await activate(ada, path);
    expect(await versionOf(path, 1)).toMatchObject({ status: 'retired', approvals: [], needs_approval: false });
    expect((await activate(ada, path, 1)).body.data).toMatchObject({ version: 1 });
    expect((await activate(ada, path, 2)).body.data).toMatchObject({ version: 2 });
  });

  it('a new definition in PATCH is refused with the way to do it; a name and a repeat are not', async () => {
    const path = await aFlowWithDraft();
    const before = await database.dump();
    const answer = await ada<{ code: string; detail: string }>('PATCH', path, { name: 'other', max_attempts: 2 });
    expect(answer).toMatchObject(REQUIRED);
    expect(answer.body.detail).toContain(`POST ${path}/versions`);
    expect((await ada('PATCH', path, { shops: [{ shop_id: alpha }], reason: 'the same' })).status).toBe(200);
    expect(await database.dump()).toBe(before);
    expect((await ada('PATCH', path, { name: `renamed ${flowsMade}` })).status).toBe(200);
  });
});

describe('the name of a flow that had payments', () => {
  it('needs flows:activate to be changed or freed', async () => {
    const [used, unused] = [await aFlowWithDraft(), await aFlowWithDraft()];
    await aPayment(database, Number(used.split('/').at(-1)), 'completed');
    const own = ['flows:read', 'flows:write'] as const;
    const writer = app.as(merchant, 'ada', own);
    const stranger = app.as(await aMerchant(database, 'Other'), 'ada', own);
    const { name } = (await writer<{ data: { name: string } }>('GET', used)).body.data;
    const before = await database.dump();
    for (const answer of [await writer('PATCH', used, { name: 'freed' }), await writer('DELETE', used)])
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect((await writer('PATCH', used, { name })).status).toBe(200);
    expect((await stranger('DELETE', used)).status).toBe(404);
    expect(await database.dump()).toBe(before);
    expect((await writer('PATCH', unused, { name: 'never used' })).status).toBe(200);
    expect((await writer('DELETE', unused)).status).toBe(204);
    expect((await ada('PATCH', used, { name: 'freed' })).status).toBe(200);
    expect((await ada('DELETE', used)).status).toBe(204);
  });
});
