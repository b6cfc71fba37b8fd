import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type Report, REPORTS } from '../../../src/insights/reports/report-sources.js';
import { ReportWalk } from '../../../src/insights/reports/report-walk.js';
import { type DetailRow, ROWS } from '../../../src/insights/reports/reports.queries.js';
import { WorkOwner } from '../../../src/platform/cpu-scheduler/work-owner.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { readLedgers } from '../../support/ledger/ledger.js';
import { unitsOf } from '../../support/ledger/money.js';

interface Sum {
  period: string;
  shop_id: number;
  shop: string;
  currency: string;
  count: number;
  amount: string;
  fee: string;
  without_fee: number;
}

let api: TestApi;
let merchant: Merchant;
let payments: PaymentAnswer[];

const DAY_MS = 24 * 3_600_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Days around now, in case that midnight passes. */
const days = (): string => `from=${dayOf(Date.now() - DAY_MS)}&to=${dayOf(Date.now() + DAY_MS)}`;
const sumsOf = async (report: Report, more = ''): Promise<Sum[]> =>
  dataOf<{ sums: Sum[] }>(await merchant.api.get(`/reports/${report}?${days()}${more}`)).sums;
const csvOf = async (path: string): Promise<string[][]> => {
  const { status, headers, body } = await merchant.api.get<string>(path);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  return body
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
};

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.loginAsAnotherMerchant());
  const fees = [{ percent: 1.4, fixed: 0.25, currency: 'EUR' }];
  const shops = [await merchant.createShop('Berlin', { fees }), await merchant.createShop('=Zürich')];
  for (const [index, shop] of shops.entries()) await merchant.createFlow(`flow-${index}`, [shop.id]);
  const pay = (flow: number, fields: object): Promise<PaymentAnswer> =>
    merchant.pay(`flow-${flow}`, { metadata: { order_id: 'A-1' }, ...fields });
  payments = [
    await pay(0, {}),
    await pay(0, { amount: 0.1 }),
    await pay(0, { amount: 0.2 }),
    await pay(0, { amount: 100, capture: 'manual' }),
    await pay(1, { amount: 5_000, currency: 'JPY' }),
    await pay(1, { payment_method: { token: 'tok_decline' } }),
    await pay(1, { amount: 30 }),
  ];
  const change = (index: number, path: string, body: object) =>
    merchant.api.post(`/payments/${payments[index]!.id}/${path}`, body);
  dataOf(await change(3, 'capture', { amount: 60.5 }));
  dataOf(await change(0, 'refunds', { amount: 10 }));
  dataOf(await change(0, 'refunds', { amount: 0.9 }));
  dataOf(await change(6, 'refunds', {}));
  const dispute = {
    id: 'dp_1',
    status: 'open',
    kind: 'chargeback',
    amount: 5,
    currency: 'EUR',
    reason_code: 'fraudulent',
  };
  dataOf(await merchant.notify(payments[0]!, { id: 'evt_1', status: 'disputed', data: undefined, ...{ dispute } }));
});
afterAll(() => api.stop());

/** Sums by shop and currency, over all periods, in ten-thousandths. */
function totals(sums: readonly { shop_id: number; currency: string; amount: string }[]): Record<string, bigint> {
  const total: Record<string, bigint> = {};
  for (const { shop_id: shop, currency, amount } of sums) {
    if (unitsOf(amount) > 0n) total[`${shop} ${currency}`] = (total[`${shop} ${currency}`] ?? 0n) + unitsOf(amount);
  }
  return total;
}

it('Reports have the captures and refunds of the books', async () => {
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;
  const { transactions } = await readLedgers(
    query,
    payments.map(({ id }) => id),
  );
  const booksOf = (field: 'captured' | 'refunded') =>
    totals(transactions.map((transaction) => ({ ...transaction, amount: transaction[field] })));
  expect(Object.values(booksOf('captured'))).toEqual([1_107_000n, 50_000_000n, 300_000n]);
  expect(totals(await sumsOf('captures'))).toEqual(booksOf('captured'));
  expect(totals(await sumsOf('refunds'))).toEqual(booksOf('refunded'));
});

it('Reports count payments, disputes, attempts, and fees by the terms of the shops', async () => {
  const [berlin, zurich] = [payments[0]!.shop.id, payments[4]!.shop.id];
  expect(totals(await sumsOf('payments'))).toEqual({
    [`${berlin} EUR`]: 1_502_000n,
    [`${zurich} EUR`]: 799_000n,
    [`${zurich} JPY`]: 50_000_000n,
  });
  expect(totals(await sumsOf('disputes'))).toEqual({ [`${berlin} EUR`]: 50_000n });
  const fees = await sumsOf('fees', '&interval=month');
  const total = (field: 'count' | 'without_fee') => fees.reduce((sum, row) => sum + row[field], 0);
  expect([total('count'), total('without_fee')]).toEqual([6, 2]);
  // 1.4 % of 110.70, and four times 0.25
  expect(totals(fees.map((row) => ({ ...row, amount: row.fee })))).toEqual({ [`${berlin} EUR`]: 25_498n });
  const approvals = await merchant.api.get(`/reports/approvals?${days()}&interval=month&shop_id=${zurich}`);
  expect(dataOf(approvals)).toMatchObject({
    sums: [{ shop_id: zurich, count: 3, approved: 2, declined: 1, failed: 0, approval_rate: 0.6667 }],
  });
  expect(await sumsOf('captures', '&currency=JPY&by=shop')).toMatchObject([
    { shop_id: zurich, shop: '=Zürich', currency: 'JPY', count: 1, amount: '5000' },
  ]);
});

it.each([
  ['', 'hour', 24],
  [`from=${dayOf(Date.now() - 6 * DAY_MS)}T00:00:00Z`, 'day', 7],
])('Approvals over time with %j have %s steps', async (query, step, count) => {
  const shop = payments[4]!.shop.id;
  const path = `/insights/approvals/over-time?shop_id=${shop}&currency=EUR&${query}`;
  const answer = dataOf<{ step: string; steps: { approved: number; declined: number; before: object }[] }>(
    await merchant.api.get(path),
  );
  expect([answer.step, answer.steps.length]).toEqual([step, count]);
  const total = (field: 'approved' | 'declined') => answer.steps.reduce((sum, each) => sum + each[field], 0);
  expect([total('approved'), total('declined')]).toEqual([1, 1]);
  expect(answer.steps.at(-1)!.before).toEqual({ approved: 0, declined: 0, failed: 0 });
});

it('A report as CSV has texts that are no formulas, and a name', async () => {
  const { headers } = await merchant.api.get(`/reports/captures?${days()}&format=csv`);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="captures-2\d{3}-\d\d-\d\d-to-2\d{3}-\d\d-\d\d\.csv"$/,
  );
  const [head, ...sums] = await csvOf(`/reports/captures?${days()}&format=csv`);
  expect(head).toEqual(['period', 'shop_id', 'shop', 'currency', 'count', 'amount']);
  expect(sums.map(([, , ...row]) => row)).toContainEqual(["'=Zürich", 'JPY', '1', '5000']);
  const [names, ...rows] = await csvOf(`/reports/captures?${days()}&rows=all&currency=EUR`);
  expect(names!.join()).toBe(
    'captured_on,captured_at,payment_id,order_id,provider,transaction_id,reference,shop_id,shop,currency,amount',
  );
  const part = payments[3]!;
  const row = rows.find(([, , id]) => Number(id) === part.id)!;
  expect([row[3], row[5], row.at(-1)]).toEqual(['A-1', part.provider_transaction_id, '60.50']);
  expect(row[1]).toBe(
    (await merchant.api.get<{ data: { captured_at: string } }>(`/payments/${part.id}`)).body.data.captured_at,
  );
  expect(rows).toHaveLength(5);
});

it('Days are those of the time zone', async () => {
  await api.database.pool.query(`UPDATE disputes SET opened_at = '2026-10-25T22:30:00Z' WHERE payment_id = $1`, [
    payments[0]!.id,
  ]);
  const read = async (day: string, zone: string): Promise<number> => {
    const path = `/reports/disputes?from=${day}&to=${day}&time_zone=${zone}`;
    return dataOf<{ sums: Sum[] }>(await merchant.api.get(path)).sums.length;
  };
  // 25 hours in Berlin
  expect([await read('2026-10-25', 'Europe/Berlin'), await read('2026-10-26', 'Europe/Berlin')]).toEqual([1, 0]);
  expect([await read('2026-10-25', 'Asia/Kathmandu'), await read('2026-10-26', 'Asia/Kathmandu')]).toEqual([0, 1]);
});

it.each(REPORTS)('%s: small pages have the rows of a large one', async (report) => {
  const starts = ['2026-10-01', dayOf(Date.now() + DAY_MS)].map((day) => new Date(day));
  const [{ merchant_id: id }] = (
    await api.database.pool.query<{ merchant_id: number }>('SELECT merchant_id FROM payments WHERE id = $1', [
      payments[0]!.id,
    ])
  ).rows as [{ merchant_id: number }];
  const walk = api.get(ReportWalk);
  const read = { report, starts };
  const idsOf = async (size: number): Promise<unknown[]> => {
    const ids: unknown[] = [];
    for await (const rows of walk.pages<DetailRow>(new WorkOwner(id), ROWS[report], read, size))
      ids.push(...rows.filter(({ at }) => at !== null).map((row) => row['payment_id']));
    return ids;
  };
  const all = await idsOf(1_000);
  expect(all.length).toBe({ payments: 7, captures: 6, refunds: 3, disputes: 1, fees: 6, approvals: 7 }[report]);
  expect(await idsOf(1)).toEqual(all);
  expect(await idsOf(2)).toEqual(all);
});

it('A connection ends before the end of an answer that fails', async () => {
  async function* failing(): AsyncGenerator<never[]> {
    yield await Promise.resolve([]);
    throw new Error('the database is gone');
  }
  jest.spyOn(api.get(ReportWalk), 'pages').mockImplementation(failing);
  const answer = fetch(`${merchant.api.url}/reports/captures?${days()}&rows=all`, {
    headers: { authorization: `Bearer ${merchant.api.token}` },
  });
  await expect(answer.then((response) => response.text())).rejects.toThrow();
});

it.each([
  ['captures?from=2026-11-02&to=2026-11-01', 'from'],
  ['captures?from=2025-11-01&to=2026-11-30', 'from'],
  ['captures?from=2026-11-31&to=2026-11-30', 'from'],
  ['captures?to=2026-11-30', 'from'],
  ['captures?from=2026-11-01&to=2026-11-30&time_zone=Berlin', 'time_zone'],
  ['captures?from=2026-11-01&to=2026-11-30&by=scheme', 'by'],
  ['captures?from=2026-11-01&to=2026-11-30&rows=all&format=json', 'format'],
  ['profits?from=2026-11-01&to=2026-11-30', 'report'],
])('GET /reports/%s names %s', async (path, field) => {
  const { status, body } = await merchant.api.get<{ errors: { field: string }[] }>(`/reports/${path}`);
  expect([status, body.errors[0]!.field]).toEqual([400, field]);
});
