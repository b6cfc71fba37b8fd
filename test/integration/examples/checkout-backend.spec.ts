import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signBody, signStandard } from '@payment-orchestrator/receiver/signing';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const CLIENT_SECRET = 'pi_1_secret_of_the_payer';
const PAYMENT = {
  id: 1,
  status: 'processing',
  next_action: { type: 'provider_action', provider: 'stripe', data: { client_secret: CLIENT_SECRET } },
};
const SHOP = { id: 1, name: 'Shop' };

interface Backend {
  startBackend: (settings: object) => Promise<{ url: string; server: Server }>;
}

describe('the backend of examples/checkout', () => {
  let url: string;
  let server: Server;

  beforeAll(async () => {
    const file = '../../../examples/checkout/backend.js';
    const { startBackend } = (await import(file)) as Backend;
    const client = {
      post: () => Promise.resolve({ data: PAYMENT }),
      get: (path: string) => Promise.resolve({ data: path.endsWith('/attempts') ? [] : PAYMENT }),
    };
    const providers = { stripe: { url: 'http://127.0.0.1:1' }, adyen: { url: 'http://127.0.0.1:1' } };
    const shops = [{ id: SHOP.id, webhook_secret: SECRET }];
    ({ url, server } = await startBackend({ client, shops, providers, port: 0 }));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const get = async (path: string): Promise<string> => (await fetch(url + path)).text();
  async function post(path: string, body: object): Promise<{ order: string }> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { order: string };
  }
  async function deliver(order: string): Promise<number> {
    const report = { event: 'payment.status_changed', timestamp: new Date().toISOString(), payment: PAYMENT };
    const body = Buffer.from(JSON.stringify({ ...report, shop: SHOP, shop_id: SHOP.id, metadata: { order } }));
    const [id, seconds] = ['whd_1', Math.floor(Date.now() / 1_000)];
    const headers = {
      'content-type': 'application/json',
      Signature: signBody(SECRET, body),
      'webhook-id': id,
      'webhook-shop-id': String(SHOP.id),
      'webhook-timestamp': String(seconds),
      'webhook-signature': signStandard([SECRET], id, seconds, body),
    };
    return (await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status;
  }

  it('tells a payer nothing of the order of another, in any answer without its id', async () => {
    const { order } = await post('/orders', {});
    await post(`/orders/${order}/payment`, { stripe: 'pm_1' });
    expect(await deliver(order)).toBe(204);
    const { order: other } = await post('/orders', {});
    for (const path of ['/', '/settings', '/webhooks', '/orders', '/orders/', `/orders/${other}/webhooks`]) {
      const answer = await get(path);
      expect(answer).not.toContain(order);
      expect(answer).not.toContain(CLIENT_SECRET);
    }
    expect(JSON.parse(await get(`/orders/${order}/webhooks`))).toEqual([
      { payment: PAYMENT.id, status: 'processing', shop: 'Shop' },
    ]);
  });
});
