import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { ReplicaReads } from '../../../src/platform/database/replica-reads.js';
import type { SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { ApprovalsService } from '../../../src/insights/approvals/approvals.service.js';
import { FallWatch } from '../../../src/insights/falls/fall-watch.job.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';

interface Line {
  kind: string;
  count: number;
  amounts: object[];
  shop: object | null;
  link: { path: string; query: Record<string, string> };
}

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let merchantId: number;
let shopId: number;

beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  client = await api.loginAsAnotherMerchant();
  merchant = new Merchant(client);
  shopId = (await merchant.createShop('Berlin')).id;
  await merchant.createFlow('checkout', [shopId]);
  [{ merchantId }] = (await sql('SELECT merchant_id AS "merchantId" FROM shops WHERE id = $1', [shopId])) as [
    { merchantId: number },
  ];
});

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];
const toDo = async (reader = client) =>
  dataOf<{ lines: Line[]; left_out: object[] }>(await reader.get('/insights/to-do'));

/** The worker's look at approvals; two of them share nothing. */
const watch = () => {
  const clock = new SystemClock();
  const approvals = new ApprovalsService(api.get(ReplicaReads), clock);
  return new FallWatch({} as SharedSchedule, api.get(Database), approvals, clock);
};

const cells = (hoursAgo: number, outcome: string, attempts: number) =>
  sql(
    `INSERT INTO approval_cells SELECT $1, false, $2, date_trunc('hour', now()) - $3 * interval '1 hour', 'EUR', '', 'visa', '', '', '',
       $4, '', $5, 0, 0`,
    [merchantId, shopId, hoursAgo, outcome, attempts],
  );

describe('GET /insights/to-do', () => {
  it('GET /insights/to-do lists work by deadline, with its money and where to look', async () => {
    const pay = async () => (await merchant.pay('checkout', { capture: 'manual' })).id;
    const [soon, later, far] = [await pay(), await pay(), await pay()];
    await sql(
      `UPDATE payments p SET capture_before = now() + h.hours * interval '1 hour'
       FROM unnest($1::bigint[], ARRAY[5, 40, 100]) AS h (id, hours) WHERE p.id = h.id`,
      [[soon, later, far]],
    );
    await sql(
      `INSERT INTO disputes (merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status, amount, currency,
         evidence_due_by, opened_at, reported_at, updated_at)
       SELECT $1, $2, $3, 1, 'sandbox', d.id, 'chargeback', d.status, 10, d.currency, now() + d.days * interval '1 day', now(), now(), now()
       FROM (VALUES ('a', 'open', -1, 'EUR'), ('b', 'open', 6, 'EUR'), ('c', 'open', 6, 'USD'), ('d', 'open', 9, 'EUR'),
         ('e', 'lost', -1, 'EUR')) d (id, status, days, currency)`,
      [merchantId, shopId, soon],
    );
    await sql(`UPDATE due_work SET due_at = 'infinity' WHERE owner_id = $1`, [merchantId]);
    await sql(`UPDATE provider_operations SET state = 'unknown' WHERE payment_id = $1`, [far]);
    await sql(
      `INSERT INTO due_work SELECT 'operation', payment_id, id, merchant_id, 'infinity' FROM provider_operations WHERE payment_id = $1
       ON CONFLICT DO NOTHING`,
      [far],
    );
    await sql(`INSERT INTO shop_outages VALUES ($1, now() - interval '1 hour', now())`, [shopId]);
    await sql(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, announced_at)
       VALUES (-$1::bigint, $1, $2, 'http://a', now() - interval '2 hours', now())`,
      [merchantId, shopId],
    );
    const { lines, left_out: leftOut } = await toDo();
    const eur = (amount: number) => ({ currency: 'EUR', amount });
    expect(lines.map(({ kind, count, amounts }) => [kind, count, amounts])).toEqual([
      ['evidence_overdue', 1, [eur(10)]],
      ['endpoints_failing', 1, []],
      ['shop_down', 1, []],
      ['operations_to_settle', 1, [eur(49.9)]],
      ['lapses_in_24_hours', 1, [eur(49.9)]],
      ['lapses_in_3_days', 1, [eur(49.9)]],
      ['evidence_due', 2, [eur(10), { currency: 'USD', amount: 10 }]],
    ]);
    expect(leftOut).toEqual([]);
    for (const { kind, count, link } of lines) {
      if (!['/payments', '/disputes'].includes(link.path)) continue;
      const found = dataOf<object[]>(await client.get(`${link.path}?${new URLSearchParams(link.query).toString()}`));
      expect([kind, found.length]).toEqual([kind, count]);
    }
    const { id, secret } = await insertClient(api.database, { merchantId }, ['payments:read']);
    const reader = await ApiClient.login(api.url, id, secret);
    const seen = await toDo(reader);
    expect(seen.left_out).toEqual([
      { kind: 'shop_down', scope: 'shops:read' },
      { kind: 'endpoints_failing', scope: 'webhooks:read' },
      { kind: 'approval_waiting', scope: 'flows:activate' },
    ]);
    expect(seen.lines).toHaveLength(lines.length - 2);
    const [{ down_since: since }] = dataOf<[{ down_since: string }]>(await client.get('/shops'));
    expect(Date.now() - Date.parse(since)).toBeGreaterThan(3_500_000);
  });

  it('GET /insights/to-do lists a version that waits for an approval, to those who may give it', async () => {
    const flow = await merchant.createFlow('routes', [shopId]);
    const versions = `/flows/${flow.id}/versions`;
    await client.post(versions, { strategy: 'weighted', shops: [{ shop_id: shopId, weight: 1 }] });
    dataOf(await client.post(`${versions}/2/approval-requests`, {}));
    const { id, secret } = await insertClient(api.database, { merchantId });
    expect((await toDo()).lines).toEqual([]);
    expect((await toDo(await ApiClient.login(api.url, id, secret))).lines).toMatchObject([
      {
        ...{ kind: 'approval_waiting', count: 1, flow: { id: flow.id, name: 'routes', version: 2 } },
        link: { path: `/flows/${flow.id}/proposals/2` },
      },
    ]);
  });

  it('GET /insights/to-do has no line of another merchant, and none for a new one', async () => {
    expect(await toDo()).toMatchObject({ lines: [], left_out: [] });
  });
});

describe('approvals.fell', () => {
  const events = () =>
    sql<{ data: object }>(`SELECT data FROM webhook_events WHERE shop_id = $1 AND type = 'approvals.fell'`, [shopId]);

  it('approvals.fell is written once for a fall, for any number of workers, and the line goes when the rate is back', async () => {
    await cells(30, 'approved', 180);
    await cells(30, 'declined', 20);
    await cells(2, 'approved', 120);
    await cells(2, 'declined', 80);
    await Promise.all([watch().look(merchantId), watch().look(merchantId)]);
    await watch().look(merchantId);
    expect(await events()).toEqual([
      {
        data: {
          ...{ shop_name: 'Berlin', card_scheme: 'visa', approval_rate: 0.6, approval_rate_before: 0.9 },
          ...{ attempts: 200, attempts_before: 200, fell_at: expect.any(String) },
        },
      },
    ]);
    expect((await toDo()).lines).toMatchObject([
      {
        ...{ kind: 'approvals_fell', shop: { id: shopId, name: 'Berlin' } },
        approvals: { card_scheme: 'visa', approval_rate: 0.6, approval_rate_before: 0.9, attempts: 200 },
        link: { path: '/approvals', query: { cell: String(shopId), value: 'visa' } },
      },
    ]);
    await cells(1, 'approved', 300);
    await watch().look(merchantId);
    expect(await sql('SELECT FROM approval_falls WHERE merchant_id = $1', [merchantId])).toEqual([]);
    expect(await events()).toHaveLength(1);
  });
});
