import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_TABLES } from '../../../bench/support/delivery-tables.js';
import { receiptNumber } from '../../../bench/support/receipt-number.js';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import { DELIVERIES_IN_TIME, FIND_BY_WEBHOOK_ID } from '../../../src/webhooks/history/delivery-ids.queries.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { createEmptyDatabase } from '../../support/servers/database.js';
import { explained } from './explained.js';

interface DeliveryAnswer {
  id: number;
  webhook_id: string;
  status: string;
}

const UUID_V7 = /^whd_([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AT = '2026-11-21T01:02:03.456Z';

let api: TestApi;
beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.stop());

describe('the webhook-id of a delivery', () => {
  const idOf = async (id: number, createdAt: string, on = api.database): Promise<string> => {
    const { rows } = await on.pool.query<{ id: string }>('SELECT webhook_id($1, $2) AS id', [id, createdAt]);
    return rows[0]!.id;
  };

  it('consists of whd_ and a UUIDv7 with the millisecond of the delivery', async () => {
    const [, high, low] = UUID_V7.exec(await idOf(17, AT)) ?? [];
    expect(parseInt(`${high}${low}`, 16)).toBe(Date.parse(AT));
  });

  it('stays the same for every call', async () => {
    expect(await idOf(17, AT)).toBe(await idOf(17, AT));
  });

  it('differs between deliveries of the same millisecond', async () => {
    const { rows } = await api.database.pool.query<{ ids: number }>(
      'SELECT count(DISTINCT webhook_id(n, $1)) AS ids FROM generate_series(1, 20000) n',
      [AT],
    );
    expect(rows[0]!.ids).toBe(20_000);
  });

  it('differs between databases for the same number and time', async () => {
    const other = await createEmptyDatabase();
    try {
      await migrate(other.url);
      expect(await idOf(17, AT, other)).toMatch(UUID_V7);
      expect(await idOf(17, AT, other)).not.toBe(await idOf(17, AT));
    } finally {
      await other.drop();
    }
  });

  it('gives the same number in SQL as in the receivers of the benchmarks', async () => {
    const { rows } = await api.database.pool.query<{ id: string; number: number }>(
      `SELECT webhook_id(d.id, d.created_at) AS id, ${SERVICE_TABLES.receiptNumber} AS number
       FROM (SELECT n AS id, $1::timestamptz AS created_at FROM generate_series(1, 100) n) d`,
      [AT],
    );
    expect(rows.map(({ id }) => receiptNumber(id))).toEqual(rows.map(({ number }) => number));
    expect(receiptNumber('17')).toBe(17);
  });

  it('hides the number of deliveries', async () => {
    const tail = (await idOf(17, AT)).slice(-12);
    const unkeyed = createHash('sha256').update(Buffer.from('0000000000000011', 'hex')).digest('hex');
    expect(unkeyed).not.toContain(tail);
  });
});

describe('GET /webhooks/deliveries/{id} with a webhook-id', () => {
  let merchant: Merchant;
  let deliveries: DeliveryAnswer[];

  const find = (id: string | number, caller = merchant.api) => caller.get(`/webhooks/deliveries/${id}`);

  beforeAll(async () => {
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('Berlin');
    await merchant.createFlow('checkout', [shop.id]);
    for (let count = 0; count < 5; count++)
      await merchant.pay('checkout', { webhook_endpoint: 'http://127.0.0.1:4000/hook' });
    deliveries = dataOf(await merchant.api.get(`/webhooks/shop/${shop.id}/deliveries`));
  });

  it('returns the delivery with this id, pending or finished', async () => {
    expect(deliveries).toHaveLength(10);
    const ended = deliveries.slice(0, 4).map(({ id }) => id);
    await endDeliveries(api.database.pool, 'id = ANY ($1)', [ended], { status: 'delivered' });
    for (const { id, webhook_id: webhookId } of deliveries) {
      const status = ended.includes(id) ? 'delivered' : 'pending';
      expect(dataOf(await find(webhookId))).toMatchObject({ id, webhook_id: webhookId, status });
    }
  });

  it('returns 404 for a delivery of another merchant and for unknown ids', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    const { webhook_id: known } = deliveries[0]!;
    const unknown = `${known.slice(0, -1)}${known.endsWith('0') ? '1' : '0'}`;
    const longAgo = `whd_00000000-0001${known.slice(17)}`;
    for (const [id, caller] of [
      [known, otherMerchant],
      [unknown, merchant.api],
      [longAgo, merchant.api],
      [`whd_ffffffff-ffff${known.slice(17)}`, merchant.api],
    ] as const)
      expect((await find(id, caller)).body).toMatchObject({ status: 404, code: 'delivery_not_found' });
  });

  it.each(['whd_', 'whd_1', 'WHD_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57', '1.5', '-1', 'x'])('rejects %s', async (id) => {
    const { body } = await find(id);
    expect(body).toMatchObject({ code: 'malformed_request', errors: [{ field: 'id' }] });
  });

  it('reads only deliveries from about the same time', async () => {
    const client = await api.database.pool.connect();
    try {
      // rolled back, because rows with higher ids and earlier times would hide the other deliveries
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
          body_day, body_bytes, status, attempts, next_attempt_at, claimed_until, created_at)
         SELECT 1000000 + n, 1, 1, 1, n, 'e', 'completed', 'https://shop.example/', now()::date, 1200, 'delivered', 1, NULL, NULL,
           '2026-01-01'::timestamptz + n * interval '1 s' FROM generate_series(1, 50000) n`,
      );
      await client.query('ANALYZE webhook_deliveries');
      const span = [1_030_000, 1_030_120, new Date('2026-01-01T08:21:00Z'), new Date('2026-01-01T08:21:00.001Z')];
      const cases = [
        [FIND_BY_WEBHOOK_ID, ['whd_x', 1, ...span]],
        [DELIVERIES_IN_TIME, [new Date('2026-01-01T08:20:00Z')]],
      ] as const;
      for (const [statement, values] of cases) {
        const { reads, rows } = await explained(client, statement, [...values], 'generic');
        expect(reads.filter((read) => read.startsWith('webhook_deliveries'))).toEqual([
          'webhook_deliveries by webhook_deliveries_pkey',
        ]);
        expect(rows).toBeLessThan(200);
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
