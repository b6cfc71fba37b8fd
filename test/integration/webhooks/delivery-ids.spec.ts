import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DELIVERIES_IN_TIME, FIND_BY_WEBHOOK_ID } from '../../../src/webhooks/lookup/delivery-ids.queries.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { explained } from './explained.js';

interface DeliveryAnswer {
  id: number;
  webhook_id: string;
  status: string;
}

describe('GET /webhooks/deliveries/{id} with a webhook-id', () => {
  let api: TestApi;
  let merchant: Merchant;
  let deliveries: DeliveryAnswer[];

  const find = (id: string | number, caller = merchant.api) => caller.get(`/webhooks/deliveries/${id}`);

  beforeAll(async () => {
    api = await startApi();
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('Berlin');
    await merchant.createFlow('checkout', [shop.id]);
    for (let count = 0; count < 5; count++)
      await merchant.pay('checkout', { webhook_endpoint: 'http://127.0.0.1:4000/hook' });
    deliveries = dataOf(await merchant.api.get(`/webhooks/shop/${shop.id}/deliveries`));
  });
  afterAll(() => api.stop());

  it('answers the one delivery that has it, pending or ended', async () => {
    expect(deliveries).toHaveLength(10);
    const ended = deliveries.slice(0, 4).map(({ id }) => id);
    await endDeliveries(api.database.pool, 'id = ANY ($1)', [ended], { status: 'delivered' });
    for (const { id, webhook_id: webhookId } of deliveries) {
      const status = ended.includes(id) ? 'delivered' : 'pending';
      expect(dataOf(await find(webhookId))).toMatchObject({ id, webhook_id: webhookId, status });
    }
  });

  it('finds none of another merchant, and none that is not', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const { webhook_id: known } = deliveries[0]!;
    const unknown = `${known.slice(0, -1)}${known.endsWith('0') ? '1' : '0'}`;
    const longAgo = `whd_00000000-0001${known.slice(17)}`;
    for (const [id, caller] of [
      [known, stranger],
      [unknown, merchant.api],
      [longAgo, merchant.api],
      [`whd_ffffffff-ffff${known.slice(17)}`, merchant.api],
    ] as const)
      expect((await find(id, caller)).body).toMatchObject({ status: 404, code: 'delivery_not_found' });
  });

  it.each(['whd_', 'whd_1', 'WHD_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57', '1.5', '-1', 'x'])('refuses %s', async (id) => {
    const { body } = await find(id);
    expect(body).toMatchObject({ code: 'malformed_request', errors: [{ field: 'id' }] });
  });

  it('reads the deliveries made about then alone', async () => {
    await api.database.pool.query(
      `INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, status, attempts, next_attempt_at, claimed_until, created_at)
       SELECT 1000000 + n, 1, 1, 1, n, 'e', 'completed', 'https://shop.example/', now()::date, 1200, 'delivered', 1, NULL, NULL,
         '2026-01-01'::timestamptz + n * interval '1 s' FROM generate_series(1, 50000) n`,
    );
    await api.database.pool.query('ANALYZE webhook_deliveries');
    const client = await api.database.pool.connect();
    try {
      await client.query('BEGIN');
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
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
  });
});
