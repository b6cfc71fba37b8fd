import { describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '../../support/servers/database.js';
import {
  aMerchant,
  aPayment,
  aShop,
  type Caller,
  type FlowsApplication,
  type ProblemBody,
  storedCounter,
  withFlows,
} from './flows-harness.js';

interface FlowBody {
  id: number;
  name: string;
  version: number;
  counter: number | null;
  shops: { shop_id: number; shop_name: string; weight: number }[];
}

let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let call: Caller;
let alpha: number;
let beta: number;

withFlows((flows) => ({ database, app, merchant, call, alpha, beta } = flows));

let flowsMade = 0;
const aFlowBody = (changes: Record<string, unknown> = {}) => ({
  name: `flow ${++flowsMade}`,
  strategy: 'round_robin',
  shops: [{ shop_id: alpha }, { shop_id: beta }],
  ...changes,
});
const create = async (changes: Record<string, unknown> = {}): Promise<FlowBody> => {
  const { status, body } = await call<{ data: FlowBody }>('POST', '/flows', aFlowBody(changes));
  expect(status).toBe(201);
  return body.data;
};
const read = async (id: number): Promise<FlowBody> => (await call<{ data: FlowBody }>('GET', `/flows/${id}`)).body.data;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST and GET /flows', () => {
  it('answers with the flow and the defaults of its shops', async () => {
    const conditions = { currencies: ['EUR'], countries: ['DE'], min_amount: 1.5, max_amount: 500 };
    const request = aFlowBody({
      shops: [{ shop_id: beta }, { shop_id: alpha, priority: 0, weight: 5, enabled: false, conditions }],
    });
    const { status, body } = await call('POST', '/flows', request);
    expect(status).toBe(201);
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        rollout: null,
        name: request.name,
        strategy: 'round_robin',
        version: 1,
        counter: 0,
        shops: [
          { shop_id: beta, shop_name: 'Beta', priority: 1, weight: 1, enabled: true, conditions: {} },
          { shop_id: alpha, shop_name: 'Alpha', priority: 0, weight: 5, enabled: false, conditions },
        ],
        max_attempts: 1,
        assertions: [],
        created_at: timestamp,
        updated_at: timestamp,
      },
    });
    const { id } = (body as { data: FlowBody }).data;
    expect(await call('GET', `/flows/${id}`)).toMatchObject({ status: 200, body });
  });

  it('gives a name to one of many concurrent requests for it', async () => {
    const request = aFlowBody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call<ProblemBody>('POST', '/flows', request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['flow_name_taken']));
  });

  it('accepts three hundred shops', async () => {
    const owner = await aMerchant(database);
    const shops: number[] = [];
    for (let index = 0; index < 300; index++) shops.push(await aShop(database, owner, `Shop ${index}`));
    const request = aFlowBody({ shops: shops.map((shop_id) => ({ shop_id })) });
    const { status, body } = await app.as(owner)<{ data: FlowBody }>('POST', '/flows', request);
    expect(status).toBe(201);
    expect(body.data.shops).toHaveLength(300);
  });

  it('lists newest first, by pages', async () => {
    const owner = await aMerchant(database);
    const shop = await aShop(database, owner, 'Only');
    const asOwner = app.as(owner);
    const ids: number[] = [];
    for (let index = 0; index < 5; index++) {
      const { body } = await asOwner<{ data: FlowBody }>('POST', '/flows', aFlowBody({ shops: [{ shop_id: shop }] }));
      ids.unshift(body.data.id);
    }
    interface PageBody {
      data: FlowBody[];
      pagination: { next_cursor: string | null; has_more: boolean };
    }
    const pages: number[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await asOwner<PageBody>('GET', `/flows?limit=2${query}`);
      pages.push(body.data.map(({ id }) => id));
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
      cursor = body.pagination.next_cursor;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('lists the flows whose name contains a text, by pages', async () => {
    const owner = await aMerchant(database);
    const shop = await aShop(database, owner, 'Only');
    const asOwner = app.as(owner);
    for (const name of ['Checkout-EU', '100%', 'checkout-us', 'a_b', 'other', 'eu-CHECKOUT'])
      await asOwner('POST', '/flows', aFlowBody({ name, shops: [{ shop_id: shop }] }));
    const named = async (text: string, more = ''): Promise<[names: string[], cursor: string | null]> => {
      const path = `/flows?limit=2&name_contains=${encodeURIComponent(text)}${more}`;
      const { body } = await asOwner<{ data: FlowBody[]; pagination: { next_cursor: string | null } }>('GET', path);
      return [body.data.map(({ name }) => name), body.pagination.next_cursor];
    };
    const [first, cursor] = await named('checkOUT');
    expect(first).toEqual(['eu-CHECKOUT', 'checkout-us']);
    expect(await named('checkOUT', `&cursor=${cursor}`)).toEqual([['Checkout-EU'], null]);
    // no wildcards
    expect(await named('%')).toEqual([['100%'], null]);
    expect(await named('_')).toEqual([['a_b'], null]);
    expect(await named('nothing like it')).toEqual([[], null]);
  });

  it.each(['', '\0', 'x'.repeat(201)])('refuses %j as text to search in names', async (text) => {
    const { status } = await app.as(await aMerchant(database))(
      'GET',
      `/flows?name_contains=${encodeURIComponent(text)}`,
    );
    expect(status).toBe(400);
  });

  it('lists nothing for a merchant without flows', async () => {
    const { body } = await app.as(await aMerchant(database))('GET', '/flows');
    expect(body).toEqual({ success: true, data: [], pagination: { next_cursor: null, has_more: false } });
  });
});

describe('PATCH /flows', () => {
  it('creates a new version, active at once, and keeps the counter', async () => {
    const { id, name } = await create();
    await app.routing.route(merchant, name, { amount: 1, currency: 'USD' });
    const { status, body } = await call<{ data: FlowBody }>('PATCH', `/flows/${id}`, {
      shops: [{ shop_id: beta, weight: 7 }],
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name, version: 2, counter: 1, shops: [{ shop_id: beta, weight: 7 }] });
    expect(body.data.shops).toHaveLength(1);
    const { rows } = await database.pool.query('SELECT version FROM flow_versions WHERE flow_id = $1', [id]);
    expect(rows).toHaveLength(2);
  });

  it('renames without a new version', async () => {
    const { id, name } = await create();
    const { body } = await call<{ data: FlowBody }>('PATCH', `/flows/${id}`, { name: `${name} renamed` });
    expect(body.data).toMatchObject({ name: `${name} renamed`, version: 1 });
  });

  it('keeps the options of success_rate until the strategy changes, and refuses them with another strategy', async () => {
    const options = { success_rate: { objective: 'margin' } };
    const { id, counter } = await create({ strategy: 'success_rate', ...options });
    expect(counter).toBeNull();
    const change = async (body: object) => (await call<{ data: object }>('PATCH', `/flows/${id}`, body)).body.data;
    expect(await change({ max_attempts: 2, success_rate: null })).toMatchObject({ version: 2, ...options });
    expect(await change({ success_rate: { objective: null } })).toMatchObject({ version: 3, success_rate: {} });
    expect(await change(options)).toMatchObject({ version: 4, ...options });
    const refused = await call<ProblemBody>('PATCH', `/flows/${id}`, { strategy: 'lowest_cost', ...options });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'success_rate' }] } });
    const cheapest = await change({ strategy: 'lowest_cost' });
    expect(cheapest).toMatchObject({ version: 5, strategy: 'lowest_cost', counter: null });
    expect(cheapest).not.toHaveProperty('success_rate');
    const use = { shops: [alpha], strategy: 'success_rate', ...options };
    const ruled = await change({
      strategy: 'rules',
      rules: [{ when: { currency: { equals: 'EUR' } }, use }],
      default: use,
    });
    expect(ruled).toMatchObject({ version: 6, rules: [{ use }], default: use });
  });

  it('changes nothing without fields', async () => {
    const { id } = await create();
    const before = await database.dump();
    expect((await call('PATCH', `/flows/${id}`, {})).status).toBe(200);
    expect(await database.dump()).toBe(before);
  });

  it('creates no further version when a change is repeated', async () => {
    const { id } = await create();
    const change = { strategy: 'weighted', shops: [{ shop_id: beta, weight: 7, conditions: { min_amount: 5 } }] };
    await call('PATCH', `/flows/${id}`, change);
    const before = await database.dump();
    const { status, body } = await call<{ data: FlowBody }>('PATCH', `/flows/${id}`, change);
    expect([status, body.data.version]).toEqual([200, 2]);
    expect(await database.dump()).toBe(before);
  });

  it('numbers concurrent changes without gaps or collisions', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call<{ data: FlowBody }>('PATCH', `/flows/${id}`, { shops: [{ shop_id: alpha, weight: index + 2 }] }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await database.pool.query<{ version: number; weight: number }>(
      `SELECT version, (definition -> 'shops' -> 0 ->> 'weight')::int AS weight FROM flow_versions
       WHERE flow_id = $1 ORDER BY version`,
      [id],
    );
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    const active = await read(id);
    expect(active).toMatchObject({ version: 21, shops: [{ weight: rows.at(-1)!.weight }] });
  });

  it('bases one change on the other when a rename and new shops are concurrent', async () => {
    const { id, name } = await create();
    await Promise.all([
      call('PATCH', `/flows/${id}`, { name: `${name} renamed` }),
      call('PATCH', `/flows/${id}`, { shops: [{ shop_id: beta }] }),
    ]);
    expect(await read(id)).toMatchObject({ name: `${name} renamed`, version: 2, shops: [{ shop_id: beta }] });
  });

  it('refuses a name that another flow has, and changes nothing then', async () => {
    const [one, other] = [await create(), await create()];
    const changes = { name: one.name, shops: [{ shop_id: beta }] };
    const { status, body } = await call<ProblemBody>('PATCH', `/flows/${other.id}`, changes);
    expect([status, body.code]).toEqual([409, 'flow_name_taken']);
    expect(await read(other.id)).toEqual(other);
  });
});

describe('DELETE /flows', () => {
  it('hides the flow and makes its name available', async () => {
    const flow = await create();
    const { status, text } = await call('DELETE', `/flows/${flow.id}`);
    expect([status, text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await call(method, `/flows/${flow.id}`)).toMatchObject({ status: 404, body: { code: 'flow_not_found' } });
    }
    expect((await call('PATCH', `/flows/${flow.id}`, { name: 'again' })).status).toBe(404);
    expect((await call('POST', '/flows/simulate', { flow_name: flow.name })).status).toBe(404);
    expect((await create({ name: flow.name })).id).not.toBe(flow.id);
  });

  it.each(['pending', 'processing'])('refuses while a payment on it is %s', async (status) => {
    const flow = await create();
    await aPayment(database, flow.id, 'completed');
    const payment = await aPayment(database, flow.id, status);
    expect(await call('DELETE', `/flows/${flow.id}`)).toMatchObject({
      status: 409,
      body: { code: 'flow_has_open_payments' },
    });
    await database.pool.query(`UPDATE payments SET status = 'failed' WHERE id = $1`, [payment]);
    expect((await call('DELETE', `/flows/${flow.id}`)).status).toBe(204);
  });

  it('deletes once for two concurrent requests', async () => {
    const { id } = await create();
    const answers = await Promise.all([1, 2, 3].map(() => call('DELETE', `/flows/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
  });
});

describe('POST /flows/simulate', () => {
  it('answers in full as specified', async () => {
    const { id, name } = await create({ shops: [{ shop_id: alpha, priority: 3, weight: 9 }, { shop_id: beta }] });
    await app.routing.route(merchant, name, { amount: 1, currency: 'USD' });
    const answer = await call('POST', '/flows/simulate', {
      flow_name: name,
      amount: 49.9,
      currency: 'EUR',
      country: 'DE',
      customer_id: 4711,
      metadata: { order: { lines: [1, 2] } },
      simple: false,
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^application\/json/) },
    });
    expect(answer.body).toEqual({
      success: true,
      data: {
        success: true,
        flow: { id, name, strategy: 'round_robin' },
        result: {
          strategy: 'round_robin',
          primary_shop: { shop_id: alpha, shop_name: 'Alpha', priority: 3, weight: 9 },
          simulation_mode: true,
          current_counter: 1,
          next_counter: 2,
        },
        simulation: true,
      },
    });
  });

  it('answers with a bare boolean for the simple form', async () => {
    const { name } = await create({ shops: [{ shop_id: alpha, conditions: { currencies: ['EUR'] } }] });
    for (const [currency, available] of [
      ['EUR', true],
      ['USD', false],
    ] as const) {
      const answer = await call('POST', '/flows/simulate', { flow_name: name, currency, simple: true });
      expect(answer).toMatchObject({ status: 200, text: String(available), body: available });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('assumes 100.00 USD by default', async () => {
    const conditions = { currencies: ['USD'], min_amount: 100, max_amount: 100 };
    const { name } = await create({ shops: [{ shop_id: alpha, conditions }] });
    expect((await call('POST', '/flows/simulate', { flow_name: name, simple: true })).body).toBe(true);
  });

  it('answers 200 without a shop if no shop takes the request', async () => {
    const { id, name } = await create({ shops: [{ shop_id: alpha, conditions: { countries: ['FR'] } }] });
    const { status, body } = await call('POST', '/flows/simulate', { flow_name: name });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: { success: false, flow: { id }, result: { primary_shop: null, current_counter: 0, next_counter: 0 } },
    });
    expect(await storedCounter(database, id)).toBe(0);
  });

  it('refuses an unknown flow name', async () => {
    for (const simple of [true, false]) {
      expect(await call('POST', '/flows/simulate', { flow_name: 'nowhere', simple })).toMatchObject({
        status: 404,
        body: { code: 'flow_not_found', success: false },
      });
    }
  });
});

describe('tenancy', () => {
  it('merchants use the same name independently', async () => {
    const flow = await create();
    const stranger = await aMerchant(database);
    const shop = await aShop(database, stranger, 'Alpha');
    const request = aFlowBody({ name: flow.name, shops: [{ shop_id: shop }] });
    expect((await app.as(stranger)('POST', '/flows', request)).status).toBe(201);
  });

  it('a flow refuses a shop of another merchant', async () => {
    const foreign = await aShop(database, await aMerchant(database), 'Foreign');
    const flow = await create();
    for (const [method, url] of [
      ['POST', '/flows'],
      ['PATCH', `/flows/${flow.id}`],
    ] as const) {
      const request = { shops: [{ shop_id: alpha }, { shop_id: foreign }] };
      const { status, body } = await call<ProblemBody>(method, url, method === 'POST' ? aFlowBody(request) : request);
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ field: 'shops[1].shop_id', message: 'is not a shop of yours' }]);
    }
  });
});
