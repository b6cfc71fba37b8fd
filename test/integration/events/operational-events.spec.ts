import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { type ShopOutcome, ShopOutcomesService } from '../../../src/shops/shop-outcomes.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { following, openStream, pageOf, take } from './events-harness.js';
import { writtenEvents } from './written-events.js';

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;
let now: number;
let made = 0;

beforeAll(async () => {
  api = await startApi({}, { lockTimeoutMs: 30_000 });
  client = await api.login();
  merchant = new Merchant(client);
  jest.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(now));
});
afterAll(() => api.stop());
beforeEach(async () => {
  now = Math.ceil(Date.now() / 60_000) * 60_000;
  shop = await merchant.createShop(`Shop ${++made}`);
});

const MINUTE = 60_000;
const FAILURE = new Error('the process dies before the commit');
const outcome = (one: ShopOutcome) =>
  api.get(Database).transaction((transaction) => api.get(ShopOutcomesService).record(transaction, shop.id, one));
const concurrently = (times: number, one: ShopOutcome) =>
  Promise.all(Array.from({ length: times }, () => outcome(one)));
const shopEvents = () => writtenEvents(api, { shopId: shop.id });
const types = async () => (await shopEvents()).map(({ type }) => type);

describe('shop.down and shop.up', () => {
  it('report the begin and the end of an outage, with its facts', async () => {
    await outcome('approved');
    for (let fault = 0; fault < 9; fault++) await outcome('failed');
    const began = now;
    const down = { shop_name: shop.name, provider: 'sandbox', began_at: new Date(began).toISOString() };
    const payments = { approved: 1, declined: 0, failed: 9 };
    expect(await shopEvents()).toMatchObject([{ type: 'shop.down', payment_id: null, data: { ...down, ...payments } }]);
    now += 2 * MINUTE;
    // a fault of the half-open shop prolongs the outage
    await outcome('failed');
    expect(await types()).toEqual(['shop.down']);
    now += 2 * MINUTE;
    await outcome('approved');
    const up = { ...down, ended_at: new Date(now).toISOString() };
    expect((await shopEvents())[1]).toMatchObject({ type: 'shop.up', data: up });
    for (let fault = 0; fault < 10; fault++) await outcome('failed');
    expect(await types()).toEqual(['shop.down', 'shop.up', 'shop.down']);
  });

  it('report each change once, for concurrent payments', async () => {
    for (let fault = 0; fault < 9; fault++) await outcome('failed');
    await concurrently(8, 'failed');
    expect(await types()).toEqual(['shop.down']);
    now += 2 * MINUTE;
    await concurrently(8, 'approved');
    expect(await types()).toEqual(['shop.down', 'shop.up']);
  });

  it('disappear with an outage that is rolled back', async () => {
    for (let fault = 0; fault < 9; fault++) await outcome('failed');
    const faulty = api.get(Database).transaction(async (transaction) => {
      await api.get(ShopOutcomesService).record(transaction, shop.id, 'failed');
      throw FAILURE;
    });
    await expect(faulty).rejects.toBe(FAILURE);
    expect(await types()).toEqual([]);
    await outcome('failed');
    expect(await types()).toEqual(['shop.down']);
  });

  it('come in the order of the changes, if a transaction that was numbered first ends the outage', async () => {
    for (let fault = 0; fault < 9; fault++) await outcome('failed');
    await api.get(Database).transaction(async (transaction) => {
      await transaction.query({ name: 'tests.take_number', text: 'SELECT pg_current_xact_id()::text' });
      await outcome('failed');
      now += 2 * MINUTE;
      await api.get(ShopOutcomesService).record(transaction, shop.id, 'approved');
    });
    expect(await types()).toEqual(['shop.down', 'shop.up']);
  });
});

describe('flow.activated and flow.rolled_back', () => {
  let flow: { id: number; name: string };
  beforeEach(async () => {
    flow = await merchant.createFlow(`flow ${shop.id}`, [shop.id]);
  });

  const definition = (weight: number) => ({ strategy: 'weighted', shops: [{ shop_id: shop.id, weight }] });
  const draft = async (weight: number) =>
    dataOf<{ version: number }>(await client.post(`/flows/${flow.id}/versions`, definition(weight))).version;
  const activate = (version: number) => client.post(`/flows/${flow.id}/versions/${version}/activate`);
  const flowEvents = async () =>
    [
      ...(await writtenEvents(api, { type: 'flow.activated' })),
      ...(await writtenEvents(api, { type: 'flow.rolled_back' })),
    ]
      .filter(({ data }) => data['flow_id'] === flow.id)
      .map(({ type, data, shop_id }) => [type, data['previous_version'], data['version'], data['reason'], shop_id]);
  const activated = (from: number | null, to: number) => ['flow.activated', from, to, undefined, null];

  it('report the first version, a change, and a draft that is activated', async () => {
    await client.request('PATCH', `/flows/${flow.id}`, definition(2));
    await client.request('PATCH', `/flows/${flow.id}`, { name: `renamed ${shop.id}` });
    await activate(await draft(3));
    expect(await flowEvents()).toEqual([activated(null, 1), activated(1, 2), activated(2, 3)]);
    const [last] = (await writtenEvents(api, { type: 'flow.activated' })).slice(-1);
    expect(last!.data).toMatchObject({ flow_name: `renamed ${shop.id}` });
  });

  it('report the return to a version that was active before, but not an older draft, as a roll back', async () => {
    const [older, newer] = [await draft(2), await draft(3)];
    await activate(newer);
    await activate(older);
    await activate(newer);
    await activate(1);
    const forward = [activated(null, 1), activated(1, newer), activated(newer, older), activated(older, newer)];
    expect(await flowEvents()).toEqual([...forward, ['flow.rolled_back', newer, 1, 'requested', null]]);
  });

  it('flow.renamed reports each change of the name once', async () => {
    const [before, after] = [flow.name, `${flow.name} in Europe`];
    await client.patch(`/flows/${flow.id}`, { name: after });
    await client.patch(`/flows/${flow.id}`, { name: after, ...definition(2) });
    await client.patch(`/flows/${flow.id}`, { name: before, ...definition(3) });
    const renamed = (await writtenEvents(api, { type: 'flow.renamed' })).map(({ data }) => data);
    expect(renamed.filter(({ flow_id: id }) => id === flow.id)).toEqual([
      { flow_id: flow.id, flow_name: after, previous_name: before },
      { flow_id: flow.id, flow_name: before, previous_name: after },
    ]);
    expect(await flowEvents()).toEqual([activated(null, 1), activated(1, 2), activated(2, 3)]);
  });

  it('report one of concurrent activations of a version', async () => {
    const version = await draft(2);
    await Promise.all([1, 2, 3, 4, 5].map(() => activate(version)));
    expect(await flowEvents()).toEqual([activated(null, 1), activated(1, version)]);
  });

  it('disappear with an activation that is rolled back', async () => {
    const version = await draft(2);
    const audit = jest.spyOn(api.get(AuditLogService), 'record').mockRejectedValueOnce(FAILURE);
    expect((await activate(version)).status).toBe(500);
    audit.mockRestore();
    expect(await flowEvents()).toEqual([activated(null, 1)]);
  });

  it('appear without a shop filter, on a second page, and in a stream', async () => {
    await activate(await draft(2));
    await earlierTransactions(api.database);
    const { events: found } = await following(client, undefined, { types: 'flow.activated,flow.rolled_back' });
    expect(found.at(-1)).toMatchObject({ shop_id: null, payment_id: null, data: { flow_id: flow.id } });
    expect((await following(client, undefined, { shop_id: shop.id, types: 'flow.activated' })).events).toEqual([]);
    const first = await pageOf(client, { types: 'flow.activated', limit: 1 });
    const second = await pageOf(client, { types: 'flow.activated', limit: 1, after: first.pagination.next_cursor });
    expect([...first.data, ...second.data]).toEqual(found.filter(({ type }) => type === 'flow.activated').slice(0, 2));
    const stream = await openStream(client, { types: 'flow.activated' }, first.pagination.next_cursor);
    expect((await take(stream, 1))[0]).toEqual(second.data[0]);
    stream.close();
  });
});
