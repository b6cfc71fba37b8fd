import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { startCheckout } from '../payments/checkout.js';

interface Report {
  version: number;
  payments_checked: number;
  payments_counted: number;
  is_truncated: boolean;
  rules: {
    rule: number | 'default';
    hits_24h: number;
    hits_30d: number;
    conditions: { field: string; met: number }[];
    warnings: { code: string; field: string | null }[];
  }[];
}

let api: TestApi;
let merchant: Merchant;
let flow: { id: number; name: string };
let made = 0;
let shops: number[];

const german = { when: { country: { equals: 'DE' } }, use: { shops: [] as number[], strategy: 'round_robin' } };
const american = { when: { country: { equals: 'US' } }, decline: { code: 'blocked_country' } };
const dear = { when: { amount: { min: 1_000 } }, decline: { code: 'too_dear' } };

beforeAll(async () => {
  const checkout = await startCheckout({}, ['A', 'B']);
  ({ api, merchant } = checkout);
  shops = checkout.shops.map(({ id }) => id);
  german.use.shops = shops;
});
beforeEach(async () => {
  flow = dataOf(
    await merchant.api.post('/flows', {
      name: `ruled ${++made}`,
      strategy: 'rules',
      shops: shops.map((shop_id) => ({ shop_id })),
      rules: [german, american],
      default: { shops, strategy: 'round_robin' },
    }),
  );
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];
const report = async (id = flow.id): Promise<Report> => dataOf(await merchant.api.get(`/flows/${id}/rules`));
const hitsOf = ({ rules }: Report) => rules.map(({ rule, hits_24h: day, hits_30d: month }) => [rule, day, month]);

/** The number of payments by the version and the rule of their decision. */
const decided = () =>
  sql<{ version: number; rule: string; count: number }>(
    `SELECT flow_version AS version, decision ->> 'rule' AS rule, count(*)::int FROM payments WHERE flow_id = $1
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [flow.id],
  );
const pay = (country: string, fields: Record<string, unknown> = {}) =>
  merchant.pay(flow.name, { country, payment_method: { token: 'tok_success' }, ...fields });
const payMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => pay(['DE', 'US', 'FR', 'DE'][index % 4]!)));
it('a flow without payments has no hits and no warnings', async () => {
  expect(await report()).toEqual({
    version: 1,
    payments_checked: 0,
    payments_counted: 0,
    is_truncated: false,
    rules: [
      { rule: 0, hits_24h: 0, hits_30d: 0, conditions: [{ field: 'country', met: 0 }], warnings: [] },
      { rule: 1, hits_24h: 0, hits_30d: 0, conditions: [{ field: 'country', met: 0 }], warnings: [] },
      { rule: 'default', hits_24h: 0, hits_30d: 0, conditions: [], warnings: [] },
    ],
  });
});

it('the hits of concurrent payments equal the count of their decisions, over versions', async () => {
  await payMany(24);
  expect(hitsOf(await report())).toEqual([
    [0, 12, 12],
    [1, 6, 6],
    ['default', 6, 6],
  ]);
  dataOf(await merchant.api.patch(`/flows/${flow.id}`, { rules: [dear, american, german] }));
  await Promise.all([payMany(16), pay('DE', { amount: 1_000 })]);
  expect(await decided()).toEqual([
    { version: 1, rule: '0', count: 12 },
    { version: 1, rule: '1', count: 6 },
    { version: 1, rule: 'default', count: 6 },
    { version: 2, rule: '0', count: 1 },
    { version: 2, rule: '1', count: 4 },
    { version: 2, rule: '2', count: 8 },
    { version: 2, rule: 'default', count: 4 },
  ]);
  const found = await report();
  expect(hitsOf(found)).toEqual([
    [0, 1, 1],
    [1, 10, 10],
    [2, 20, 20],
    ['default', 10, 10],
  ]);
  expect(found).toMatchObject({ version: 2, payments_checked: 41, payments_counted: 41, is_truncated: false });
  expect(found.rules.map(({ conditions }) => conditions)).toEqual([
    [{ field: 'amount', met: 1 }],
    [{ field: 'country', met: 10 }],
    [{ field: 'country', met: 21 }],
    [],
  ]);
});

it('a refused payment and a simulation hit nothing', async () => {
  expect((await merchant.tryPay(flow.name, { country: 'FR', currency: 'XXX' })).status).toBe(422);
  await merchant.api.post('/flows/simulate', { flow_name: flow.name, country: 'US' });
  expect(hitsOf(await report()).flatMap(([, day, month]) => [day, month])).toEqual([0, 0, 0, 0, 0, 0]);
});

it('a flow without rules counts nothing', async () => {
  const { id } = dataOf<{ id: number }>(
    await merchant.api.post('/flows', {
      name: 'plain',
      strategy: 'weighted',
      shops: shops.map((shop_id) => ({ shop_id })),
    }),
  );
  await merchant.pay('plain');
  expect(await report(id)).toEqual({
    version: 1,
    payments_checked: 0,
    payments_counted: 0,
    is_truncated: false,
    rules: [],
  });
});

it('another merchant gets flow_not_found', async () => {
  expect((await merchant.api.get('/flows/999999999/rules')).status).toBe(404);
});

it('counts payments of a day and of 30 days', async () => {
  const daysPass = (days: number) =>
    sql(`UPDATE payments SET created_at = created_at - $2 * interval '1 day' WHERE flow_id = $1`, [flow.id, days]);
  await payMany(4);
  await daysPass(2);
  await payMany(4);
  expect(hitsOf(await report())[0]).toEqual([0, 2, 4]);
  await daysPass(29);
  expect(hitsOf(await report())[0]).toEqual([0, 0, 2]);
  expect(await report()).toMatchObject({ payments_checked: 8, payments_counted: 4 });
});

it('counts the newest 10,000 payments of a busy flow', async () => {
  await pay('FR');
  await sql(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
       status, created_at, updated_at, expires_at, decision)
     SELECT merchant_id, shop_id, flow_id, 1, 's', 'sandbox', 1, 'EUR', 'completed', now(), now(), now(), decision
     FROM payments, generate_series(1, 10000) WHERE flow_id = $1`,
    [flow.id],
  );
  const found = await report();
  expect(found).toMatchObject({ payments_checked: 1_000, payments_counted: 10_000, is_truncated: true });
  expect(hitsOf(found)).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    ['default', 10_000, 10_000],
  ]);
});

it('warns of a rule that no payment hit in a day, and of metadata that none had', async () => {
  await payMany(12);
  const typo = { when: { 'metadata.teir': { equals: 'gold' } }, use: german.use };
  dataOf(await merchant.api.patch(`/flows/${flow.id}`, { rules: [typo, american, german] }));
  await pay('FR', { metadata: { tier: 'gold' } });
  const warningsOf = async () => (await report()).rules.map(({ warnings }) => warnings.map(({ code }) => code));
  expect(await warningsOf()).toEqual([['unknown_metadata'], [], [], []]);
  await sql(`UPDATE flow_versions SET activated_at = now() - interval '25 hours' WHERE flow_id = $1`, [flow.id]);
  expect(await warningsOf()).toEqual([['never_hit', 'unknown_metadata'], [], [], []]);
});
