import { describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../../support/servers/database.js';
import { aShop, type Caller, type FlowsApplication, over, type ProblemBody, withFlows } from './flows-harness.js';

interface VersionBody {
  version: number;
  status: string;
  definition: { strategy: string; shops: { shop_id: number; weight: number }[] };
  created_at: string;
  activated_at: string | null;
  created_by: string | null;
  activated_by: string | null;
  reason: string | null;
}
interface FlowBody {
  id: number;
  name: string;
  version: number;
  counter: number | null;
  shops: { shop_id: number }[];
}
interface PageBody {
  data: VersionBody[];
  pagination: { next_cursor: string | null; has_more: boolean };
}
let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let call: Caller;
let alpha: number;
let beta: number;

withFlows((flows) => ({ database, app, merchant, call, alpha, beta } = flows));

let flowsMade = 0;
async function aFlow(changes: Record<string, unknown> = {}): Promise<FlowBody> {
  const body = { name: `flow ${++flowsMade}`, strategy: 'round_robin', shops: [{ shop_id: alpha }], ...changes };
  const answer = await call<{ data: FlowBody }>('POST', '/flows', body);
  expect(answer.status).toBe(201);
  return answer.body.data;
}
async function draft(flow: FlowBody, definition: object): Promise<VersionBody> {
  const { status, body } = await call<{ data: VersionBody }>('POST', `/flows/${flow.id}/versions`, definition);
  expect(status).toBe(201);
  return body.data;
}
const activate = (flow: FlowBody, version: number) =>
  call<{ data: FlowBody }>('POST', `/flows/${flow.id}/versions/${version}/activate`);
const versionsOf = async (flow: FlowBody, query = ''): Promise<PageBody> =>
  (await call<PageBody>('GET', `/flows/${flow.id}/versions${query}`)).body;
const route = (flow: FlowBody, amount = 10) => app.routing.route(merchant, flow.name, { amount, currency: 'USD' });
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('drafts', () => {
  it('exist in storage and route no payment', async () => {
    const flow = await aFlow();
    const version = await draft(flow, over(beta));
    expect(version).toEqual({
      version: 2,
      status: 'draft',
      rollout: null,
      definition: {
        strategy: 'round_robin',
        shops: [{ shop_id: beta, priority: 1, weight: 1, enabled: true, conditions: {} }],
        max_attempts: 1,
        assertions: [],
      },
      created_at: timestamp,
      activated_at: null,
      created_by: 'test',
      activated_by: null,
      reason: null,
      approvals: [],
      needs_approval: false,
      proposal_state: 'draft',
      approval_request: null,
      last_rollout_id: null,
      replaced_version: null,
    });
    expect((await route(flow)).shop.id).toBe(alpha);
    const { body } = await call<{ data: FlowBody }>('GET', `/flows/${flow.id}`);
    expect(body.data).toMatchObject({ version: 1, shops: [{ shop_id: alpha }] });
  });

  it('appear in the API in a form that can be sent back', async () => {
    const flow = await aFlow();
    const rules = [{ when: { 'metadata.tier': { equals: 'gold' } }, use: { shops: [beta], strategy: 'weighted' } }];
    const definition = {
      ...over(alpha, beta),
      strategy: 'rules',
      rules,
      default: { shops: [alpha], strategy: 'priority' },
    };
    const assertions = [{ when: { currency: { equals: 'EUR' } }, at_least: 1 }];
    const one = await draft(flow, { ...definition, max_attempts: 2, assertions });
    const { body } = await call<{ data: VersionBody }>('GET', `/flows/${flow.id}/versions/2`);
    expect(body.data).toEqual(one);
    expect((await draft(flow, one.definition)).definition).toEqual(one.definition);
  });

  it('need the validity of a flow', async () => {
    const flow = await aFlow();
    const { status, body } = await call<ProblemBody>('POST', `/flows/${flow.id}/versions`, over(alpha, 999_999));
    expect([status, body.errors]).toEqual([422, [{ field: 'shops[1].shop_id', message: 'is not a shop of yours' }]]);
    expect((await call('POST', `/flows/${flow.id}/versions`, { ...over(alpha), name: 'x' })).status).toBe(422);
    expect((await versionsOf(flow)).data).toHaveLength(1);
  });

  it('never become the base of a change', async () => {
    const flow = await aFlow();
    await draft(flow, over(beta));
    const { body } = await call<{ data: FlowBody }>('PATCH', `/flows/${flow.id}`, { strategy: 'weighted' });
    expect(body.data).toMatchObject({ version: 3, shops: [{ shop_id: alpha }] });
  });
});

describe('the list of versions', () => {
  it('returns newest first, by pages', async () => {
    const flow = await aFlow();
    for (let version = 2; version <= 5; version++) await draft(flow, over(beta));
    await activate(flow, 3);
    const first = await versionsOf(flow, '?limit=3');
    expect(first.data.map(({ version, status }) => [version, status])).toEqual([
      [5, 'draft'],
      [4, 'draft'],
      [3, 'active'],
    ]);
    expect(first.pagination.has_more).toBe(true);
    const second = await versionsOf(flow, `?limit=3&cursor=${first.pagination.next_cursor}`);
    expect(second.data.map(({ version, status }) => [version, status])).toEqual([
      [2, 'draft'],
      [1, 'retired'],
    ]);
    expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
  });
});

describe('activation of a version', () => {
  it('routes payments by the version, and keeps the counter', async () => {
    const flow = await aFlow();
    await route(flow);
    await draft(flow, over(beta));
    const { status, body } = await activate(flow, 2);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: flow.id, version: 2, counter: 1, shops: [{ shop_id: beta }] });
    expect(await route(flow)).toMatchObject({ flowVersion: 2, shop: { id: beta } });
    expect((await versionsOf(flow)).data).toMatchObject([
      { version: 2, status: 'active', activated_at: timestamp },
      { version: 1, status: 'retired', activated_at: timestamp },
    ]);
  });

  it('rolls back', async () => {
    const flow = await aFlow();
    await call('PATCH', `/flows/${flow.id}`, { shops: [{ shop_id: beta }] });
    expect((await activate(flow, 1)).body.data).toMatchObject({ version: 1, shops: [{ shop_id: alpha }] });
    expect(await route(flow)).toMatchObject({ flowVersion: 1, shop: { id: alpha } });
    const { body } = await call<{ data: FlowBody }>('PATCH', `/flows/${flow.id}`, { strategy: 'weighted' });
    expect(body.data).toMatchObject({ version: 3, shops: [{ shop_id: alpha }] });
  });

  it('changes nothing for the active version', async () => {
    const flow = await aFlow();
    const before = await database.dump();
    expect((await activate(flow, 1)).status).toBe(200);
    expect(await database.dump()).toBe(before);
  });

  it.each(['2', '2147483648', '9007199254740991'])('refuses unknown version %s', async (version) => {
    const flow = await aFlow();
    for (const [method, url] of [
      ['POST', `/flows/${flow.id}/versions/${version}/activate`],
      ['GET', `/flows/${flow.id}/versions/${version}`],
    ] as const) {
      expect(await call(method, url)).toMatchObject({ status: 404, body: { code: 'flow_version_not_found' } });
    }
  });

  it('results in one whole version after concurrent changes, activations and payments', async () => {
    const flow = await aFlow();
    const only = new Map([[1, alpha]]);
    for (let version = 2; version <= 5; version++) {
      only.set(version, version % 2 === 0 ? beta : alpha);
      await draft(flow, over(only.get(version)!));
    }
    // the same change again would create no version
    const differing = (index: number) => ({ shops: [{ shop_id: beta, weight: index + 1 }] });
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        if (index % 3 === 0) return (await activate(flow, 1 + (index % 5))).status;
        if (index % 3 === 1) return (await call('PATCH', `/flows/${flow.id}`, differing(index))).status;
        const { flowVersion, shop } = await route(flow);
        return shop.id === (only.get(flowVersion) ?? beta) ? 200 : 500;
      }),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const { data } = await versionsOf(flow, '?limit=100');
    expect(data.map(({ version }) => version)).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    const active = data.filter(({ status }) => status === 'active');
    expect(active).toHaveLength(1);
    const { body } = await call<{ data: FlowBody }>('GET', `/flows/${flow.id}`);
    expect(body.data.version).toBe(active[0]!.version);
    expect(body.data).toMatchObject({ counter: 20, shops: active[0]!.definition.shops });
  });
});

describe('author and reason', () => {
  const recorded = async (flow: FlowBody) =>
    (await versionsOf(flow)).data.map((row) => [row.version, row.created_by, row.activated_by, row.reason]);

  it('belong to a version from its draft to its last activation', async () => {
    const flow = await aFlow();
    const [ada, bob] = [app.as(merchant, 'ada'), app.as(merchant, 'bob')];
    await ada('POST', `/flows/${flow.id}/versions`, over(beta));
    await bob('POST', `/flows/${flow.id}/versions/2/activate`, { reason: 'Berlin costs less' });
    expect((await ada('PATCH', `/flows/${flow.id}`, { ...over(alpha, beta), reason: 'Both, please' })).status).toBe(
      200,
    );
    const before = [
      [3, 'ada', 'ada', 'Both, please'],
      [2, 'ada', 'bob', 'Berlin costs less'],
      [1, 'test', 'test', null],
    ];
    expect(await recorded(flow)).toEqual(before);
    await ada('POST', `/flows/${flow.id}/versions/2/activate`);
    expect(await recorded(flow)).toEqual([before[0], [2, 'ada', 'ada', null], before[2]]);
  });

  it('stay those of the first call when it is repeated with another reason', async () => {
    const flow = await aFlow();
    await draft(flow, over(beta));
    const path = `/flows/${flow.id}/versions/2/activate`;
    await call('POST', path, { reason: 'first' });
    expect((await app.as(merchant, 'bob')('POST', path, { reason: 'second' })).status).toBe(200);
    expect((await recorded(flow))[0]).toEqual([2, 'test', 'test', 'first']);
  });

  it('of a version that an earlier release wrote are null', async () => {
    const flow = await aFlow();
    await database.pool.query(
      'INSERT INTO flow_versions (flow_id, version, definition) SELECT flow_id, 2, definition FROM flow_versions WHERE flow_id = $1',
      [flow.id],
    );
    expect((await recorded(flow))[0]).toEqual([2, null, null, null]);
  });

  it.each([
    ['an empty text', ''],
    ['501 characters', 'x'.repeat(501)],
    ['a line break', 'one\ntwo'],
    ['a number', 7],
  ])('need a reason other than %s', async (_, reason) => {
    const flow = await aFlow();
    for (const [method, url] of [
      ['POST', `/flows/${flow.id}/versions/1/activate`],
      ['PATCH', `/flows/${flow.id}`],
    ] as const) {
      const { status, body } = await call<ProblemBody>(method, url, { reason });
      expect([status, body.errors?.[0]?.field]).toEqual([422, 'reason']);
    }
  });
});

describe('a change with based_on_version', () => {
  const heavier = (base?: number, weight = 2) => ({
    shops: [{ shop_id: alpha, weight }],
    ...(base !== undefined && { based_on_version: base }),
  });
  const patch = (flow: FlowBody, changes: object) =>
    call<{ data: FlowBody; code: string }>('PATCH', `/flows/${flow.id}`, changes);
  const activateOn = (flow: FlowBody, version: number, base: number) =>
    call<{ data: FlowBody; code: string }>('POST', `/flows/${flow.id}/versions/${version}/activate`, {
      based_on_version: base,
    });
  const refused = { status: 409, body: { code: 'flow_changed' } };

  it('takes effect while that version is active', async () => {
    const flow = await aFlow();
    expect((await patch(flow, heavier(1))).body.data).toMatchObject({ version: 2 });
    await draft(flow, over(beta));
    expect((await activateOn(flow, 3, 2)).body.data).toMatchObject({ version: 3 });
  });

  it('fails once another version is active, and changes nothing', async () => {
    const flow = await aFlow();
    await draft(flow, over(beta));
    await patch(flow, heavier());
    const before = await database.dump();
    expect(await patch(flow, { ...heavier(1, 3), name: 'another name' })).toMatchObject(refused);
    expect(await activateOn(flow, 2, 1)).toMatchObject(refused);
    expect(await database.dump()).toBe(before);
  });

  it('fails also when it changes only the name, which stays unchanged', async () => {
    const flow = await aFlow();
    await patch(flow, heavier());
    expect(await patch(flow, { name: 'begun long ago', based_on_version: 1 })).toMatchObject(refused);
    expect((await patch(flow, { name: flow.name, based_on_version: 1 })).body.data).toMatchObject({ name: flow.name });
    expect((await patch(flow, { name: 'begun now', based_on_version: 2 })).body.data.version).toBe(2);
  });

  it('succeeds again when it is repeated', async () => {
    const flow = await aFlow();
    await draft(flow, over(beta));
    for (let times = 0; times < 2; times++) {
      expect((await activateOn(flow, 2, 1)).body.data).toMatchObject({ version: 2 });
    }
    for (let times = 0; times < 2; times++) {
      expect((await patch(flow, heavier(2))).body.data).toMatchObject({ version: 3 });
    }
  });

  it('takes effect for one of many concurrent changes', async () => {
    const flow = await aFlow();
    for (let version = 2; version <= 4; version++) await draft(flow, over(beta));
    const answers = await Promise.all([
      ...[2, 3, 4].map((version) => activateOn(flow, version, 1)),
      ...[5, 6, 7].map((weight) => patch(flow, heavier(1, weight))),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it.each([0, 1.5, 'one'])('fails with %p as a version', async (base) => {
    const flow = await aFlow();
    const answers = [await patch(flow, { based_on_version: base }), await activateOn(flow, 1, base as number)];
    expect(answers).toMatchObject(answers.map(() => ({ status: 422, body: { code: 'validation_failed' } })));
  });
});

describe('assertions', () => {
  const euro = { currency: { equals: 'EUR' } };
  const safe = () => ({ ...over(alpha, beta), assertions: [{ when: euro, at_least: 2 }] });
  const broken = () => ({
    strategy: 'round_robin',
    shops: [{ shop_id: alpha }, { shop_id: beta, conditions: { min_amount: 5 } }],
    assertions: [
      { when: euro, at_least: 2 },
      { when: { customer_id: { exists: true } }, never: beta },
    ],
  });
  it('refuse the activation of a version that breaks them, with an example request', async () => {
    const flow = await aFlow(safe());
    await draft(flow, broken());
    const before = await database.dump();
    const { status, body } = await call<ProblemBody>('POST', `/flows/${flow.id}/versions/2/activate`);
    expect([status, body.code]).toEqual([409, 'flow_assertion_violated']);
    expect(body.errors).toEqual([
      {
        field: 'assertions[0]',
        message: `must have at least 2 shops to go to, but {"amount":4.99,"currency":"EUR"} has 1: ${alpha}`,
      },
      {
        field: 'assertions[1]',
        message: `must never go to shop ${beta}, but {"amount":5,"currency":"USD","customer_id":1} can`,
      },
    ]);
    expect(await database.dump()).toBe(before);
    expect((await route(flow)).flowVersion).toBe(1);
  });

  it('tell how many shops a payer has whose accounts are named', async () => {
    const options = [{ provider: 'sandbox', account: 'default' }];
    const stored = { ...over(alpha, beta), assertions: [{ when: euro, payment_method: { options }, at_least: 2 }] };
    const flow = await aFlow(stored);
    const moved = await aShop(database, merchant, `Moved ${++flowsMade}`);
    await database.pool.query("UPDATE shops SET provider_account = 'eu' WHERE id = $1", [moved]);
    const changes = { shops: [{ shop_id: alpha }, { shop_id: moved }] };
    const { status, body } = await call<ProblemBody>('PATCH', `/flows/${flow.id}`, changes);
    expect([status, body.code]).toEqual([409, 'flow_assertion_violated']);
    const example = { amount: 100, currency: 'EUR', payment_method: { options } };
    const message = `must have at least 2 shops to go to, but ${JSON.stringify(example)} has 1: ${alpha}`;
    expect(body.errors).toEqual([{ field: 'assertions[0]', message }]);
    const { body: unchanged } = await call<{ data: object }>('GET', `/flows/${flow.id}`);
    expect(unchanged.data).toMatchObject({ assertions: stored.assertions });
  });

  it('refuse a new flow and a change in the same way', async () => {
    const flow = await aFlow(safe());
    const before = await database.dump();
    const name = `flow ${++flowsMade}`;
    const answers = [
      await call<ProblemBody>('POST', '/flows', { name, ...broken() }),
      await call<ProblemBody>('PATCH', `/flows/${flow.id}`, { shops: [{ shop_id: alpha }] }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([409, 'flow_assertion_violated']);
    expect(await database.dump()).toBe(before);
  });

  it('run while the flow is not locked', async () => {
    const flow = await aFlow();
    const shops: number[] = [];
    while (shops.length < 40) shops.push(await aShop(database, merchant, `Many ${shops.length}`));
    const take = (index: number) => ({ shops: [shops[index]], strategy: 'weighted' });
    const rules = Array.from({ length: 20 }, (_, index) => ({ [`metadata.on${index}`]: { equals: true } })).flatMap(
      (on, index) => [
        { when: on, use: take(2 * index) },
        { when: { not: on }, use: take(2 * index + 1) },
      ],
    );
    const changes = {
      ...over(...shops),
      strategy: 'rules',
      rules,
      default: take(0),
      assertions: [{ when: {}, at_least: 20 }],
    };
    let isOver = false;
    const change = call<ProblemBody>('PATCH', `/flows/${flow.id}`, changes).finally(() => (isOver = true));
    let looks = 0;
    for (; !isOver; looks++) await database.pool.query('SELECT FROM flows WHERE id = $1 FOR UPDATE NOWAIT', [flow.id]);
    expect((await change).body.code).toBe('flow_assertions_too_complex');
    expect(looks).toBeGreaterThan(10);
  });

  it('allow a shop that is disabled for all flows', async () => {
    const off = await aShop(database, merchant, `Off ${++flowsMade}`, false);
    await aFlow({ ...over(alpha, off), assertions: [{ when: {}, at_least: 2 }] });
  });

  it.each<[string, object, string]>([
    ['an unknown field', { when: { colour: { equals: 'red' } }, at_least: 1 }, 'assertions[0].when.colour'],
    ['no claim', { when: {} }, 'assertions[0]'],
    ['both claims', { when: {}, at_least: 1, never: 1 }, 'assertions[0]'],
    ["another merchant's shop", { when: {}, never: 999_999 }, 'assertions[0].never'],
    ['no condition', { at_least: 1 }, 'assertions[0].when'],
    ['no options', { when: {}, payment_method: {}, at_least: 1 }, 'assertions[0].payment_method.options'],
    [
      'a token',
      { when: {}, payment_method: { options: [{ provider: 'stripe', token: 'pm_1' }] }, at_least: 1 },
      'assertions[0].payment_method.options[0].token',
    ],
  ])('fail validation with %s', async (_, assertion, field) => {
    const body = { name: `flow ${++flowsMade}`, ...over(alpha), assertions: [assertion] };
    const answer = await call<ProblemBody>('POST', '/flows', body);
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([422, field]);
  });
});

it('a deleted flow has no versions', async () => {
  const flow = await aFlow();
  await call('DELETE', `/flows/${flow.id}`);
  for (const answer of [await call('GET', `/flows/${flow.id}/versions`), await activate(flow, 1)]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'flow_not_found' } });
  }
  expect((await call('POST', `/flows/${flow.id}/versions`, over(alpha))).status).toBe(404);
});
