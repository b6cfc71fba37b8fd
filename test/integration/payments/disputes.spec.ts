import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { ReportedDispute } from '@payment-orchestrator/provider-kit';
import { LIST_DISPUTES, LIST_DISPUTES_OF_SHOP } from '../../../src/payments/store/dispute.queries.js';
import type { Statement } from '../../../src/platform/database/database.js';
import { explained } from '../webhooks/explained.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { type ApiEvent, following } from '../events/events-harness.js';
import { aFlowOver } from './failover-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { anEvent, scriptNotifications, sendEvents, storedOf, type TestEvent } from './scripted-events.js';

interface DisputeAnswer {
  id: number;
  payment_id: number;
  shop_id: number;
  kind: string;
  status: string;
  amount: number;
  evidence_due_by: string | null;
}

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shopId: number;
let names = 0;

beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  merchant = new Merchant(client);
  scriptNotifications(api);
});
beforeEach(async () => {
  new LedgerProvider(api);
  shopId = (await merchant.createShop(`Shop ${(names += 1)}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}) => merchant.pay(`flow ${shopId}`, fields);
const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 1, minute));

/** A report of the dispute of a transaction. */
const report = (
  { provider_transaction_id: transactionId }: { provider_transaction_id: string },
  minute: number,
  fields: Partial<ReportedDispute> = {},
): TestEvent => ({
  status: 'disputed',
  match: { transactionId },
  occurredAt: at(minute),
  dispute: {
    ...{ id: `dp_${transactionId}`, kind: 'chargeback', status: 'open', amount: '49.9', currency: 'EUR' },
    ...fields,
  },
});
const say = (...events: TestEvent[]) => sendEvents(merchant, shopId, events);
const disputesOf = async ({ id }: { id: number }): Promise<DisputeAnswer[]> =>
  dataOf(await client.get(`/payments/${id}/disputes`));
const disputedAmountOf = async ({ id }: { id: number }): Promise<unknown> =>
  dataOf<{ disputed_amount: number }>(await client.get(`/payments/${id}`)).disputed_amount;
const listed = async (query = ''): Promise<number[]> =>
  dataOf<DisputeAnswer[]>(await client.get(`/disputes?shop_id=${shopId}${query}`)).map(({ id }) => id);
const outcomes = async () => (await storedOf(api, shopId)).map(({ outcome, reason }) => [outcome, reason]);

/** The events of disputes that follow the present ones while `work` runs. */
async function eventsOf(work: () => Promise<unknown>, count: number): Promise<ApiEvent[]> {
  await earlierTransactions(api.database);
  const { cursor } = await following(client);
  await work();
  const seen = await eventually(async () => {
    const { events } = await following(client, cursor);
    const found = events.filter(({ type }) => type.startsWith('dispute.'));
    return found.length >= count && found;
  });
  return seen;
}

describe('a dispute', () => {
  it('a dispute is stored, shown and announced with each of its changes, and changes no status', async () => {
    const payment = await pay();
    const due = at(59);
    const events = await eventsOf(async () => {
      await say(report(payment, 1, { evidenceDueBy: due, reasonCode: 'fraudulent', networkReasonCode: '10.4' }));
      await say(report(payment, 2, { status: 'under_review' }));
      await say(report(payment, 3, { status: 'lost' }));
    }, 3);
    const [dispute] = await disputesOf(payment);
    expect(dispute).toEqual({
      ...{ id: expect.any(Number), payment_id: payment.id, shop_id: shopId, attempt: 1, provider: 'sandbox' },
      provider_dispute_id: `dp_${payment.provider_transaction_id}`,
      ...{ kind: 'chargeback', status: 'lost', amount: 49.9, currency: 'EUR' },
      ...{ reason_code: 'fraudulent', network_reason_code: '10.4', evidence_due_by: due.toISOString() },
      ...{ opened_at: at(1).toISOString(), updated_at: expect.any(String) },
    });
    expect(dataOf(await client.get(`/disputes/${dispute!.id}`))).toEqual(dispute);
    expect(events.map(({ type }) => type)).toEqual(['dispute.opened', 'dispute.updated', 'dispute.closed']);
    expect(events.at(-1)).toMatchObject({ payment_id: payment.id, shop_id: shopId, data: dispute });
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    expect(await disputedAmountOf(payment)).toBe(49.9);
    expect(await outcomes()).toEqual([1, 2, 3].map(() => ['applied', null]));
  });

  it('a dispute keeps no free text of the provider, also not with its notification', async () => {
    const payment = await pay();
    const text = 'Jane Doe did not get it';
    await say(report(payment, 1, { reasonCode: text, networkReasonCode: text }));
    expect(await disputesOf(payment)).toMatchObject([{ reason_code: null, network_reason_code: null }]);
    expect(await api.database.dump()).not.toContain(text);
  });

  it('a report under a known id with other content is a conflict', async () => {
    const payment = await pay();
    const first = anEvent(report(payment, 1));
    await say(first);
    await say(first, { ...first, ...report(payment, 1, { status: 'lost' }) });
    expect(await outcomes()).toEqual([
      ['applied', null],
      ['conflict', 'other_content'],
    ]);
    expect(await disputesOf(payment)).toMatchObject([{ status: 'open' }]);
  });

  it('a dispute is stored once when many requests report it at once, and the latest report counts', async () => {
    const payment = await pay();
    const minutes = Array.from({ length: 12 }, (_, index) => index + 1);
    const status = (minute: number) => (minute === 12 ? 'lost' : minute % 2 ? 'open' : 'under_review');
    await Promise.all(minutes.map((minute) => say(report(payment, minute, { status: status(minute) }))));
    expect(await disputesOf(payment)).toMatchObject([{ status: 'lost' }]);
    const { rows } = await api.database.pool.query<{ type: string }>(
      'SELECT type FROM webhook_events WHERE payment_id = $1 ORDER BY event_position, id',
      [payment.id],
    );
    const types = rows.map(({ type }) => type);
    expect(types).toHaveLength((await outcomes()).filter(([outcome]) => outcome === 'applied').length);
    expect(types.indexOf('dispute.closed')).toBe(types.length - 1);
    expect(types.lastIndexOf('dispute.opened')).toBe(types.length === 1 ? -1 : 0);
  });

  it('a report that comes before the id of its transaction waits for it, with its content', async () => {
    const provider = new LedgerProvider(api);
    const due = at(59);
    provider.beforeAnswer = async ({ reference }) => {
      const early = { provider_transaction_id: `tx_${reference}` };
      await say(report(early, 2, { kind: 'inquiry', evidenceDueBy: due }), report(early, 1, { kind: 'inquiry' }));
    };
    const payment = await pay();
    expect(payment.status).toBe('completed');
    expect(await disputesOf(payment)).toMatchObject([{ kind: 'inquiry', evidence_due_by: due.toISOString() }]);
    expect(await outcomes()).toEqual([
      ['applied', null],
      ['ignored', 'dispute_is_newer'],
    ]);
    expect(await disputedAmountOf(payment)).toBe(0);
  });

  it('a dispute of an attempt that the payment has left belongs to the shop of that attempt', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success'], 2);
    const provider = new LedgerProvider(api);
    const charge = provider.charge.bind(provider);
    let left = '';
    provider.charge = async (request) => {
      const answer = await charge(request);
      if (left !== '') return answer;
      left = request.reference;
      return { outcome: 'soft_declined', declineCode: 'issuer_unavailable' };
    };
    const payment = await merchant.pay(flow);
    expect(payment.shop.id).toBe(shops[1]!.id);
    await sendEvents(merchant, shops[0]!.id, [{ ...report(payment, 1), match: { reference: left } }]);
    expect(await disputesOf(payment)).toMatchObject([{ shop_id: shops[0]!.id, attempt: 1, status: 'open' }]);
    expect(await disputedAmountOf(payment)).toBe(49.9);
  });

  it('a dispute counts in disputed_amount unless it is an inquiry, won, or in another currency', async () => {
    const payment = await pay();
    const amounts = [];
    for (const [id, fields] of [
      ['a', { amount: '10' }],
      ['b', { kind: 'inquiry', amount: '5' }],
      ['c', { amount: '1', currency: 'USD' }],
      ['d', { amount: '20', status: 'lost' }],
      ['a', { amount: '10', status: 'won' }],
      ['b', { amount: '5', status: 'accepted' }],
    ] as const) {
      await say(report(payment, amounts.length, { id, ...fields }));
      amounts.push(await disputedAmountOf(payment));
    }
    expect(amounts).toEqual([10, 10, 10, 30, 20, 25]);
  });

  it('a payment with a dispute is refunded only if confirmed', async () => {
    const payment = await pay();
    await say(report(payment, 0, { status: 'lost', amount: '40' }));
    const refund = (path: string, body: object) => client.post(`/payments/${payment.id}/${path}`, body);
    for (const path of ['refunds', 'refund'])
      expect(await refund(path, {})).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
    expect(await refund('refunds', { amount: 10, confirm: true })).toMatchObject({ status: 201 });
    expect(await refund('refund', { confirm: true })).toMatchObject({ status: 200 });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'refunded', amount_refunded: 49.9 });
  });

  it('a dispute is read and listed only by its merchant', async () => {
    const payment = await pay();
    await say(report(payment, 1));
    const [{ id }] = (await disputesOf(payment)) as [DisputeAnswer];
    const other = await api.loginAsAnotherMerchant();
    const answers = [`/disputes/${id}`, `/payments/${payment.id}/disputes`, `/disputes?shop_id=${shopId}`];
    const [one, disputesOfPayment, list] = await Promise.all(answers.map((path) => other.get(path)));
    expect([one!.body, disputesOfPayment!.body]).toMatchObject([
      { code: 'dispute_not_found' },
      { code: 'payment_not_found' },
    ]);
    expect(dataOf(list!)).toEqual([]);
    expect(dataOf(await other.get('/disputes'))).toEqual([]);
  });

  it('a dispute is rolled back with its event, and stored when the report is repeated', async () => {
    const payment = await pay();
    const refusal = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.type LIKE 'dispute.%' THEN RAISE 'refused'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON webhook_events FOR EACH ROW EXECUTE FUNCTION refuse()`;
    await api.database.pool.query(refusal);
    const event = anEvent(report(payment, 1));
    expect((await say(event)).status).toBe(500);
    await api.database.pool.query('DROP FUNCTION refuse CASCADE');
    expect([await disputesOf(payment), await storedOf(api, shopId)]).toEqual([[], []]);
    expect((await say(event)).status).toBe(200);
    expect(await disputesOf(payment)).toMatchObject([{ status: 'open' }]);
  });
});

describe('the list of disputes', () => {
  it('GET /disputes filters by status, shop and time for evidence, and pages newest first', async () => {
    const payments: PaymentAnswer[] = [];
    for (let count = 0; count < 4; count += 1) payments.push(await pay());
    const [open, later, noTime, lost] = payments as [PaymentAnswer, PaymentAnswer, PaymentAnswer, PaymentAnswer];
    await say(report(open, 1, { evidenceDueBy: at(10) }), report(later, 1, { evidenceDueBy: at(50) }));
    await say(report(noTime, 1), report(lost, 1, { status: 'lost', evidenceDueBy: at(5) }));
    const ids = [];
    for (const payment of payments) ids.push((await disputesOf(payment))[0]!.id);
    const [first, second, third, fourth] = ids;
    expect(await listed()).toEqual([fourth, third, second, first]);
    expect(await listed('&status=lost')).toEqual([fourth]);
    expect(await listed('&status=open,lost')).toEqual([fourth, third, second, first]);
    const opened = (days: number) => new Date(at(0).getTime() + days * 86_400_000).toISOString();
    await api.database.pool.query('UPDATE disputes SET opened_at = $2 WHERE id = $1', [second, opened(-20)]);
    expect(await listed(`&from=${opened(-30)}&to=${opened(-10)}`)).toEqual([second]);
    expect(await listed(`&from=${opened(-10)}`)).toEqual([fourth, third, first]);
    expect(await listed(`&due_before=${at(30).toISOString()}`)).toEqual([first]);
    expect(await listed(`&status=lost&due_before=${at(30).toISOString()}`)).toEqual([]);
    const page = await client.get<{ pagination: { next_cursor: string } }>(`/disputes?shop_id=${shopId}&limit=3`);
    expect(await listed(`&cursor=${page.body.pagination.next_cursor}`)).toEqual([first]);
    expect(dataOf<DisputeAnswer[]>(await client.get('/disputes?limit=4')).map(({ id }) => id)).toEqual(
      [...ids].reverse(),
    );
  });

  it('GET /disputes?sort=due begins with overdue ones, and goes on with the others on later pages', async () => {
    const payments: PaymentAnswer[] = [];
    for (let count = 0; count < 5; count += 1) payments.push(await pay());
    const [later, overdue, noTime, lost, sameTime] = payments as [PaymentAnswer, ...PaymentAnswer[]];
    await say(report(later, 1, { evidenceDueBy: at(50) }), report(overdue!, 1, { evidenceDueBy: new Date(0) }));
    await say(report(noTime!, 1), report(lost!, 1, { status: 'lost', evidenceDueBy: at(5) }));
    await say(report(sameTime!, 1, { evidenceDueBy: at(50) }));
    const [laterId, overdueId, noTimeId, lostId, sameTimeId] = await Promise.all(
      payments.map(async (payment) => (await disputesOf(payment))[0]!.id),
    );
    const order = [overdueId, laterId, sameTimeId, lostId, noTimeId];
    expect(await listed('&sort=due')).toEqual(order);
    for (const limit of [1, 2, 3, 4]) {
      const pages: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: { body: DisputePage } = await client.get<DisputePage>(
          `/disputes?shop_id=${shopId}&sort=due&limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        pages.push(...body.data.map(({ id }) => id));
        cursor = body.pagination.next_cursor;
      }
      expect(pages).toEqual(order);
    }
    expect(await listed(`&sort=due&due_from=${at(0).toISOString()}`)).toEqual([laterId, sameTimeId]);
    expect(await listed(`&due_from=${at(0).toISOString()}`)).toEqual([sameTimeId, laterId]);
    expect(await listed(`&sort=due&due_before=${at(50).toISOString()}`)).toEqual([overdueId]);
    expect(await listed('&sort=due&status=lost')).toEqual([lostId]);
  });

  it.each(['status=closed', 'due_before=tomorrow', 'shop_id=0', 'sort=amount', 'due_from=today'])(
    'GET /disputes refuses %s',
    async (query) => {
      expect((await client.get(`/disputes?${query}`)).body).toMatchObject({ code: 'malformed_request' });
    },
  );

  describe('of a merchant with many', () => {
    const BELOW = Number.MAX_SAFE_INTEGER;
    const NEVER = new Date('2000-01-01').toISOString();
    let merchantId: number;
    let busyShop: number | undefined;

    beforeEach(async () => {
      if (busyShop !== undefined) return;
      busyShop = shopId;
      const { rows } = await api.database.pool.query<{ merchant_id: number }>(
        `INSERT INTO disputes (merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status, amount,
           currency, opened_at, reported_at, updated_at)
         SELECT s.merchant_id, s.id, 0, 1, 'sandbox', n, 'chargeback', CASE WHEN n < 5 THEN 'open' ELSE 'lost' END, 1, 'EUR',
           now(), now(), now()
         FROM shops s, generate_series(1, 30000) n WHERE s.id = $1 RETURNING merchant_id`,
        [shopId],
      );
      merchantId = rows[0]!.merchant_id;
      await api.database.pool.query('ANALYZE disputes');
    });

    // few of 30,000 rows; PostgreSQL may read all shops that the tests of a worker made, some hundred
    it.each<[string, Statement, 'merchant' | 'shop', unknown[], number]>([
      ['the merchant', LIST_DISPUTES, 'merchant', [null, null, null, null, false, 21], 1_000],
      ['a shop', LIST_DISPUTES_OF_SHOP, 'shop', [null, null, null, null, false, 21], 1_000],
      ['the merchant before a time', LIST_DISPUTES, 'merchant', [null, null, null, NEVER, true, 500], 3_000],
      ['a shop before a time', LIST_DISPUTES_OF_SHOP, 'shop', [null, null, null, NEVER, false, 500], 3_000],
      ['a shop with evidence that is due', LIST_DISPUTES_OF_SHOP, 'shop', [null, NEVER, null, null, false, 500], 3_000],
    ])('the disputes of %s read few rows of one index', async (_, statement, owner, times, maxRows) => {
      const client = await api.database.pool.connect();
      try {
        for (const kind of ['generic', 'custom'] as const) {
          await client.query('BEGIN');
          const shop = owner === 'shop' ? busyShop : null;
          const values = [merchantId, ['open', 'lost'], BELOW, 21, shop, ...times];
          const { reads, rows } = await explained(client, statement, values, kind);
          await client.query('ROLLBACK');
          expect(reads).toContain(`disputes by disputes_${owner}_id_status_id`);
          expect(reads).not.toContain('disputes whole');
          expect(rows).toBeLessThan(maxRows);
        }
      } finally {
        client.release();
      }
    });

    it('a page that looked at disputes of other times has a next one', async () => {
      const first = await client.get<DisputePage>(`/disputes?shop_id=${busyShop}&to=${NEVER}`);
      const next = first.body.pagination.next_cursor;
      expect([first.body.data, next]).toEqual([[], expect.any(String)]);
      const second = await client.get<DisputePage>(`/disputes?shop_id=${busyShop}&to=${NEVER}&cursor=${next}`);
      expect(second.body).toMatchObject({ data: [], pagination: { next_cursor: null } });
    });
  });
});

interface DisputePage {
  data: DisputeAnswer[];
  pagination: { next_cursor: string | null };
}

describe('gauges of disputes', () => {
  it('the gauges count unfinished disputes, and those whose evidence is due within 48 hours', async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const read = async () => {
      const text = await api.get(Metrics).render();
      const value = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
      return ['{status="open"}', '{status="under_review"}']
        .map((labels) => value(`disputes_unfinished${labels}`))
        .concat(value('disputes_evidence_due'), value('dispute_changes_total{provider="sandbox",status="accepted"}'));
    };
    const before = await eventually(async () => {
      const values = await read();
      return values.every(Number.isFinite) && values;
    });
    const made = [
      ...[{ evidenceDueBy: hours(47) }, { evidenceDueBy: hours(49) }, { evidenceDueBy: hours(-1) }, {}],
      ...[{ status: 'under_review', evidenceDueBy: hours(1) } as const, { status: 'accepted' } as const],
    ];
    for (const fields of made) await say(report(await pay(), 1, fields));
    const expected = before.map((value, index) => value + [4, 1, 1, 1][index]!);
    await eventually(async () => JSON.stringify(await read()) === JSON.stringify(expected));
  });
});
