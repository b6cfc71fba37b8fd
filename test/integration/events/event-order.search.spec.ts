import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { answered, applyIn, notified } from '../../support/app/charge-facts.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { runs } from '../../support/fuzz/runs.js';
import { pendingPayment } from '../payments/checkout.js';
import { type ApiEvent, firstOf, following, openStream, pageOf } from './events-harness.js';

const WRITERS = 50;
const PAYMENTS = runs(50);
const PROCESSING = answered('processing');
const COMPLETED = notified('captured');
const ENDPOINT = 'http://127.0.0.1:4000/hook';
const NUMBER_IT = { name: '', text: 'SELECT pg_current_xact_id()::text' };

let api: TestApi;
let money: MoneyService;
let database: Database;

interface Side {
  client: ApiClient;
  merchantId: number;
}
let [one, other]: Side[] = [];

beforeAll(async () => {
  api = await startApi({ DATABASE_POOL_SIZE: String(WRITERS + 10) });
  money = api.get(MoneyService);
  database = api.get(Database);
  one = await sideOf(await api.login());
  other = await sideOf(await api.loginAsAnotherMerchant());
});
afterAll(() => api.stop());

async function sideOf(client: ApiClient): Promise<Side> {
  const merchant = new Merchant(client);
  const shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
  const [row] = await sql<{ merchant_id: number }>('SELECT merchant_id FROM shops WHERE id = $1', [shop.id]);
  // the tests compare with the changes of payments, which the activation of the flow is none of
  await sql('DELETE FROM webhook_events WHERE merchant_id = $1', [row!.merchant_id]);
  return { client, merchantId: row!.merchant_id };
}

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

const upTo = (ms: number): Promise<void> => delay(Math.random() * ms);

interface PaymentChange {
  paymentId: number;
  status: string;
}

const changeIn = ({ payment_id: paymentId, data }: ApiEvent): PaymentChange => ({
  paymentId: paymentId!,
  status: data.payment!.status,
});

/** The committed changes, in the order of each payment. */
const committed = ({ merchantId }: Side): Promise<PaymentChange[]> =>
  sql<PaymentChange>(
    `SELECT c.payment_id AS "paymentId", c.to_status AS status FROM payment_status_changes c
     JOIN payments p ON p.id = c.payment_id WHERE p.merchant_id = $1 AND c.from_status <> c.to_status ORDER BY c.id`,
    [merchantId],
  );

/**
 * All events so far, and the position after them: they are visible when no earlier transaction of any test is in
 * progress.
 */
const everythingOf = (side: Side): ReturnType<typeof following> =>
  eventually(async () => {
    const all = await following(side.client);
    expect(all.events.length).toBe((await committed(side)).length);
    return all;
  });

const byPayment = (changes: PaymentChange[]): PaymentChange[] =>
  [...changes].sort((first, second) => first.paymentId - second.paymentId);

/** A change in a transaction that gets its number early or late, stays open for a while, and may roll back. */
async function write(paymentId: number, fact: Fact): Promise<void> {
  const work = database.transaction(async (transaction) => {
    if (Math.random() < 0.5) await transaction.query(NUMBER_IT);
    await upTo(40);
    await applyIn(api, transaction, paymentId, fact);
    await upTo(60);
    if (Math.random() < 0.1) throw new Error('rolled back');
  });
  await work.catch(() => undefined);
}

/** Changes every payment twice by concurrent writers, which wait for each other and overtake each other. */
async function writeAll(sides: Side[]): Promise<void> {
  const made = Array.from({ length: PAYMENTS }, (_, index) => {
    const { merchantId } = sides[index % sides.length]!;
    return pendingPayment(api, merchantId, index % 3 === 0 ? {} : { webhook_endpoint: ENDPOINT });
  });
  const ids = (await Promise.all(made)).map(({ id }) => id);
  const queue = [...ids.map((id) => [id, PROCESSING] as const), ...ids.map((id) => [id, COMPLETED] as const)].sort(
    () => Math.random() - 0.5,
  );
  const writer = async (): Promise<void> => {
    for (let next = queue.pop(); next; next = queue.pop()) await write(...next);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Reads the stream until `enough` returns true, and repeatedly loses its connection. */
async function streamed({ client }: Side, after: string, enough: (seen: number) => boolean): Promise<ApiEvent[]> {
  const seen: ApiEvent[] = [];
  for (let lastEventId = after; !enough(seen.length);) {
    const stream = await openStream(client, {}, lastEventId);
    const lost = setTimeout(() => stream.close(), 20 + Math.random() * 400);
    try {
      for await (const event of stream.events) {
        lastEventId = event.lastEventId;
        if (event.data !== null) seen.push(JSON.parse(event.data) as ApiEvent);
        if (Math.random() < 0.02) break;
      }
    } catch {
      // the connection is closed as intended
    } finally {
      clearTimeout(lost);
      stream.close();
    }
  }
  return seen;
}

/** The same by pages of any size. */
async function polled({ client }: Side, after: string, enough: (seen: number) => boolean): Promise<ApiEvent[]> {
  const seen: ApiEvent[] = [];
  for (let cursor = after; !enough(seen.length);) {
    const page = await pageOf(client, { after: cursor, limit: 1 + Math.floor(Math.random() * 30) });
    seen.push(...page.data);
    cursor = page.pagination.next_cursor;
    await upTo(30);
  }
  return seen;
}

describe('the order of events', () => {
  it('equals for every reader, with every event once, under 50 concurrent writers and readers', async () => {
    const sides = [one!, other!];
    const starts = await Promise.all(sides.map(everythingOf));
    let isWritten = false;
    const totals = [Infinity, Infinity];
    const since = async (side: Side, index: number) => (await committed(side)).slice(starts[index]!.events.length);
    const writing = writeAll(sides).then(async () => {
      for (const [index, side] of sides.entries()) totals[index] = (await since(side, index)).length;
      isWritten = true;
    });
    const enough = (index: number) => (seen: number) => isWritten && seen >= totals[index]!;
    const readers = [0, 0, 1, 1].flatMap((index) => {
      const [side, start] = [sides[index]!, starts[index]!.cursor];
      return [streamed(side, start, enough(index)), polled(side, start, enough(index))];
    });
    const [reads] = await Promise.all([Promise.all(readers), writing]);
    for (const [index, side] of sides.entries()) {
      const { events } = await following(side.client, starts[index]!.cursor);
      const ids = events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(byPayment(events.map(changeIn))).toEqual(byPayment(await since(side, index)));
      for (const seen of reads.slice(index * 4, index * 4 + 4)) expect(seen).toEqual(events);
    }
  });

  it('follows the changes of a payment, even if the later one began before the earlier one', async () => {
    const { cursor } = await everythingOf(one!);
    const { id } = await pendingPayment(api, one!.merchantId);
    await database.transaction(async (transaction) => {
      await transaction.query(NUMBER_IT);
      await money.apply(id, PROCESSING);
      await applyIn(api, transaction, id, COMPLETED);
    });
    expect((await firstOf(one!.client, 2, cursor)).map(changeIn)).toEqual([
      { paymentId: id, status: 'processing' },
      { paymentId: id, status: 'completed' },
    ]);
  });

  it('holds back events behind an open transaction, and then includes both', async () => {
    const { cursor } = await everythingOf(one!);
    const [late, early] = [await pendingPayment(api, one!.merchantId), await pendingPayment(api, one!.merchantId)];
    await database.transaction(async (transaction) => {
      await applyIn(api, transaction, late.id, PROCESSING);
      await money.apply(early.id, PROCESSING);
      expect((await following(one!.client, cursor)).events).toEqual([]);
    });
    expect((await firstOf(one!.client, 2, cursor)).map(({ payment_id: id }) => id)).toEqual([late.id, early.id]);
  });
});

describe('a database that moved to another server', () => {
  it('places new events after the existing ones, although its transaction numbers start from a lower value', async () => {
    const { id } = await pendingPayment(api, one!.merchantId);
    await money.apply(id, PROCESSING);
    const before = await everythingOf(one!);
    // like after a restore: another server with higher transaction numbers wrote the existing events
    await sql(`UPDATE event_epochs SET postmaster_started_at = postmaster_started_at - interval '1 year'`);
    await sql('UPDATE payment_status_changes SET event_position = event_position + 1000000000');
    await sql('UPDATE payments SET event_position = event_position + 1000000000');
    const brought = await everythingOf(one!);
    expect(brought.events).toEqual(before.events);
    await money.apply(id, COMPLETED);
    expect((await firstOf(one!.client, 1, brought.cursor)).map(changeIn)).toEqual([
      { paymentId: id, status: 'completed' },
    ]);
  });
});

describe('history from before events existed', () => {
  it('comes first, by id, followed by later events', async () => {
    await money.apply((await pendingPayment(api, one!.merchantId)).id, PROCESSING);
    const before = await everythingOf(one!);
    await sql('UPDATE payment_status_changes SET event_position = NULL, merchant_id = NULL, shop_id = NULL');
    await sql('UPDATE event_log SET last_unplaced_id = (SELECT max(id) FROM payment_status_changes)');
    const { id } = await pendingPayment(api, one!.merchantId);
    await money.apply(id, PROCESSING);
    const events = await firstOf(one!.client, before.events.length + 1);
    const oldChanges = events.slice(0, -1).map(changeIn);
    expect(oldChanges).toEqual((await committed(one!)).slice(0, -1));
    expect(changeIn(events.at(-1)!)).toEqual({ paymentId: id, status: 'processing' });
    const paged = await following(one!.client, undefined, { limit: 7 });
    expect(paged.events).toEqual(events);
  });

  it('contains no event for a change without a new status', async () => {
    const { cursor } = await everythingOf(one!);
    const { id } = await pendingPayment(api, one!.merchantId);
    await sql(
      `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at)
       VALUES ($1, 'failed', 'failed', 'charged_after_end', now())`,
      [id],
    );
    await money.apply(id, PROCESSING);
    expect((await firstOf(one!.client, 1, cursor)).map(changeIn)).toEqual([{ paymentId: id, status: 'processing' }]);
  });
});

describe('disconnected readers', () => {
  it('continue at their position after a restart of the service', async () => {
    const { cursor } = await everythingOf(one!);
    const { id } = await pendingPayment(api, one!.merchantId);
    await money.apply(id, PROCESSING);
    await money.apply(id, COMPLETED);
    const [first] = await firstOf(one!.client, 2, cursor);
    const page = await pageOf(one!.client, { after: cursor, limit: 1 });
    expect(page.data).toEqual([first]);
    await eventually(async () => (await following(one!.client, page.pagination.next_cursor)).events.length === 1);
  });
});
