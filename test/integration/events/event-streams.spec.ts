import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type EventReader, EventStreams } from '../../../src/events/event-streams.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { sharedApi, startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';
import { answered } from '../../support/app/charge-facts.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import { insertClient } from '../../support/app/insert-client.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { pendingPayment } from '../payments/checkout.js';
import {
  cursorBehind,
  type EventsQuery,
  type EventStream,
  firstOf,
  following,
  next,
  openStream,
  take,
} from './events-harness.js';

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let merchantId: number;
const streams: EventStream[] = [];

beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  merchant = new Merchant(client);
  const shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
  const { rows } = await api.database.pool.query<{ merchant_id: number }>(
    'SELECT merchant_id FROM shops WHERE id = $1',
    [shop.id],
  );
  merchantId = rows[0]!.merchant_id;
});
beforeEach(() => earlierTransactions(api.database));
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await eventually(async () => expect(await openStreams()).toBe(0));
});
afterAll(() => api.stop());

async function open(query: EventsQuery = {}, lastEventId?: string, by = client) {
  const stream = await openStream(by, query, lastEventId);
  streams.push(stream);
  return stream;
}

const openStreams = async (): Promise<number> =>
  Number(/^event_streams_open (\d+)$/m.exec((await client.get<string>('/metrics')).body)![1]);

const paymentIds = (events: { payment_id: number | null }[]): (number | null)[] =>
  events.map(({ payment_id: id }) => id);

describe('a stream of events', () => {
  it('begins now, and sends each event with its cursor and type', async () => {
    const before = await merchant.pay('checkout');
    const cursor = await cursorBehind(client, before.id);
    const stream = await open();
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const place = await next(stream);
    expect([place.data, place.lastEventId]).toEqual([null, expect.any(String)]);
    const payment = await merchant.pay('checkout');
    let event = await next(stream);
    // frames with only a position arrive while other transactions hold the event back
    while (event.data === null) event = await next(stream);
    const events = await firstOf(client, 2, cursor);
    expect([event.type, JSON.parse(event.data)]).toEqual(['payment.status_changed', events[0]]);
    expect(paymentIds(events)).toEqual([payment.id, payment.id]);
    expect((await following(client, event.lastEventId)).events).toEqual(events.slice(1));
  });

  it('continues after the Last-Event-ID, regardless of its other parameters', async () => {
    const { cursor } = await following(client);
    const payment = await merchant.pay('checkout');
    const stream = await open({ after: 'nonsense' }, cursor);
    expect(paymentIds(await take(stream, 2))).toEqual([payment.id, payment.id]);
  });

  it('begins with the latest events, of the given types and shop', async () => {
    const payment = await merchant.pay('checkout');
    await cursorBehind(client, payment.id);
    const stream = await open({ last: 1, types: 'payment.status_changed', shop_id: payment.shop.id });
    const [event] = await take(stream, 1);
    expect([event!.payment_id, event!.data.payment!.status]).toEqual([payment.id, 'completed']);
  });

  it('contains no event of another merchant', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const theirs = new Merchant(stranger);
    await theirs.createFlow('checkout', [(await theirs.createShop('Rome')).id]);
    // not the activation of the flow, which other transactions may hold back until now
    const stream = await open({ types: 'payment.status_changed' }, undefined, stranger);
    await next(stream);
    await merchant.pay('checkout');
    const own = await theirs.pay('checkout');
    expect(paymentIds(await take(stream, 2))).toEqual([own.id, own.id]);
  });

  it('fails for a client with five open streams, until one ends', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => open()));
    expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const refused = await client.get('/events', { accept: 'text/event-stream' });
    expect([refused.status, refused.body]).toEqual([
      429,
      expect.objectContaining({ code: 'too_many_requests', detail: 'a client may have 5 open event streams' }),
    ]);
    expect(refused.headers.get('retry-after')).toBe('10');
    five[0]!.close();
    await eventually(async () => (await open()).status === 200);
  });

  it('waits for a reader that receives nothing, without delaying others', async () => {
    const [slow, quick] = [await open(), await open()];
    const ids = await Promise.all(Array.from({ length: 150 }, aLargeChange));
    const seen = paymentIds(await take(quick, ids.length));
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(paymentIds(await take(slow, ids.length))).toEqual(seen);
  });

  describe('checks whether its reader is still accepted, which', () => {
    /** The reader of a new stream, as the stream itself knows it. */
    async function readerOf(by: ApiClient): Promise<EventReader> {
      const opened = jest.spyOn(api.get(EventStreams), 'stream');
      await open({}, undefined, by);
      return opened.mock.lastCall![0];
    }

    it('ends when another process revoked its client', async () => {
      const { id, secret } = await insertClient(api.database, { merchantId });
      const [revoked, other] = [await readerOf(await ApiClient.login(api.url, id, secret)), await readerOf(client)];
      expect(await revoked.isStillAccepted()).toBe(true);
      await api.database.pool.query('UPDATE api_clients SET revoked_at = now() WHERE client_id = $1', [id]);
      await eventually(async () => expect(await revoked.isStillAccepted()).toBe(false));
      expect(await other.isStillAccepted()).toBe(true);
    });

    it('ends with the console session that opened it', async () => {
      const { id, secret } = await insertClient(api.database, { merchantId });
      const credentials = { client_id: id, client_secret: secret };
      const { headers } = await new ApiClient(api.url).post('/console/session', credentials);
      const cookie = headers.get('set-cookie')!.split(';', 1)[0]!;
      const reader = await readerOf(new ApiClient(api.url, cookie.split('=')[1]));
      expect(await reader.isStillAccepted()).toBe(true);
      await new ApiClient(api.url).delete('/console/session', undefined, { cookie });
      await eventually(async () => expect(await reader.isStillAccepted()).toBe(false));
    });
  });

  it('ends when the service stops, and continues with the next one', async () => {
    const ending = await startApi({}, { other: api });
    const { id, secret } = await insertClient(api.database, { merchantId });
    const reader = await ApiClient.login(ending.url, id, secret);
    const stream = await openStream(reader);
    await next(stream);
    const [end] = await Promise.all([stream.events.next(), ending.stop()]);
    expect(end.done).toBe(true);
  });
});

/** A change of status whose event exceeds the buffer of a socket. */
async function aLargeChange(): Promise<number> {
  const { id } = await pendingPayment(api, merchantId, { metadata: { filler: 'x'.repeat(12_000) } });
  await api.get(MoneyService).apply(id, answered('processing'));
  return id;
}
