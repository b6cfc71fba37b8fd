import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { COUNT_CHANGES } from '../../../src/insights/approvals/approval-cells.queries.js';
import { PREPARE_READ } from '../../../src/insights/approvals/approvals.queries.js';
import { ApprovalsService } from '../../../src/insights/approvals/approvals.service.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { HOUR_MS, earlyIn } from '../../support/early-in.js';
import { eventually } from '../../support/eventually.js';
import { wrongCells } from '../../support/ledger/approval-cells.js';

interface CellAnswer {
  shop_name: string;
  values: Record<string, string | null>;
  attempts: number;
  approved: number;
  declined: number;
  failed: number;
  pending: number;
  approval_rate: { estimate: number; low: number; high: number } | null;
  decline_codes: { code: string; count: number }[];
  mean_answer_ms: number | null;
  before: { attempts: number; approval_rate: object | null } | null;
  change: { estimate: number; low: number; high: number } | null;
  is_significant: boolean | null;
}

interface ApprovalsAnswer {
  from: string;
  to: string;
  counted_since: string;
  by: string[];
  cells: CellAnswer[];
  is_truncated: boolean;
}

interface PageAnswer {
  data: { payment_id: number; country: string | null; attempts: Record<string, unknown>[] }[];
  pagination: { next_cursor: string | null };
}

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shops: ShopAnswer[];

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

beforeEach(async () => {
  await earlyIn(HOUR_MS);
  await query('UPDATE approval_counting SET since = $1', ['epoch']);
  client = await api.loginAsAnotherMerchant();
  merchant = new Merchant(client);
  shops = [await merchant.createShop('Berlin'), await merchant.createShop('Zürich')];
  const both = { shops: shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 })), max_attempts: 2 };
  dataOf(await client.post('/flows', { name: 'failover', strategy: 'priority', ...both }));
  await merchant.createFlow('checkout', [shops[0]!.id]);
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query<Row>(text, values)).rows;
const approvals = async (filter = ''): Promise<ApprovalsAnswer> =>
  dataOf(await client.get(`/insights/approvals?${filter}`));
const behind = async (filter = ''): Promise<PageAnswer> =>
  (await client.get(`/insights/approvals/payments?${filter}`)).body as PageAnswer;

const VISA = { scheme: 'visa', bin: '41111122', last4: '4242', funding: 'credit', issuer_country: 'FR' };
const pay = (
  token: string,
  card: object | null = VISA,
  fields: object = {},
  flow = 'checkout',
): Promise<PaymentAnswer> =>
  merchant.pay(flow, { payment_method: { token, ...(card && { card }) }, country: 'DE', ...fields });

/** Counts the log, as the worker does. */
async function count(): Promise<void> {
  while ((await query('SELECT FROM attempt_changes LIMIT 1')).length > 0)
    await api.database.database.query(COUNT_CHANGES, [new Date(0), 1_000]);
}

/** The cells of this test's shops that differ from the attempts. */
const wrong = async (): Promise<object[]> =>
  (await wrongCells(query)).filter((cell) => shops.some(({ id }) => id === (cell as { shop_id: number }).shop_id));

/** Adds attempts of another hour to the cells of the first shop, in both grains. */
const addCells = (hoursAgo: number, outcome: string, attempts: number, facts: { scheme?: string; bin?: string } = {}) =>
  query(
    `INSERT INTO approval_cells SELECT s.merchant_id, g.by_bin, s.id, date_trunc('hour', now(), 'UTC') - $2 * interval '1 hour',
      'EUR', '', $5, '', '', CASE WHEN g.by_bin THEN $6 ELSE '' END, $3, '', $4::bigint, $4::bigint, 100 * $4::bigint
    FROM shops s CROSS JOIN (VALUES (false), (true)) AS g (by_bin) WHERE s.id = $1
    ON CONFLICT (merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding, issuer_country, bin, outcome, decline_code)
    DO UPDATE SET attempts = approval_cells.attempts + excluded.attempts`,
    [shops[0]!.id, hoursAgo, outcome, attempts, facts.scheme ?? '', facts.bin ?? ''],
  );

const counted = ({ shop_name: shop, attempts, approved, declined, failed, pending }: CellAnswer) =>
  [shop, attempts, approved, declined, failed, pending] as const;

describe('GET /insights/approvals', () => {
  it('holds one connection for a merchant, and refuses requests beyond a short queue', async () => {
    const service = api.get(ApprovalsService);
    const read = service.read.bind(service);
    const waiting: (() => void)[] = [];
    const reads = jest.spyOn(service, 'read').mockImplementation(async (...request) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return read(...request);
    });
    const asked = Array.from({ length: 12 }, () => client.get('/insights/approvals'));
    expect((await Promise.race(asked)).status).toBe(429);
    const others = (await api.loginAsAnotherMerchant()).get('/insights/approvals');
    await eventually(() => waiting.length === 2);
    expect(reads.mock.calls.length).toBe(2);
    reads.mockRestore();
    for (const release of waiting) release();
    expect((await others).status).toBe(200);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array<number>(11).fill(200), 429]);
  });

  it('asks for a shorter period if there are more segments than can be counted in time', async () => {
    await query(
      `INSERT INTO approval_cells SELECT s.merchant_id, true, s.id, date_trunc('day', now(), 'UTC') - interval '4 days', 'EUR', '', '', '',
        '', n::text, 'approved', '', 1, 1, 100 FROM shops s, generate_series(1, 20000) n WHERE s.id = $1`,
      [shops[0]!.id],
    );
    const from = new Date(Date.now() - 5 * 24 * HOUR_MS).toISOString();
    expect(await approvals(`by=card.bin&from=${from}`)).toMatchObject({ is_truncated: true });
    jest.replaceProperty(PREPARE_READ, 'name', 'approvals.prepare_short_read');
    jest.replaceProperty(PREPARE_READ, 'text', PREPARE_READ.text.replace('9000', '1'));
    const { status, body } = await client.get(`/insights/approvals?by=card.bin&from=${from}`);
    jest.restoreAllMocks();
    expect([status, body]).toMatchObject([400, { code: 'malformed_request', errors: [{ field: 'from' }] }]);
    expect((await client.get(`/insights/approvals?by=card.bin&from=${from}&shop_id=${shops[1]!.id}`)).status).toBe(200);
  });

  it('counts outcomes by shop at once, from the log and from cells', async () => {
    expect((await approvals()).cells).toEqual([]);
    for (const token of ['tok_success', 'tok_success', 'tok_decline', 'tok_pending']) await pay(token);
    await pay('tok_soft_decline', VISA, {}, 'failover');
    await pay('tok_unavailable', VISA, {}, 'failover');
    const fresh = await approvals();
    expect(fresh.cells.map(counted)).toEqual([
      ['Berlin', 6, 2, 2, 1, 1],
      ['Zürich', 2, 0, 1, 1, 0],
    ]);
    const [row] = await query<{ waits: boolean }>('SELECT count(*) > 0 AS waits FROM attempt_changes');
    await count();
    expect([row!.waits, (await query('SELECT FROM attempt_changes')).length]).toEqual([true, 0]);
    expect(await approvals()).toEqual(fresh);
    expect(await wrong()).toEqual([]);
  });

  it('answers with rate, interval, declines by code and answer time of each cell', async () => {
    for (const token of ['tok_success', 'tok_success', 'tok_success', 'tok_decline']) await pay(token);
    const [cell] = (await approvals('by=card.scheme,country')).cells;
    expect(cell).toMatchObject({
      values: { 'card.scheme': 'visa', country: 'DE' },
      approval_rate: { estimate: 0.75 },
      before: { attempts: 0, approval_rate: null },
      change: null,
      is_significant: null,
    });
    const { low, high } = cell!.approval_rate!;
    expect([low, high].map((bound) => Math.round(1_000 * bound))).toEqual([301, 954]);
    expect(cell!.decline_codes.map(({ count: declines }) => declines)).toEqual([1]);
    expect(cell!.mean_answer_ms).toBeGreaterThanOrEqual(0);
  });

  it('follows corrections, and facts that the provider reports', async () => {
    const payment = await pay('tok_pending', { scheme: 'visa' });
    await count();
    expect((await approvals('by=card.scheme')).cells.map(counted)).toEqual([['Berlin', 1, 0, 0, 0, 1]]);
    await merchant.notify(payment, { id: 'evt_1', status: 'failed' });
    await query(`UPDATE payment_attempts SET card = '{"scheme": "mastercard"}' WHERE payment_id = $1`, [payment.id]);
    const { cells } = await approvals('by=card.scheme');
    expect(cells.map((cell) => [cell.values, ...counted(cell)])).toEqual([
      [{ 'card.scheme': 'mastercard' }, 'Berlin', 1, 0, 1, 0, 0],
    ]);
    await count();
    expect((await approvals('by=card.scheme')).cells.map(counted)).toEqual(cells.map(counted));
    expect(await wrong()).toEqual([]);
  });

  it('shows an unknown value as null, and selects it by an empty one', async () => {
    await pay('tok_success', null, { country: undefined });
    await pay('tok_decline', VISA);
    await count();
    const fields = ['country', 'card.scheme', 'card.funding', 'card.issuer_country', 'card.bin'];
    const known = ['DE', 'visa', 'credit', 'FR', '411111'];
    for (const [index, field] of fields.entries()) {
      const { cells } = await approvals(`by=${field}`);
      expect(new Set(cells.map(({ values }) => values[field]))).toEqual(new Set([null, known[index]]));
      expect((await approvals(`${field}=`)).cells).toMatchObject([{ attempts: 1, approved: 1 }]);
      expect((await approvals(`${field}=${known[index]}`)).cells).toMatchObject([{ attempts: 1, declined: 1 }]);
    }
    expect((await approvals('currency=USD')).cells).toEqual([]);
    expect((await approvals(`shop_id=${shops[1]!.id}`)).cells).toEqual([]);
  });

  it('compares with the equally long period before', async () => {
    await addCells(1, 'approved', 60);
    await addCells(1, 'declined', 40);
    await addCells(3, 'approved', 90);
    await addCells(3, 'declined', 10);
    await addCells(5, 'approved', 7);
    const to = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    const from = new Date(to.getTime() - 2 * HOUR_MS);
    const answer = await approvals(`from=${from.toISOString()}&to=${to.toISOString()}`);
    expect(answer).toMatchObject({ from: from.toISOString(), to: to.toISOString() });
    const [cell] = answer.cells;
    expect(cell).toMatchObject({ attempts: 100, approval_rate: { estimate: 0.6 }, before: { attempts: 100 } });
    expect(cell!.change!.estimate).toBeCloseTo(-0.3);
    expect(cell!.change!.high).toBeLessThan(-0.15);
    expect(cell!.is_significant).toBe(true);
    expect(cell!.mean_answer_ms).toBe(100);
  });

  it('compares with nothing if the period before was not counted', async () => {
    await addCells(1, 'approved', 6);
    const since = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 30 * HOUR_MS);
    await query('UPDATE approval_counting SET since = $1', [since]);
    const answer = await approvals();
    expect([answer.counted_since, answer.cells[0]!.before, answer.cells[0]!.change]).toEqual([
      since.toISOString(),
      null,
      null,
    ]);
    const from = new Date(Date.now() - 10 * HOUR_MS).toISOString();
    expect((await approvals(`from=${from}`)).cells[0]!.before).toMatchObject({ attempts: 0 });
    const longest = new Date(Date.now() - 34 * 24 * HOUR_MS).toISOString();
    await query(`UPDATE approval_counting SET since = 'epoch'`);
    expect((await approvals(`from=${longest}`)).cells[0]!.before).toBeNull();
  });

  it('puts the BIN first whose rate fell most surely, if asked', async () => {
    const bins = { 400000: [50, 50, 90, 10], 510000: [900, 100, 910, 90], 370000: [0, 1, 1, 0] };
    for (const [bin, counts] of Object.entries(bins)) {
      const [approved, declined, approvedBefore, declinedBefore] = counts as [number, number, number, number];
      const facts = { scheme: 'visa', bin };
      for (const [outcome, now, before] of [
        ['approved', approved, approvedBefore],
        ['declined', declined, declinedBefore],
      ] as const) {
        await addCells(0, outcome, now, facts);
        await addCells(24, outcome, before, facts);
      }
    }
    const orders = async (order: string) =>
      (await approvals(`by=card.bin&order=${order}`)).cells.map((cell) => [
        cell.values['card.bin'],
        cell.is_significant,
      ]);
    const [fell, same, few] = [
      ['400000', true],
      ['510000', false],
      ['370000', false],
    ];
    expect(await orders('attempts')).toEqual([same, fell, few]);
    expect(await orders('change')).toEqual([fell, same, few]);
  });

  it('returns at most 500 cells', async () => {
    await query(
      `INSERT INTO approval_cells SELECT merchant_id, true, id, date_trunc('hour', now(), 'UTC'), 'EUR', '', '', '', '',
        (400000 + n)::text, 'approved', '', n, 0, 0 FROM shops, generate_series(1, 501) n WHERE id = $1`,
      [shops[0]!.id],
    );
    const answer = await approvals('by=card.bin');
    expect([answer.cells.length, answer.is_truncated, answer.cells[0]!.attempts]).toEqual([500, true, 501]);
    expect((await approvals('by=card.bin&order=change')).cells).toHaveLength(500);
  });

  it('refuses impossible periods and unknown fields', async () => {
    const status = async (filter: string) => (await client.get(`/insights/approvals?${filter}`)).status;
    const refused = [
      'by=shop_id',
      'by=country,currency,card.bin',
      'order=name',
      'card.bin=4111',
      'country=de',
      'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
      'from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z',
    ];
    for (const filter of refused) expect([filter, await status(filter)]).toEqual([filter, 400]);
  });

  it('ends periods now that would end later', async () => {
    await pay('tok_success');
    const end = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS);
    const at = (hours: number) => new Date(end.getTime() - hours * HOUR_MS).toISOString();
    for (const to of [at(-5), '9999-12-31T23:59:59Z', '9999-12-31T23:59:59-23:59']) {
      expect(await approvals(`to=${to}`)).toMatchObject({ from: at(24), to: at(0), cells: [{ approved: 1 }] });
      expect(await approvals(`to=${to}&from=${at(3)}`)).toMatchObject({ from: at(3), to: at(0) });
    }
    expect((await behind('to=9999-12-31T23:59:59Z')).data).toHaveLength(1);
  });

  it.each([
    ['to', '0100-01-01T00:00:00Z', 'must be after '],
    ['to', '2026-01-01T00:00:00Z', 'must be after '],
    ['from', '9999-12-31T23:00:00Z', 'must be before to, and not in the future, got "9999-12-31T23:00:00Z"'],
    ['from', '0100-01-01T00:00:00Z', 'must be at most 35 days before to, got "0100-01-01T00:00:00Z"'],
    ['to', '0000-01-01T00:00:00Z', 'must be an ISO 8601 time with its zone'],
    ['to', '0001-01-01T00:00:00Z', 'must be an ISO 8601 time with its zone'],
    ['to', '+275760-09-13T00:00:00Z', 'must be an ISO 8601 time with its zone'],
    ['to', '2016-12-31T23:59:60Z', 'must be an ISO 8601 time with its zone'],
  ])('refuses %s=%s, and says what it takes', async (field, value, message) => {
    for (const path of ['/insights/approvals', '/insights/approvals/payments']) {
      const { status, body } = await client.get(`${path}?${field}=${encodeURIComponent(value)}`);
      const says = expect.stringContaining(message) as unknown;
      expect([status, body]).toMatchObject([400, { errors: [{ field, message: says }] }]);
      expect(JSON.stringify(body)).toContain(`got \\"${value}\\"`);
    }
  });

  it('stays the same when a customer is erased', async () => {
    const payment = await pay('tok_success', VISA, { customer: { email: 'ada@example.com' } });
    await count();
    const before = await approvals('by=card.bin');
    dataOf(await client.post(`/customers/${String(payment.customer!.id)}/erase`, {}));
    await query('UPDATE payment_attempts SET card = card - $1 WHERE payment_id = $2', ['last4', payment.id]);
    expect(await query('SELECT FROM attempt_changes')).toEqual([]);
    expect(await approvals('by=card.bin')).toEqual(before);
  });

  it('shows nothing of other merchants', async () => {
    await pay('tok_success');
    const other = await api.loginAsAnotherMerchant();
    const filter = `shop_id=${shops[0]!.id}`;
    for (const path of ['/insights/approvals', '/insights/approvals/payments']) {
      expect(JSON.stringify((await other.get(`${path}?${filter}`)).body)).not.toContain('Berlin');
      expect(JSON.stringify((await other.get(path)).body)).not.toContain('Berlin');
    }
    await count();
    expect(dataOf<ApprovalsAnswer>(await other.get('/insights/approvals')).cells).toEqual([]);
  });

  it('lists the most frequent decline codes first, also those that are numbers', async () => {
    for (const [code, attempts] of [
      ['51', 2],
      ['do_not_honor', 3],
      ['05', 1],
    ] as const) {
      await addCells(0, 'declined', attempts);
      await query(`UPDATE approval_cells SET decline_code = $1 WHERE shop_id = $2 AND decline_code = ''`, [
        code,
        shops[0]!.id,
      ]);
    }
    const [cell] = (await approvals()).cells;
    expect(cell!.decline_codes.map(({ code }) => code)).toEqual(['do_not_honor', '51', '05']);
  });
});

describe('GET /insights/approvals/payments', () => {
  const idsOf = ({ data }: PageAnswer) => data.map(({ payment_id: id }) => id);

  it('lists the payments behind a cell, newest first, page by page', async () => {
    const made: number[] = [];
    for (let index = 0; index < 5; index++) {
      made.unshift((await pay('tok_success')).id);
      await pay('tok_decline');
    }
    const filter = 'outcome=approved&card.scheme=visa&card.bin=411111&limit=2';
    const first = await behind(filter);
    const second = await behind(`${filter}&cursor=${first.pagination.next_cursor}`);
    const third = await behind(`${filter}&cursor=${second.pagination.next_cursor}`);
    expect([first, second, third].map(idsOf)).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
    expect(third.pagination.next_cursor).toBeNull();
    expect(first.data[0]).toMatchObject({
      status: 'completed',
      amount: 49.9,
      country: 'DE',
      attempts: [
        {
          number: 1,
          shop_name: 'Berlin',
          outcome: 'approved',
          card: { scheme: 'visa', funding: 'credit', issuer_country: 'FR', bin: '411111' },
        },
      ],
    });
    expect(JSON.stringify(first)).not.toMatch(/4242|41111122/);
  });

  it('agrees with the cells for every filter', async () => {
    for (const token of ['tok_success', 'tok_decline', 'tok_pending']) await pay(token);
    for (const token of ['tok_soft_decline', 'tok_unavailable'])
      await pay(token, null, { country: undefined }, 'failover');
    const voided = await pay('tok_success', VISA, { capture: 'manual' });
    dataOf(await client.post(`/payments/${voided.id}/cancel`, {}));
    const filters = ['', 'country=', 'country=DE', 'card.funding=credit', 'currency=USD', `shop_id=${shops[1]!.id}`];
    for (const filter of filters) {
      const { cells } = await approvals(filter);
      for (const outcome of ['approved', 'declined', 'failed', 'pending'] as const) {
        const { data } = await behind(`${filter}&outcome=${outcome}`);
        const attempts = data.flatMap((payment) => payment.attempts).length;
        expect([filter, outcome, attempts]).toEqual([
          filter,
          outcome,
          cells.reduce((sum, cell) => sum + cell[outcome], 0),
        ]);
      }
    }
    const [code] = (await approvals()).cells[0]!.decline_codes;
    expect((await behind(`decline_code=${code!.code}`)).data.length).toBeGreaterThan(0);
    expect((await behind('decline_code=none')).data).toEqual([]);
  });

  it('continues on another page when it has looked at many payments', async () => {
    const wanted = await pay('tok_decline');
    await query(
      `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency, status,
        created_at, updated_at, expires_at)
      SELECT merchant_id, shop_id, flow_id, flow_version, 's', 'sandbox', 1, 'EUR', 'completed', now(), now(), now()
      FROM payments, generate_series(1, 20000) WHERE id = $1`,
      [wanted.id],
    );
    const first = await behind('outcome=declined');
    const second = await behind(`outcome=declined&cursor=${first.pagination.next_cursor}`);
    expect([idsOf(first), idsOf(second), second.pagination.next_cursor]).toEqual([[], [wanted.id], null]);
  });

  it('lists attempts of the period only', async () => {
    const payment = await pay('tok_success');
    await query(`UPDATE payment_attempts SET started_at = started_at - interval '3 hours' WHERE payment_id = $1`, [
      payment.id,
    ]);
    await query(`UPDATE payments SET created_at = created_at - interval '3 hours' WHERE id = $1`, [payment.id]);
    const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    expect(idsOf(await behind(`from=${at(4)}`))).toEqual([payment.id]);
    expect(idsOf(await behind(`from=${at(1)}`))).toEqual([]);
    expect(idsOf(await behind(`to=${at(5)}`))).toEqual([]);
  });
});
