import { gzipSync } from 'node:zlib';
import { insertEvents } from '../../../src/webhooks/fan-out/fan-out-sql.js';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ApiClient } from '../../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/servers/receiver.js';

interface EndpointAnswer {
  id: number;
  secret: string;
}

interface DeliveryAnswer {
  id: number;
  endpoint_id: number | null;
  event: string;
  status: string;
  shop_id: number | null;
}

let database: TestDatabase;
let service: InProcessService;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;
let receiver: Receiver;
let moved: Receiver;

beforeAll(async () => {
  [database, receiver, moved] = await Promise.all([createTestDatabase(), startReceiver(), startReceiver()]);
  service = await startServiceInProcess({
    entry: 'all',
    databaseUrl: database.url,
    env: { WEBHOOK_RETRY_DELAYS_MS: '200,200,200,200,200,200,200,200', RATE_LIMIT_PER_SECOND: '10000' },
  });
  client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  merchant = new Merchant(client);
  shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.stop(), moved.stop()]);
  await database.drop();
});
beforeEach(async () => {
  for (const { id } of dataOf<EndpointAnswer[]>(await client.get('/webhooks/endpoints?kind=standing')))
    await client.delete(`/webhooks/endpoints/${id}`);
  for (const each of [receiver, moved]) {
    each.respondWith(200);
    each.requests.length = 0;
  }
});

const create = async (fields: object = {}): Promise<EndpointAnswer> =>
  dataOf(await client.post('/webhooks/endpoints', { url: `${receiver.url}/hooks`, ...fields }));
const rotate = async (id: number, body: object): Promise<{ secret: string }> =>
  dataOf(await client.post(`/webhooks/endpoints/${id}/rotate-secret`, body));
/** Pays and returns the webhooks of the payment, in the order of their arrival. */
async function webhooksOf(at = receiver): Promise<ReceivedRequest[]> {
  const { id } = await merchant.pay('checkout');
  return eventually(() => {
    const own = at.requests.filter((request) => request.json<{ payment?: { id: number } }>().payment?.id === id);
    return own.length >= 2 && own;
  });
}
const isSignedWith = (secret: string, { headers, body }: ReceivedRequest): boolean =>
  headers['signature'] === createHmac('sha256', secret).update(body).digest('hex');
const verifies = (secret: string, { headers, body }: ReceivedRequest): boolean => {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
};

describe('A standing endpoint', () => {
  it('gets webhooks with its signature, id, headers and authentication', async () => {
    const { id, secret } = await create({
      headers: { 'X-Environment': 'test' },
      auth: { type: 'bearer', token: 'tok' },
    });
    for (const request of await webhooksOf()) {
      expect([isSignedWith(secret, request), verifies(secret, request)]).toEqual([true, true]);
      expect(request.headers).toMatchObject({
        'webhook-endpoint-id': String(id),
        'webhook-shop-id': String(shop.id),
        'x-environment': 'test',
        authorization: 'Bearer tok',
      });
    }
  });

  it('gets signatures of both secrets in the overlap of a rotation, and of one afterwards', async () => {
    const { id, secret } = await create();
    const next = await rotate(id, { overlap_seconds: 3_600 });
    for (const request of await webhooksOf()) {
      expect([isSignedWith(secret, request), isSignedWith(next.secret, request)]).toEqual([false, true]);
      expect([verifies(secret, request), verifies(next.secret, request)]).toEqual([true, true]);
    }
    const last = await rotate(id, { overlap_seconds: 0 });
    for (const request of await webhooksOf())
      expect([verifies(secret, request), verifies(next.secret, request), verifies(last.secret, request)]).toEqual([
        false,
        false,
        true,
      ]);
  });

  it('gets signatures of an announced secret in webhook-signature only', async () => {
    const { id, secret } = await create();
    const next = await rotate(id, { activate_in_seconds: 3_600 });
    for (const request of await webhooksOf()) {
      expect([isSignedWith(secret, request), isSignedWith(next.secret, request)]).toEqual([true, false]);
      expect([verifies(secret, request), verifies(next.secret, request)]).toEqual([true, true]);
    }
  });

  it('gets pending webhooks at its new address', async () => {
    receiver.respondWith(503);
    const { id, secret } = await create();
    await webhooksOf();
    dataOf(await client.patch(`/webhooks/endpoints/${id}`, { url: `${moved.url}/new` }));
    const arrived = await eventually(() => moved.requests.length >= 2 && moved.requests);
    expect(arrived.every((request) => request.url === '/new' && isSignedWith(secret, request))).toBe(true);
    await eventually(async () => {
      const { data } = (await client.get<{ data: DeliveryAnswer[] }>(`/webhooks/deliveries?endpoint_id=${id}`)).body;
      expect(data.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    });
    // and so do later ones, in a lane of the new origin
    expect((await webhooksOf(moved)).length).toBe(2);
    const { origin, delivered } = dataOf<Record<string, unknown>>(await client.get(`/webhooks/endpoints/${id}`));
    expect([origin, typeof delivered]).toEqual([new URL(moved.url).origin, 'number']);
  });
});

describe('The way back to addresses of payments', () => {
  it('loses no change if the endpoint is deleted when open_payments and pending are 0', async () => {
    const { id } = await create({ shop_ids: [shop.id] });
    const open = { capture: 'manual', payment_method: { token: 'tok_authorize_only' } };
    const older = await merchant.pay('checkout', open);
    const newer = await merchant.pay('checkout', { ...open, webhook_endpoint: `${moved.url}/address` });
    const left = async () => {
      const { open_payments: payments, pending } = dataOf<Record<string, unknown>>(
        await client.get(`/webhooks/endpoints/${id}`),
      );
      return [payments, pending];
    };
    await eventually(async () => expect(await left()).toEqual([1, 0]));
    dataOf(await client.post(`/payments/${older.id}/capture`, {}));
    await eventually(async () => expect(await left()).toEqual([0, 0]));
    expect((await client.delete(`/webhooks/endpoints/${id}`)).status).toBe(204);
    dataOf(await client.post(`/payments/${newer.id}/capture`, {}));
    type Report = { payment: { id: number; status: string } };
    const statusesOf = (at: Receiver, payment: { id: number }) =>
      at.requests
        .map((request) => request.json<Report>().payment)
        .filter((each) => each.id === payment.id)
        .map(({ status }) => status);
    await eventually(() => expect(statusesOf(moved, newer)).toEqual(['processing', 'completed']));
    expect(statusesOf(receiver, older)).toEqual(['processing', 'completed']);
  });
});

describe('POST /webhooks/endpoints/{id}/test', () => {
  const test = async (id: number, body?: object) =>
    dataOf<Record<string, unknown>>(await client.post(`/webhooks/endpoints/${id}/test`, body));

  it('sends a sample of the chosen type like a delivery', async () => {
    const { id, secret } = await create({
      event_types: ['shop.down'],
      headers: { 'X-Environment': 'test' },
      auth: { type: 'basic', username: 'a', password: 'b' },
    });
    const result = await test(id);
    const [request] = receiver.requests as [ReceivedRequest];
    expect(result).toMatchObject({ delivered: true, status_code: 200, request_body: request.body.toString() });
    expect(request.json()).toMatchObject({ event: 'shop.down', test: true });
    expect([isSignedWith(secret, request), verifies(secret, request)]).toEqual([true, true]);
    expect(request.headers).toMatchObject({
      'webhook-test': 'true',
      'webhook-endpoint-id': String(id),
      'x-environment': 'test',
      authorization: 'Basic YTpi',
    });
    await test(id, { event_type: 'payment.status_changed' });
    expect(receiver.requests[1]!.json()).toMatchObject({ event: 'payment.status_changed', shop: { id: shop.id } });
    await test(id, { event_type: 'flow.activated' });
    expect(receiver.requests[2]!.headers['webhook-shop-id']).toBeUndefined();
    const audit = dataOf<{ action: string }[]>(await client.get(`/audit?object_type=endpoint&object_id=${id}&limit=3`));
    expect(audit.map(({ action }) => action)).toEqual(['endpoint.tested', 'endpoint.tested', 'endpoint.tested']);
  });

  it('returns the message that a chat got', async () => {
    const { id, secret } = await create({ format: 'slack', event_types: ['endpoint.failing'] });
    const result = await test(id);
    const [request] = receiver.requests as [ReceivedRequest];
    expect(result).toMatchObject({ request_body: request.body.toString(), signature: request.headers['signature'] });
    expect([isSignedWith(secret, request), request.json()]).toEqual([true, { text: expect.any(String) }]);
  });

  it('describes a failure, and refuses an unknown type', async () => {
    const { id } = await create();
    receiver.respondWith({ status: 500, body: 'broken' });
    expect(await test(id)).toMatchObject({ delivered: false, status_code: 500, response_body: 'broken' });
    receiver.respondWith({ status: 500, body: gzipSync('order 7'), headers: { 'content-encoding': 'gzip' } });
    expect(await test(id)).toMatchObject({ status_code: 500, response_body: 'order 7' });
    const { status } = await client.post(`/webhooks/endpoints/${id}/test`, { event_type: 'x' });
    expect(status).toBe(422);
  });

  it('shows no header and no credentials that the receiver echoes, here and in attempts', async () => {
    const { id } = await create({
      headers: { 'X-Key': 'the-header-0123' },
      auth: { type: 'basic', username: 'orders', password: 'the-password-0123' },
    });
    receiver.respondWith(({ headers }) => ({ body: JSON.stringify(headers) }));
    const shown = /"x-key":"\*\*\*".*"authorization":"\*\*\*"/;
    expect(await test(id)).toMatchObject({ response_body: expect.stringMatching(shown) });
    await webhooksOf();
    const body = await eventually(async () => {
      const [delivery] = dataOf<DeliveryAnswer[]>(await client.get(`/webhooks/deliveries?endpoint_id=${id}`));
      const { attempts } = dataOf<{ attempts: { response_body: string }[] }>(
        await client.get(`/webhooks/deliveries/${delivery!.id}`),
      );
      return attempts[0]?.response_body;
    });
    expect(body).toMatch(shown);
  });

  it('also reaches a paused endpoint', async () => {
    const { id } = await create();
    dataOf(await client.post(`/webhooks/endpoints/${id}/pause`));
    expect(await test(id)).toMatchObject({ delivered: true });
  });
});

describe('POST /webhooks/endpoints/{id}/conformance', () => {
  it('sends the cases with the secret, headers and authentication of the endpoint', async () => {
    const { id, secret } = await create({ headers: { 'X-A': '1' }, auth: { type: 'bearer', token: 'tok' } });
    receiver.respondWith((request) => (isSignedWith(secret, request) ? 200 : 401));
    const { cases } = dataOf<{ cases: { name: string; passed: boolean }[] }>(
      await client.post(`/webhooks/endpoints/${id}/conformance`),
    );
    const passed = cases.flatMap((each) => (each.passed ? [each.name] : []));
    expect(passed).toEqual(
      expect.arrayContaining(['genuine', 'tampered_body', 'wrong_secret', 'large_body', 'slow_body']),
    );
    expect(passed).not.toContain('stale_timestamp');
    for (const { headers } of receiver.requests)
      expect(headers).toMatchObject({ 'webhook-endpoint-id': String(id), 'x-a': '1', authorization: 'Bearer tok' });
  });
});

describe('GET /webhooks/deliveries?endpoint_id=', () => {
  const list = async (query: string): Promise<DeliveryAnswer[]> =>
    dataOf(await client.get(`/webhooks/deliveries?${query}`));

  it('lists the deliveries to one endpoint of either kind, on pages', async () => {
    const other = await startReceiver();
    const [first, second] = [await create(), await create({ url: `${other.url}/hooks`, shop_ids: [shop.id] })];
    const payment = await merchant.pay('checkout', { webhook_endpoint: `${receiver.url}/own` });
    const sent = await eventually(async () => {
      const found = await list(`payment_id=${payment.id}`);
      return found.length === 6 && found.every(({ status }) => status === 'delivered') && found;
    });
    const idsTo = (endpointId: number | null) =>
      sent.filter(({ endpoint_id: to }) => to === endpointId).map(({ id }) => id);
    for (const { id } of [first, second]) {
      for (const query of ['', '&status=delivered', `&shop_id=${shop.id}`, `&payment_id=${payment.id}`])
        expect((await list(`endpoint_id=${id}${query}`)).map((each) => each.id)).toEqual(idsTo(id));
      expect(await list(`endpoint_id=${id}&status=failed`)).toEqual([]);
      const page = await client.get<{ data: DeliveryAnswer[]; pagination: { next_cursor: string } }>(
        `/webhooks/deliveries?endpoint_id=${id}&limit=1`,
      );
      const { data, pagination } = page.body;
      const rest = await list(`endpoint_id=${id}&cursor=${pagination.next_cursor}`);
      expect([...data, ...rest].map((each) => each.id)).toEqual(idsTo(id));
    }
    const [own] = dataOf<{ id: number }[]>(await client.get('/webhooks/endpoints?kind=payment'));
    expect((await list(`endpoint_id=${own!.id}`)).map(({ id }) => id)).toEqual(idsTo(null));
    await other.stop();
  });

  it('lists those of events without a shop, also without the filter', async () => {
    const { id } = await create({ event_types: ['endpoint.disabled'] });
    await database.pool.query(
      `WITH ${insertEvents(
        [],
        `SELECT current_event_position(), merchant_id, 'endpoint.disabled', '{}'::json FROM webhook_endpoints WHERE id = $1`,
      )} SELECT FROM new_events`,
      [id],
    );
    const [delivery] = await eventually(async () => {
      const found = await list(`endpoint_id=${id}`);
      return found.length === 1 && found;
    });
    expect(delivery).toMatchObject({ event: 'endpoint.disabled', shop_id: null });
    expect((await list('limit=1'))[0]!.id).toBe(delivery!.id);
  });

  it('finds no endpoint of another merchant, and none that does not exist', async () => {
    const { status, body } = await client.get('/webhooks/deliveries?endpoint_id=987654321');
    expect([status, body]).toMatchObject([404, { code: 'endpoint_not_found' }]);
  });

  it('still lists those of a deleted endpoint', async () => {
    const { id } = await create();
    await webhooksOf();
    await client.delete(`/webhooks/endpoints/${id}`);
    expect(await list(`endpoint_id=${id}`)).toHaveLength(2);
  });
});

describe('POST /webhooks/deliveries/{id}/retry', () => {
  it('refuses another address for a delivery to a standing endpoint, and sends it to the endpoint without one', async () => {
    const { id } = await create();
    await webhooksOf();
    const delivery = await eventually(async () => {
      const [first] = dataOf<DeliveryAnswer[]>(await client.get(`/webhooks/deliveries?endpoint_id=${id}`));
      return first?.status === 'delivered' && first;
    });
    const path = `/webhooks/deliveries/${delivery.id}/retry`;
    const { status, body } = await client.post(path, { webhook_endpoint: `${moved.url}/other` });
    expect([status, body]).toMatchObject([
      422,
      { errors: [{ field: 'webhook_endpoint', message: 'must be absent for a delivery to a standing endpoint' }] },
    ]);
    dataOf(await client.post(path));
    await eventually(() => expect(receiver.requests).toHaveLength(3));
    expect(moved.requests).toEqual([]);
  });
});
