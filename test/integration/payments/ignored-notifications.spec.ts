import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';

const LIMIT = 10;

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;
let ids = 0;

beforeAll(async () => {
  await earlyIn(DAY_MS);
  api = await startApi({ MAX_IGNORED_NOTIFICATIONS_PER_DAY: String(LIMIT) });
  merchant = new Merchant(await api.login());
});
afterAll(() => api.stop());

const aShop = async (): Promise<void> => {
  shop = await merchant.createShop(`Shop ${(ids += 1)}`);
  await merchant.createFlow(`flow of ${shop.id}`, [shop.id]);
};
const waiting = (): Promise<PaymentAnswer> =>
  merchant.pay(`flow of ${shop.id}`, { payment_method: { token: 'tok_pending' } });
const unknown = (fields: Record<string, unknown> = {}) => {
  const body = { id: `evt_${(ids += 1)}`, provider_transaction_id: 'sbx_none', status: 'completed', ...fields };
  return merchant.sendNotification(shop.id, JSON.stringify(body));
};
const stored = async (): Promise<number> => {
  const text = 'SELECT count(*)::int AS count FROM provider_notifications WHERE shop_id = $1';
  return (await api.database.pool.query<{ count: number }>(text, [shop.id])).rows[0]!.count;
};
const statuses = (answers: { status: number }[]): number[] => answers.map(({ status }) => status).sort();

describe('notifications without a payment', () => {
  beforeEach(aShop);

  it('count up to the limit of the day per shop, even if they are concurrent, and get 429 above it', async () => {
    const answers = await Promise.all(Array.from({ length: LIMIT + 15 }, () => unknown()));
    expect(statuses(answers)).toEqual([...Array<number>(LIMIT).fill(200), ...Array<number>(15).fill(429)]);
    expect(await stored()).toBe(LIMIT);
    const { status, body, headers } = await unknown();
    expect(status).toBe(429);
    expect(body).toMatchObject({
      code: 'too_many_requests',
      detail: `a shop may receive ${LIMIT} notifications without a payment per day, and this is one more`,
    });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(86_400);
    await aShop();
    expect((await unknown()).status).toBe(200);
  });

  it('succeed again on the next day', async () => {
    await Promise.all(Array.from({ length: LIMIT }, () => unknown()));
    expect((await unknown()).status).toBe(429);
    const yesterday = 'UPDATE ignored_notifications SET day = day - 1 WHERE shop_id = $1';
    await api.database.pool.query(yesterday, [shop.id]);
    expect((await unknown()).status).toBe(200);
  });
});

describe('a shop at its limit of notifications without a payment', () => {
  let first: string;
  beforeAll(async () => {
    await aShop();
    first = `evt_${(ids += 1)}`;
    await unknown({ id: first });
    await Promise.all(Array.from({ length: LIMIT - 1 }, () => unknown()));
    expect((await unknown()).status).toBe(429);
  });

  it('still applies notifications about its payments', async () => {
    const payment = await waiting();
    expect((await merchant.notify(payment, { id: 'evt_real', status: 'completed' })).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
  });

  it('still acknowledges a repeat of a stored notification', async () => {
    const before = await stored();
    expect((await unknown({ id: first })).status).toBe(200);
    expect(await stored()).toBe(before);
  });
});

describe('notifications about a payment that change nothing', () => {
  beforeEach(aShop);
  const counted = async (): Promise<object[]> =>
    (await api.database.pool.query<object>('SELECT FROM ignored_notifications WHERE shop_id = $1', [shop.id])).rows;

  it.each<[string, { id?: string; status: string; amount?: string; currency?: string }]>([
    ['no news', { status: 'completed' }],
    ['a contradiction', { status: 'failed' }],
    ['an alarm', { status: 'completed', amount: '0.01', currency: 'EUR' }],
    ['other content under a known id', { id: 'evt_same', status: 'failed' }],
  ])('succeed in any number without being counted: %s', async (_name, fields) => {
    const payment = await waiting();
    await merchant.notify(payment, { id: 'evt_same', status: 'completed' });
    for (let n = 0; n < LIMIT + 5; n += 1) {
      const answer = await merchant.notify(payment, { id: `evt_${(ids += 1)}`, data: { n }, ...fields });
      expect([answer.status, n]).toEqual([200, n]);
    }
    expect(await counted()).toEqual([]);
  });

  it('succeed in any number without being counted while they wait', async () => {
    const payment = await waiting();
    for (let n = 0; n < LIMIT + 5; n += 1) {
      const answer = await merchant.notify(payment, { id: `evt_${(ids += 1)}`, status: 'refunded' });
      expect(answer.status).toBe(200);
    }
    expect(await counted()).toEqual([]);
    await merchant.notify(payment, { id: 'evt_done', status: 'completed' });
    expect((await merchant.payment(payment.id)).status).toBe('refunded');
  });

  it('stay stored up to a thousand per payment, and succeed above it without being stored', async () => {
    const payment = await waiting();
    await merchant.notify(payment, { id: 'evt_done', status: 'completed' });
    const others = `INSERT INTO provider_notifications (provider, shop_id, notification_id, payment_id, status, outcome, data, received_at)
      SELECT 'sandbox', $1, 'other_' || n, $2, 'completed', 'ignored', '{}', now() FROM generate_series(1, 998) n`;
    await api.database.pool.query(others, [shop.id, payment.id]);
    expect((await merchant.notify(payment, { id: 'evt_last', status: 'failed' })).status).toBe(200);
    expect(await stored()).toBe(1_000);
    expect((await merchant.notify(payment, { id: 'evt_beyond', status: 'failed' })).status).toBe(200);
    expect((await merchant.notify(payment, { id: 'evt_last', status: 'cancelled' })).status).toBe(200);
    expect(await stored()).toBe(1_000);
    expect((await merchant.notify(payment, { id: 'evt_refund', status: 'refunded' })).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('refunded');
  });

  it('displace neither a waiting notification nor an alarm', async () => {
    const payment = await waiting();
    await api.database.pool.query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, payment_id, status, outcome, data, received_at)
      SELECT 'sandbox', $1, 'full_' || n, $2, 'processing', 'ignored', '{}', now() FROM generate_series(1, 1000) n`,
      [shop.id, payment.id],
    );
    const alarms = { id: 'evt_alarm', status: 'completed', amount: '0.01' };
    const early = { id: 'evt_early', status: 'refunded' };
    for (const fields of [early, { id: 'evt_done', status: 'completed' }, alarms])
      expect((await merchant.notify(payment, fields)).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('refunded');
    const { rows } = await api.database.pool.query(
      `SELECT notification_id, outcome FROM provider_notifications
      WHERE payment_id = $1 AND notification_id LIKE 'evt%' ORDER BY id`,
      [payment.id],
    );
    expect(rows).toEqual([
      { notification_id: 'evt_early', outcome: 'applied' },
      { notification_id: 'evt_done', outcome: 'applied' },
      { notification_id: 'evt_alarm', outcome: 'alarm' },
    ]);
  });
});

describe('the data of a notification', () => {
  beforeAll(aShop);
  const SIZE = 16 * 1024;
  const dataOf = (bytes: number) => ({ x: 'x'.repeat(bytes - '{"x":""}'.length) });

  it('allows 16 KiB of JSON', async () => {
    expect((await unknown({ data: dataOf(SIZE) })).status).toBe(200);
  });

  it('above 16 KiB causes an error that names the field, its size and the limit, and nothing is stored', async () => {
    const before = await stored();
    const payment = await waiting();
    const known = await merchant.notify(payment, { id: 'evt_big', status: 'completed', data: dataOf(SIZE + 1) });
    for (const { status, body } of [known, await unknown({ data: dataOf(SIZE + 1) })]) {
      expect([status, body]).toMatchObject([
        422,
        {
          code: 'validation_failed',
          errors: [{ field: 'data', message: 'must be at most 16384 bytes of JSON, got 16385' }],
        },
      ]);
    }
    expect(await stored()).toBe(before);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });
});
