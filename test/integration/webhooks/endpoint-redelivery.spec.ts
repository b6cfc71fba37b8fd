import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, startEngine } from './engine-harness.js';

/** Changes of a payment, so also deliveries to each endpoint. */
const CHANGES = 2;

describe('POST /webhooks/redeliver with a standing endpoint', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let receiver: Receiver;
  let worker: Engine;
  /** The endpoint of the requests, and one that must not change. */
  let [endpointId, otherId] = [0, 0];

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(), startReceiver()]);
    client = await api.login();
    merchant = new Merchant(client);
    const shop = await merchant.createShop('Berlin');
    await merchant.createFlow('checkout', [shop.id]);
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    receiver.requests.length = 0;
    receiver.respondWith(500);
    [endpointId, otherId] = [await anEndpoint(), await anEndpoint()];
  });
  afterEach(async () => {
    await worker.stop();
    for (const id of [endpointId, otherId]) await client.delete(`/webhooks/endpoints/${id}`);
    for (const table of ['webhook_redeliveries', 'pending_deliveries', 'webhook_deliveries', 'failing_endpoints'])
      await query(`DELETE FROM ${table}`);
    await forgetWorkers(api.database.pool);
  });

  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query(text, values)).rows as Row[];
  /** Without redelivery on recovery, so that only the request sends again. */
  const anEndpoint = async (): Promise<number> =>
    dataOf<{ id: number }>(
      await client.post('/webhooks/endpoints', { url: `${receiver.url}/hooks`, redeliver_on_recovery: false }),
    ).id;
  const redeliver = (filter: object) => client.post('/webhooks/redeliver', { endpoint_id: endpointId, ...filter });
  const statesOf = async (id: number): Promise<string[]> =>
    (
      await query<{ state: string }>(
        `SELECT status || ' after ' || attempts AS state FROM all_deliveries WHERE endpoint_id = $1`,
        [id],
      )
    ).map(({ state }) => state);
  const all = (state: string): string[] => Array<string>(CHANGES).fill(state);
  /** Lets the deliveries of a payment to both endpoints fail until they are in `state`. The receiver then answers. */
  async function failUntil(state: string, retryDelaysMs: string): Promise<void> {
    const env = { WEBHOOK_RETRY_DELAYS_MS: retryDelaysMs, WEBHOOK_REDELIVERIES_PER_SECOND: '10000' };
    worker = await startEngine(WebhooksWorkerModule, api.database.url, env);
    await merchant.pay('checkout');
    for (const id of [endpointId, otherId])
      await eventually(async () => expect(await statesOf(id)).toEqual(all(state)));
    receiver.respondWith(200);
    receiver.requests.length = 0;
  }
  const receivedBy = (id: number): number =>
    receiver.requests.filter(({ headers }) => headers['webhook-endpoint-id'] === String(id)).length;

  it('sends what failed at this endpoint, and nothing to another one', async () => {
    await failUntil('failed after 2', '1');
    expect(await redeliver({ status: 'failed', dry_run: true })).toMatchObject({ status: 200 });
    const response = await redeliver({ status: 'failed' });
    expect([response.status, dataOf(response)]).toEqual([202, { count: CHANGES }]);
    await eventually(async () => expect(await statesOf(endpointId)).toEqual(all('delivered after 3')));
    expect(await statesOf(otherId)).toEqual(all('failed after 2'));
    expect([receivedBy(endpointId), receivedBy(otherId)]).toEqual([CHANGES, 0]);
  });

  it('brings retries of this endpoint forward, and none of another one', async () => {
    await failUntil('pending after 1', '600000');
    const response = await redeliver({ status: 'pending' });
    expect([response.status, dataOf(response)]).toEqual([202, { count: CHANGES }]);
    await eventually(async () => expect(await statesOf(endpointId)).toEqual(all('delivered after 2')));
    expect(await statesOf(otherId)).toEqual(all('pending after 1'));
    expect([receivedBy(endpointId), receivedBy(otherId)]).toEqual([CHANGES, 0]);
  });

  it('counts retries with dry_run, and changes nothing', async () => {
    await failUntil('pending after 1', '600000');
    const due = () => query('SELECT id, due_at FROM pending_deliveries ORDER BY id');
    const before = await due();
    const response = await redeliver({ status: 'pending', dry_run: true });
    expect([response.status, dataOf(response)]).toEqual([200, { count: CHANGES }]);
    expect(await due()).toEqual(before);
    expect(await query('SELECT FROM webhook_redeliveries')).toEqual([]);
  });

  it.each([true, false])('refuses to bring retries of a paused endpoint forward, with dry_run %s', async (isDry) => {
    await failUntil('pending after 1', '600000');
    expect(await client.post(`/webhooks/endpoints/${endpointId}/pause`)).toMatchObject({ status: 200 });
    expect(await redeliver({ status: 'pending', dry_run: isDry })).toMatchObject({
      status: 409,
      body: { code: 'endpoint_not_active' },
    });
    expect(await query('SELECT FROM webhook_redeliveries')).toEqual([]);
  });
});
