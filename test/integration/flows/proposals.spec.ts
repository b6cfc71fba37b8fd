import { expect, it } from '@jest/globals';
import { aMerchant, type Caller, type FlowsApplication, over, withFlows } from './flows-harness.js';
import type { TestDatabase } from '../../support/servers/database.js';

interface Version {
  proposal_state: string;
  approval_request: Record<string, unknown> | null;
  replaced_version: number | null;
  last_rollout_id: number | null;
}

interface Row {
  flow_name: string;
  version: number;
  request: { status: string };
}

interface Answer {
  data: Version & { id: number };
  code?: string;
  errors?: { field: string }[];
}

let app: FlowsApplication;
let database: TestDatabase;
let merchant: number;
let ada: Caller;
let bob: Caller;
let carol: Caller;
let shops: [number, number];

withFlows(
  (flows) => {
    ({ app, database, merchant } = flows);
    shops = [flows.alpha, flows.beta];
    [ada, bob, carol] = [app.as(merchant, 'ada'), app.as(merchant, 'bob'), app.as(merchant, 'carol')];
  },
  { FLOW_ACTIVATION_APPROVALS: '1' },
);

let made = 0;
/** The path of version 2, a draft of Ada. */
async function aDraft(): Promise<string> {
  const flow = await ada<Answer>('POST', '/flows', { name: `proposal ${++made}`, ...over(shops[0]) });
  const path = `/flows/${flow.body.data.id}/versions`;
  await ada('POST', path, over(shops[1]));
  return `${path}/2`;
}
const post = (by: Caller, path: string, body: object = {}) => by<Answer>('POST', path, body);
const proposed = async (query: string, by = ada): Promise<Row[]> =>
  (await by<{ data: Row[] }>('GET', `/proposals?${query}`)).body.data;
const isIn = (rows: Row[]): boolean => rows.some(({ flow_name: name }) => name === `proposal ${made}`);

it('a proposal is requested, commented, rejected, requested again, approved and activated', async () => {
  const path = await aDraft();
  expect((await ada<Answer>('GET', path)).body.data).toMatchObject({ proposal_state: 'draft', approval_request: null });
  const asked = await post(ada, `${path}/approval-requests`, { colleagues: ['bob'], message: 'Cheaper' });
  expect(asked.body.data).toMatchObject({
    proposal_state: 'waiting',
    approval_request: {
      status: 'waiting',
      requested_by: 'ada',
      colleagues: ['bob'],
      message: 'Cheaper',
      ended_at: null,
    },
  });
  // a repeat changes nothing, also with other fields
  expect((await post(ada, `${path}/approval-requests`)).body.data).toEqual(asked.body.data);
  const lists = [
    await proposed('for=me', bob),
    await proposed('for=me', carol),
    await proposed('for=me'),
    await proposed(''),
  ];
  expect(lists.map(isIn)).toEqual([true, false, false, true]);

  for (const comment of ['What does it cost?', '2 %\nand 10 cents']) {
    expect((await post(bob, `${path}/comments`, { comment })).status).toBe(201);
  }
  const first = await ada<{ data: object[]; pagination: { next_cursor: string } }>('GET', `${path}/comments?limit=1`);
  expect(first.body.data).toMatchObject([{ comment: '2 %\nand 10 cents', by: 'bob' }]);
  const second = await ada<{ data: object[] }>('GET', `${path}/comments?cursor=${first.body.pagination.next_cursor}`);
  expect(second.body.data).toMatchObject([{ comment: 'What does it cost?' }]);

  expect(await post(ada, `${path}/reject`, { reason: 'no' })).toMatchObject({
    status: 409,
    body: { code: 'flow_own_version' },
  });
  const rejected = await post(bob, `${path}/reject`, { reason: 'No contract' });
  expect(rejected.body.data).toMatchObject({
    proposal_state: 'rejected',
    approval_request: { status: 'rejected', ended_by: 'bob', end_reason: 'No contract' },
  });
  expect(await post(bob, `${path}/reject`, { reason: 'again' })).toMatchObject({
    status: 409,
    body: { code: 'flow_approval_not_open' },
  });
  expect([isIn(await proposed('')), isIn(await proposed('state=rejected'))]).toEqual([false, true]);

  await post(ada, `${path}/approval-requests`);
  expect([isIn(await proposed('for=me', carol)), isIn(await proposed('state=rejected'))]).toEqual([true, false]);
  const approved = await post(bob, `${path}/approve`, { reason: 'Signed' });
  expect(approved.body.data).toMatchObject({
    proposal_state: 'approved',
    approval_request: { status: 'approved', ended_by: 'bob', end_reason: 'Signed' },
  });
  expect(await post(ada, `${path}/approval-requests`)).toMatchObject({
    status: 409,
    body: { code: 'flow_version_not_proposed' },
  });
  expect((await post(ada, `${path}/activate`)).status).toBe(200);
  const active = await ada<Answer>('GET', path);
  expect(active.body.data).toMatchObject({ proposal_state: 'active', replaced_version: 1, last_rollout_id: null });
});

it('the withdrawn request of a proposal waits no longer, and an aborted rollout stays with its version', async () => {
  const path = await aDraft();
  await post(ada, `${path}/approval-requests`);
  const withdrawn = await post(ada, `${path}/approval-requests/withdraw`, { reason: 'Not yet' });
  expect(withdrawn.body.data).toMatchObject({
    proposal_state: 'withdrawn',
    approval_request: { end_reason: 'Not yet' },
  });
  expect(isIn(await proposed('', bob))).toBe(false);
  await post(bob, `${path}/approve`);
  const rollouts = path.replace('/versions/2', '/rollouts');
  const { id } = (await post(ada, rollouts, { version: 2, percent: 10, key: 'payment' })).body.data;
  expect((await ada<Answer>('GET', path)).body.data).toMatchObject({
    proposal_state: 'rolling_out',
    last_rollout_id: id,
  });
  await post(ada, `${rollouts}/${id}/abort`);
  expect((await ada<Answer>('GET', path)).body.data).toMatchObject({ proposal_state: 'approved', last_rollout_id: id });
});

it('a request for an approval writes one event and one audit entry', async () => {
  const path = await aDraft();
  await Promise.all([post(ada, `${path}/approval-requests`), post(ada, `${path}/approval-requests`)]);
  const flowId = Number(path.split('/')[2]);
  const { rows } = await database.pool.query<{ data: object }>(
    `SELECT data FROM webhook_events WHERE type = 'approval.requested' AND data ->> 'flow_id' = $1`,
    [flowId],
  );
  const facts = { flow_id: flowId, flow_name: `proposal ${made}`, version: 2, requested_by: 'ada', colleagues: [] };
  expect(rows.map(({ data }) => data)).toMatchObject([facts]);
  const audited = await database.pool.query(
    `SELECT FROM audit_entries WHERE action = 'flow.approval_requested' AND object_id = $1`,
    [String(flowId)],
  );
  expect(audited.rowCount).toBe(1);
});

it.each<[path: string, body: object, field: string]>([
  ['/approval-requests', { colleagues: [''] }, 'colleagues'],
  ['/approval-requests', { message: '' }, 'message'],
  ['/reject', {}, 'reason'],
  ['/comments', { comment: ' \n' }, 'comment'],
])('a proposal refuses POST %s with %j', async (path, body, field) => {
  const answer = await post(bob, `${await aDraft()}${path}`, body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
});

it('a proposal belongs only to its merchant', async () => {
  const path = await aDraft();
  await post(ada, `${path}/approval-requests`);
  const stranger = app.as(await aMerchant(database, 'Other'), 'bob');
  const before = await database.dump();
  for (const [end, body] of [
    ['approval-requests', {}],
    ['approval-requests/withdraw', {}],
    ['reject', { reason: 'no' }],
    ['comments', { comment: 'no' }],
  ] as const) {
    expect(await post(stranger, `${path}/${end}`, body)).toMatchObject({
      status: 404,
      body: { code: 'flow_not_found' },
    });
  }
  expect(await proposed('', stranger)).toEqual([]);
  expect(await database.dump()).toBe(before);
});
