import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { DeadlineNotices } from '../../../src/payments/work/deadline-notices.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { doDueWork } from '../../support/app/due-work.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { LedgerProvider } from './ledger-provider.js';
import { scriptNotifications, sendEvents } from './scripted-events.js';

const HOUR = 3_600_000;

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shopId: number;

beforeAll(async () => {
  api = await sharedApi();
  client = await api.loginAsAnotherMerchant();
  merchant = new Merchant(client);
  scriptNotifications(api);
  new LedgerProvider(api);
  shopId = (await merchant.createShop('Berlin')).id;
  await merchant.createFlow('checkout', [shopId]);
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR);
const works = () => new DeadlineNotices(api.get(Database)).works;
const lapse = (id: number, at: Date) => sql('UPDATE payments SET capture_before = $2 WHERE id = $1', [id, at]);

/** A payment that is authorised until then. */
async function authorized(hours: number, fields: Record<string, unknown> = {}): Promise<PaymentAnswer> {
  const payment = await merchant.pay('checkout', { capture: 'manual', ...fields });
  await lapse(payment.id, inHours(hours));
  return payment;
}

/** Does the work, as two workers at once that both claimed it, and as one that comes later. */
async function work(kind: string, subjectId: number): Promise<void> {
  const [lapses, evidence] = [works(), works()];
  const claimed = { subjectId, part: 0, keep: () => Promise.resolve(true) };
  const runs = [...lapses, ...evidence].filter((each) => each.kind === kind);
  const isDue = await sql(
    `UPDATE due_work SET due_at = clock_timestamp() WHERE kind = $1 AND subject_id = $2 AND due_at <= clock_timestamp() RETURNING 1`,
    [kind, subjectId],
  );
  if (isDue.length > 0) await Promise.all(runs.map((each) => each.run(claimed)));
  await doDueWork(api, runs[0]!);
}

const eventsOf = (type: string, { id }: { id: number }) =>
  sql<{ shop_id: number; data: Record<string, unknown> }>(
    'SELECT shop_id, data FROM webhook_events WHERE type = $1 AND payment_id = $2',
    [type, id],
  );

describe('authorization.lapsing', () => {
  it('authorization.lapsing is written once, a day before the authorisation lapses', async () => {
    const payment = await authorized(25);
    await work('lapse_notice', payment.id);
    expect(await eventsOf('authorization.lapsing', payment)).toEqual([]);
    const until = inHours(23);
    await lapse(payment.id, until);
    await work('lapse_notice', payment.id);
    await work('lapse_notice', payment.id);
    expect(await eventsOf('authorization.lapsing', payment)).toEqual([
      {
        shop_id: shopId,
        data: {
          ...{ payment_id: payment.id, attempt: 1, provider: 'sandbox', amount: 49.9, currency: 'EUR' },
          capture_before: until.toISOString(),
        },
      },
    ]);
  });

  it('authorization.lapsing is not written for a payment that was captured, and waits for a capture under way', async () => {
    const [captured, pending] = [await authorized(1), await authorized(1)];
    await client.post(`/payments/${captured.id}/capture`, {});
    await sql(
      `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, charge_attempt, kind, cause, idempotency_key, reference,
         amount, currency, state)
       SELECT merchant_id, shop_id, id, 1, 'capture', 'capture_requested', 'key', 'reference', amount, currency, 'pending'
       FROM payments WHERE id = $1`,
      [pending.id],
    );
    for (const payment of [captured, pending]) {
      await work('lapse_notice', payment.id);
      expect(await eventsOf('authorization.lapsing', payment)).toEqual([]);
    }
    await sql(`UPDATE provider_operations SET state = 'refused' WHERE payment_id = $1 AND kind = 'capture'`, [
      pending.id,
    ]);
    await sql(`UPDATE due_work SET due_at = now() WHERE kind = 'lapse_notice' AND subject_id = $1`, [pending.id]);
    await work('lapse_notice', pending.id);
    expect(await eventsOf('authorization.lapsing', pending)).toHaveLength(1);
  });
});

describe('dispute.due', () => {
  let minute = 0;
  const say = (payment: PaymentAnswer, status: 'open' | 'under_review', evidenceDueBy: Date) =>
    sendEvents(merchant, shopId, [
      {
        ...{ status: 'disputed', match: { transactionId: payment.provider_transaction_id } },
        occurredAt: new Date(Date.UTC(2026, 10, 21, 1, (minute += 1))),
        dispute: {
          ...{ id: `dp_${payment.id}`, kind: 'chargeback', status, amount: '49.9', currency: 'EUR', evidenceDueBy },
        },
      },
    ]);

  it('dispute.due is written once for a time, two days before evidence is due, and again if that time is moved', async () => {
    const payment = await merchant.pay('checkout');
    await say(payment, 'open', inHours(49));
    const [{ id }] = dataOf<[{ id: number }]>(await client.get(`/payments/${payment.id}/disputes`));
    await work('evidence_notice', id);
    expect(await eventsOf('dispute.due', payment)).toEqual([]);
    const due = inHours(47);
    for (const _ of [1, 2]) {
      await say(payment, 'open', due);
      await work('evidence_notice', id);
    }
    expect(await eventsOf('dispute.due', payment)).toMatchObject([
      { shop_id: shopId, data: { id, status: 'open', amount: 49.9, evidence_due_by: due.toISOString() } },
    ]);
    await say(payment, 'open', inHours(40));
    await work('evidence_notice', id);
    expect(await eventsOf('dispute.due', payment)).toHaveLength(2);
  });

  it('dispute.due is not written once the evidence was submitted', async () => {
    const payment = await merchant.pay('checkout');
    await say(payment, 'open', inHours(1));
    await say(payment, 'under_review', inHours(1));
    const [{ id }] = dataOf<[{ id: number }]>(await client.get(`/payments/${payment.id}/disputes`));
    await work('evidence_notice', id);
    expect(await eventsOf('dispute.due', payment)).toEqual([]);
  });
});

describe('GET /payments by lapse', () => {
  interface Page {
    data: PaymentAnswer[];
    pagination: { next_cursor: string | null };
  }
  const list = async (query: string): Promise<Page> => (await client.get<Page>(`/payments?${query}`)).body;
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);

  it('lists what lapses in a span, the first first, page by page, with other filters', async () => {
    await sql('UPDATE payments SET capture_before = NULL WHERE shop_id = $1', [shopId]);
    const other = (await merchant.createShop('Paris')).id;
    await merchant.createFlow('paris', [other]);
    const ids: number[] = [];
    for (const hours of [30, 10, 50]) ids.push((await authorized(hours)).id);
    const [middle, first, last] = ids;
    await lapse(ids[2]!, inHours(50));
    const paris = await merchant.pay('paris', { capture: 'manual' });
    await lapse(paris.id, inHours(20));
    const [soon, later] = [inHours(24).toISOString(), inHours(72).toISOString()];
    expect(await idsOf(`lapses_before=${soon}`)).toEqual([first, paris.id]);
    expect(await idsOf(`lapses_from=${soon}&lapses_before=${later}`)).toEqual([middle, last]);
    expect(await idsOf(`lapses_before=${later}&shop_id=${shopId}`)).toEqual([first, middle, last]);
    expect(await idsOf(`lapses_before=${later}&status=completed`)).toEqual([]);
    const page = await list(`lapses_before=${later}&limit=3`);
    const next = await list(`lapses_before=${later}&limit=3&cursor=${page.pagination.next_cursor}`);
    expect([...page.data, ...next.data].map(({ id }) => id)).toEqual([first, paris.id, middle, last]);
    expect(next.pagination.next_cursor).toBeNull();
    const stranger = await api.loginAsAnotherMerchant();
    expect((await stranger.get<Page>(`/payments?lapses_before=${later}`)).body.data).toEqual([]);
  });

  it.each([
    ['lapses_before=tomorrow', 'lapses_before'],
    [`lapses_from=2026-01-01T00:00:00Z&cursor=${Buffer.from('v1:7').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('at:1:7').toString('base64url')}`, 'cursor'],
  ])('refuses %s', async (query, field) => {
    expect((await client.get(`/payments?${query}`)).body).toMatchObject({
      code: 'malformed_request',
      errors: [expect.objectContaining({ field })],
    });
  });
});
