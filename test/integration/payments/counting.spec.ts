import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { tidy } from '../../../src/platform/counters/counter.js';
import { Database, type Queryable } from '../../../src/platform/database/database.js';
import { SHOP_PAYMENTS } from '../../../src/webhooks/outbox/outbox-sql.js';
import { ShopCountersService } from '../../../src/webhooks/outbox/shop-counters.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';

let api: TestApi;
let merchant: Merchant;
let shopIds: number[];
let made = 0;

beforeAll(async () => {
  api = await startApi();
  merchant = new Merchant(await api.login());
});
beforeEach(async () => {
  made += 1;
  shopIds = [(await merchant.createShop(`A${made}`)).id, (await merchant.createShop(`B${made}`)).id];
  await merchant.createFlow(`checkout ${made}`, shopIds);
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

const pay = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      merchant.pay(`checkout ${made}`, index % 2 === 0 ? { webhook_endpoint: 'http://127.0.0.1:4000/' } : {}),
    ),
  );

async function expectExactCounts(): Promise<void> {
  for (const shopId of shopIds) {
    const [stored] = await sql(
      `SELECT count(*) AS payments, count(webhook_endpoint) AS "paymentsWithWebhooks" FROM payments WHERE shop_id = $1`,
      [shopId],
    );
    expect(await api.get(ShopCountersService).counts(shopId)).toEqual(stored);
  }
}

/** Makes all counts three hours old. */
const age = () => sql('UPDATE webhook_shop_counters SET slot = slot - (3::bigint << 22) WHERE slot > 0');

const compact = (limit: number, on: Queryable = api.get(Database)): Promise<number> =>
  tidy(on, SHOP_PAYMENTS, limit, new Date());

it('compacts the rows of past hours while payments are counted', async () => {
  await pay(60);
  await age();
  const compacting = Promise.all([compact(3), compact(3), compact(100)]);
  await pay(40);
  await compacting;
  await compact(100);
  await expectExactCounts();
  const rows = await sql<{ slot: number }>('SELECT slot FROM webhook_shop_counters WHERE shop_id = ANY ($1)', [
    shopIds,
  ]);
  expect(rows.filter(({ slot }) => slot === 0)).toHaveLength(2);
});

it('leaves the rows of this hour unchanged', async () => {
  await pay(10);
  await compact(100);
  expect(await compact(100)).toBe(0);
  const rows = await sql('SELECT FROM webhook_shop_counters WHERE slot > 0');
  expect(rows.length).toBeGreaterThan(0);
  await expectExactCounts();
});

it('counts every payment once when a connection dies before its commit', async () => {
  await pay(10);
  await age();
  const [from, to] = shopIds as [number, number];
  const dying = api.get(Database).transaction(async (transaction) => {
    await compact(100, transaction);
    await api.get(ShopCountersService).movePayment(transaction, from, to, true);
    await transaction.query({ name: 'test.die', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
  });
  await expect(dying).rejects.toThrow();
  await expectExactCounts();
  await compact(100);
  await expectExactCounts();
});

it('counts a moved payment for its new shop', async () => {
  const [from, to] = shopIds as [number, number];
  const counters = api.get(ShopCountersService);
  const before = await Promise.all([counters.counts(from), counters.counts(to)]);
  await api.get(Database).transaction((transaction) => counters.movePayment(transaction, from, to, true));
  const after = await Promise.all([counters.counts(from), counters.counts(to)]);
  expect(after.map(({ payments }, index) => payments - before[index]!.payments)).toEqual([-1, 1]);
  expect(after.map((counts, index) => counts.paymentsWithWebhooks - before[index]!.paymentsWithWebhooks)).toEqual([
    -1, 1,
  ]);
});
