import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { attemptRecord } from './delivery-store-conformance.js';
import { endDeliveries, holdDelivery } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';

const [ENDPOINT, OTHER_ENDPOINT] = ['http://127.0.0.1:4000/hooks', 'http://127.0.0.1:4001/new'];
const LEASE_MS = 60_000;

interface Row {
  status: string;
  attempts: number;
  attempts_in_run: number;
  webhook_endpoint: string;
  lane_id: number;
  origin: string;
  due_in_s: number;
}

describe('POST /webhooks/deliveries/{id}/retry', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let store: PostgresDeliveryStore;
  let flowName: string;
  let id: number;

  beforeAll(async () => {
    api = await startApi();
    client = await api.login();
    merchant = new Merchant(client);
    store = new PostgresDeliveryStore(api.get(Database));
    const shop = await merchant.createShop('Berlin');
    flowName = (await merchant.createFlow('checkout', [shop.id])).name;
  });
  afterAll(() => api.stop());
  /** Creates a payment with one delivery. No worker runs, so it stays pending. */
  beforeEach(async () => {
    const payment = await merchant.pay(flowName, {
      webhook_endpoint: ENDPOINT,
      payment_method: { token: 'tok_pending' },
    });
    id = (await api.deliveriesOf(payment.id))[0]!.id;
  });

  const retry = (body?: unknown) => client.post(`/webhooks/deliveries/${id}/retry`, body);
  const row = async (): Promise<Row> => {
    const { rows } = await api.database.pool.query<Row>(
      `SELECT d.status, d.attempts, d.attempts_in_run, d.webhook_endpoint, d.lane_id, l.origin,
        extract(epoch FROM d.next_attempt_at - clock_timestamp())::float8 AS due_in_s
       FROM all_deliveries d JOIN webhook_lanes l ON l.id = d.lane_id WHERE d.id = $1`,
      [id],
    );
    return rows[0]!;
  };
  /** Sets the delivery to its state after the third attempt. */
  const postpone = () =>
    api.database.pool.query(
      `UPDATE pending_deliveries SET due_at = now() + interval '1000 s', attempts = 3, attempts_in_run = 3 WHERE id = $1`,
      [id],
    );
  const claim = (leaseMs = LEASE_MS) =>
    row().then(({ lane_id: laneId }) =>
      store.claim([{ laneId, quota: 100, maxBytes: 1e9, withSuccessors: false }], leaseMs),
    );

  it('makes the next attempt of a pending delivery due now, as the first of a new run', async () => {
    await postpone();
    const before = dataOf<{ webhook_id: string }>(await client.get(`/webhooks/deliveries/${id}`));
    const response = await retry();
    expect(response.status).toBe(202);
    expect(dataOf(response)).toMatchObject({ id, webhook_id: before.webhook_id, status: 'pending', attempts: 3 });
    expect(await row()).toMatchObject({ attempts: 3, attempts_in_run: 0 });
    expect((await row()).due_in_s).toBeLessThanOrEqual(0);
    expect((await claim()).map((claimed) => claimed.id)).toEqual(expect.arrayContaining([id]));
  });

  it('changes nothing and writes no audit entry when repeated', async () => {
    await postpone();
    for (let times = 0; times < 3; times++) expect((await retry()).status).toBe(202);
    const entries = `SELECT 1 FROM audit_entries WHERE object_type = 'delivery' AND object_id = $1`;
    const { rows } = await api.database.pool.query(entries, [String(id)]);
    expect(rows).toHaveLength(1);
  });

  it('keeps the due time of a delivery that is already due', async () => {
    await api.database.pool.query(`UPDATE pending_deliveries SET due_at = now() - interval '9 s' WHERE id = $1`, [id]);
    expect((await retry()).status).toBe(202);
    expect((await row()).due_in_s).toBeLessThanOrEqual(-9);
  });

  it.each(['pending', 'failed', 'delivered'])('sends a %s delivery to another address', async (status) => {
    const { lane_id: laneBefore } = await row();
    if (status === 'pending') await postpone();
    else await endDeliveries(api.database.pool, 'id = $1', [id], { status });
    const answer = dataOf<{ webhook_endpoint: string }>(await retry({ webhook_endpoint: OTHER_ENDPOINT }));
    expect(answer.webhook_endpoint).toBe(OTHER_ENDPOINT);
    const after = await row();
    expect(after).toMatchObject({
      status: 'pending',
      webhook_endpoint: OTHER_ENDPOINT,
      origin: 'http://127.0.0.1:4001',
    });
    expect(after.lane_id).not.toBe(laneBefore);
  });

  it('returns 409 with Retry-After during an attempt', async () => {
    await holdDelivery(api.database.pool, id);
    const response = await retry();
    expect(response).toMatchObject({ status: 409, body: { code: 'delivery_in_progress' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await row()).toMatchObject({ attempts: 0, webhook_endpoint: ENDPOINT });
  });

  it('starts one new run for two concurrent requests', async () => {
    await endDeliveries(api.database.pool, 'id = $1', [id], { status: 'failed' });
    const answers = await Promise.all([retry(), retry()]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await row()).toMatchObject({ status: 'pending', attempts: 4, attempts_in_run: 0 });
  });

  const leaseOf = async (delivery: number): Promise<string | undefined> => {
    const { rows } = await api.database.pool.query<{ lease: string }>(
      'SELECT claimed_until::text AS lease FROM pending_deliveries WHERE id = $1',
      [delivery],
    );
    return rows[0]?.lease;
  };

  it('respects the lease of a worker that claims concurrently', async () => {
    for (let times = 0; times < 20; times++) {
      await postpone();
      await api.database.pool.query('UPDATE pending_deliveries SET due_at = now() WHERE id = $1', [id]);
      const [claimed, response] = await Promise.all([claim(), retry()]);
      const ours = claimed.find((delivery) => delivery.id === id);
      if (!ours) expect(response.status).toBe(202);
      else expect(await leaseOf(ours.id)).toBe(ours.lease);
      await api.database.pool.query(`UPDATE pending_deliveries SET claimed_until = '-infinity'`);
    }
  });

  it('drops a late result from the old address', async () => {
    const ours = (await claim(1)).find((delivery) => delivery.id === id)!;
    await eventually(async () => expect((await retry({ webhook_endpoint: OTHER_ENDPOINT })).status).toBe(202));
    expect(await store.record([attemptRecord(ours, { status: 'delivered' })])).toEqual([]);
    expect(await row()).toMatchObject({ status: 'pending', attempts: 0, webhook_endpoint: OTHER_ENDPOINT });
  });

  it.each([
    [{ webhook_endpoint: 'nonsense' }, 'webhook_endpoint'],
    [{ webhook_endpoint: 'http://10.0.0.1/' }, 'webhook_endpoint'],
    [{ more: 1 }, 'more'],
  ])('rejects %j', async (body, field) => {
    const response = await retry(body);
    expect(response).toMatchObject({ status: 422, body: { errors: [{ field }] } });
    expect((await row()).webhook_endpoint).toBe(ENDPOINT);
  });

  it('rejects an address for a delivery to a standing endpoint, which has one', async () => {
    await api.database.pool.query('UPDATE pending_deliveries SET endpoint_id = 5 WHERE id = $1', [id]);
    const refused = await retry({ webhook_endpoint: OTHER_ENDPOINT });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'webhook_endpoint' }] } });
    expect((await retry()).status).toBe(202);
    expect((await row()).webhook_endpoint).toBe(ENDPOINT);
  });

  it('returns 404 for a delivery of another merchant, with and without an address', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    for (const body of [{}, { webhook_endpoint: OTHER_ENDPOINT }])
      expect((await otherMerchant.post(`/webhooks/deliveries/${id}/retry`, body)).status).toBe(404);
    expect((await row()).webhook_endpoint).toBe(ENDPOINT);
  });
});
