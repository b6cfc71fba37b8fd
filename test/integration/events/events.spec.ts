import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import { Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { type EventsQuery, firstOf, following, pageOf, pathOf } from './events-harness.js';

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;
let payment: PaymentAnswer;

const payAnnounced = (): Promise<PaymentAnswer> =>
  merchant.pay('checkout', {
    webhook_endpoint: 'http://127.0.0.1:4000/hook',
    metadata: { order: 'A-1 ü\u2028', '10': 0, '9': 1e21 },
  });

beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  merchant = new Merchant(client);
  shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
  payment = await payAnnounced();
});
beforeEach(() => earlierTransactions(api.database));
afterAll(() => api.stop());

describe('a page of events', () => {
  it('contains the body of the webhook for each change of status, byte for byte', async () => {
    const text = await rawPage();
    const deliveries = await api.deliveriesOf(payment.id);
    expect(deliveries.map((delivery) => delivery.payment_status)).toEqual(['processing', 'completed']);
    for (const { request_body: body } of deliveries) expect(text).toContain(`"data":${body}}`);
  });

  it('names the event, its payment, shop and time', async () => {
    const [first, second] = (await pageOf(client, { types: 'payment.status_changed', limit: 2 })).data;
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'payment.status_changed',
      created_at: first!.data['timestamp'],
      shop_id: shop.id,
      payment_id: payment.id,
      data: expect.objectContaining({ event: 'payment.status_changed' }),
    });
    expect(second!.id).not.toBe(first!.id);
  });

  it('the body of each change has the id of its event, stored or rendered', async () => {
    const { cursor } = await following(client);
    const announced = await payAnnounced();
    await merchant.pay('checkout');
    const events = await firstOf(client, 4, cursor);
    expect(events.map(({ data }) => data['id'])).toEqual(events.map(({ id }) => id));
    const bodies = (await api.deliveriesOf(announced.id)).map(({ request_body: body }) => JSON.parse(body) as object);
    expect(bodies).toEqual(events.slice(0, 2).map(({ id }) => expect.objectContaining({ id })));
  });

  it('contains all of the latest events that `last` asks for', async () => {
    for (let count = 0; count < 12; count += 1) await merchant.pay('checkout');
    await earlierTransactions(api.database);
    const { events: all } = await following(client);
    const { data, pagination } = await pageOf(client, { last: 24 });
    expect([data.map(({ id }) => id), pagination.has_more]).toEqual([all.slice(-24).map(({ id }) => id), false]);
    expect((await pageOf(client, { last: 24, limit: 5 })).data.map(({ id }) => id)).toEqual(
      all.slice(-24, -19).map(({ id }) => id),
    );
  });

  it('contains the same data for a payment without a webhook address', async () => {
    const { cursor } = await following(client);
    const silent = await merchant.pay('checkout', { metadata: { order: 'A-2' } });
    const [processing, completed] = await firstOf(client, 2, cursor);
    expect(processing!.data).toMatchObject({ event: 'payment.status_changed', metadata: { order: 'A-2' } });
    expect([processing, completed].map((event) => event!.data.payment)).toMatchObject([
      { id: silent.id, status: 'processing' },
      { id: silent.id, status: 'completed', updated_at: silent.updated_at },
    ]);
  });

  it('continues after its cursor, even if no event follows yet', async () => {
    const { events: all } = await following(client);
    const first = await pageOf(client, { limit: 1 });
    expect([first.data, first.pagination.has_more]).toEqual([[all[0]], true]);
    const rest = await following(client, first.pagination.next_cursor);
    expect(rest.events).toEqual(all.slice(1));
    const end = await pageOf(client, { after: rest.cursor });
    expect(end).toMatchObject({ data: [], pagination: { has_more: false } });
    const later = await merchant.pay('checkout');
    // both: an event that becomes visible later would appear between the next test's requests
    const [next] = await firstOf(client, 2, end.pagination.next_cursor);
    expect(next!.payment_id).toBe(later.id);
  });

  it('contains the latest events, or begins with new ones', async () => {
    const { events } = await following(client);
    expect((await pageOf(client, { last: 2 })).data).toEqual(events.slice(-2));
    expect((await pageOf(client, { last: 0 })).data).toEqual([]);
    expect((await pageOf(client, { last: 100, limit: 100 })).data).toEqual(events);
  });

  it('contains only events of the given types and shop', async () => {
    const other = await merchant.createShop('Bonn');
    await merchant.createFlow('elsewhere', [other.id]);
    const there = await merchant.pay('elsewhere');
    await earlierTransactions(api.database);
    const { events } = await following(client);
    const shopEvents = async (id: number) => (await following(client, undefined, { shop_id: id })).events;
    expect((await shopEvents(other.id)).map((event) => event.payment_id)).toEqual([there.id, there.id]);
    const own = events.filter(({ shop_id: id }) => id === shop.id);
    expect(await shopEvents(shop.id)).toEqual(own);
    expect((await following(client, undefined, { types: 'delivery.failed,endpoint.failing' })).events).toEqual([]);
    expect((await pageOf(client, { last: 1, shop_id: shop.id })).data).toEqual(own.slice(-1));
  });

  it('finds the latest events of a quiet shop and of a rare type behind thousands of other events', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const theirs = new Merchant(stranger);
    const [quiet, busy] = [await theirs.createShop('quiet'), await theirs.createShop('busy')];
    await theirs.createFlow('checkout', [quiet.id]);
    const paid = await theirs.pay('checkout');
    const { pool } = api.database;
    const { rows } = await pool.query<{ id: number }>('SELECT merchant_id AS id FROM shops WHERE id = $1', [busy.id]);
    const merchantId = rows[0]!.id;
    await pool.query(
      `INSERT INTO webhook_events (event_position, merchant_id, shop_id, type, data)
       VALUES (current_event_position(), $1, $2, 'endpoint.recovered', '{}')`,
      [merchantId, quiet.id],
    );
    await pool.query(
      `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
       SELECT $3, 'pending', 'processing', 'provider_answer', now(), $1, $2, current_event_position() FROM generate_series(1, 6000)`,
      [merchantId, busy.id, paid.id],
    );
    await pool.query(
      `INSERT INTO webhook_events (event_position, merchant_id, shop_id, type, data)
       SELECT current_event_position(), $1, $2, 'delivery.failed', '{}' FROM generate_series(1, 6000)`,
      [merchantId, busy.id],
    );
    await earlierTransactions(api.database);

    const found = async (query: EventsQuery) => {
      const { data, pagination } = await pageOf(stranger, query);
      return [data.map(({ type, shop_id }) => `${type} of ${shop_id}`), pagination.has_more];
    };
    const change = `payment.status_changed of ${quiet.id}`;
    const recovered = `endpoint.recovered of ${quiet.id}`;
    expect(await found({ last: 5, shop_id: quiet.id })).toEqual([[change, change, recovered], false]);
    expect(await found({ last: 1, shop_id: quiet.id, types: 'payment.status_changed' })).toEqual([[change], false]);
    expect(await found({ last: 5, types: 'endpoint.recovered,endpoint.failing' })).toEqual([[recovered], false]);
    expect(await found({ shop_id: quiet.id })).toEqual([[change, change, recovered], false]);
    expect(await found({ types: 'endpoint.failing' })).toEqual([[], false]);
    expect(await found({ shop_id: busy.id, types: 'endpoint.recovered' })).toEqual([[], false]);
  });

  it('contains no event of another merchant, for any cursor', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const first = (await pageOf(client, { limit: 1 })).pagination.next_cursor;
    expect((await following(stranger)).events).toEqual([]);
    expect((await following(stranger, first)).events).toEqual([]);
    expect((await following(stranger, undefined, { shop_id: shop.id })).events).toEqual([]);
    expect((await pageOf(stranger, { last: 10 })).data).toEqual([]);
  });

  it("contains the webhook's current data after the stored body is deleted", async () => {
    const { cursor } = await following(client);
    const { id, provider_metadata } = await payAnnounced();
    const [before] = await firstOf(client, 2, cursor);
    const ids = (await api.deliveriesOf(id)).map((delivery) => delivery.id);
    await api.database.pool.query(`UPDATE webhook_bodies SET body = '' WHERE delivery_id = ANY ($1)`, [ids]);
    const [after] = (await pageOf(client, { after: cursor, limit: 1 })).data;
    expect(after).toEqual({ ...before, data: { ...before!.data, provider_metadata } });
  });

  it.each<[string, EventsQuery]>([
    ['a cursor of another list', { after: Buffer.from('v1:3').toString('base64url') }],
    ['a cursor from another database', { after: Buffer.from('e1:9000000000000000000:1').toString('base64url') }],
    ['an unknown type', { types: 'payment.status_changed,payment.made' }],
    ['a type next to an additional comma', { types: 'delivery.failed,' }],
    ['more than a page', { limit: 101 }],
    ['a last that is not a number', { last: 'two' }],
  ])('refuses %s', async (_, query) => {
    expect((await client.get(pathOf(query))).status).toBe(400);
  });
});

/** The raw body of the answer. */
async function rawPage(): Promise<string> {
  const headers = { authorization: `Bearer ${client.token}` };
  return (await fetch(new URL('/events?limit=100', api.url), { headers })).text();
}
