import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

describe('POST /webhooks/verify', () => {
  let api: TestApi;
  let client: ApiClient;
  let receiver: Receiver;
  let [shop, other]: ShopAnswer[] = [];

  beforeAll(async () => {
    [api, receiver] = await Promise.all([sharedApi(), startReceiver()]);
    client = await api.login();
    const merchant = new Merchant(client);
    [shop, other] = [await merchant.createShop('explains'), await merchant.createShop('is another')];
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });

  /** Returns a webhook as its receiver got it. */
  async function aWebhook(): Promise<{ body: string; headers: Record<string, string> }> {
    dataOf(await client.post(`/webhooks/shop/${shop!.id}/test`, { webhook_endpoint: receiver.url }));
    const { body, headers } = receiver.requests.at(-1)!;
    return { body: body.toString(), headers: headers as Record<string, string> };
  }
  const explain = async (webhook: object, shopId = shop!.id) =>
    dataOf<{ valid: boolean; reason: string | null; advice: string | null }>(
      await client.post('/webhooks/verify', { shop_id: shopId, ...webhook }),
    );

  it('accepts a genuine webhook', async () => {
    expect(await explain(await aWebhook())).toEqual({ valid: true, reason: null, advice: null });
  });

  it('reports that a test webhook was changed, and where', async () => {
    const { body, headers } = await aWebhook();
    expect(await explain({ body: body.replace('100.5', '900.5'), headers })).toMatchObject({
      valid: false,
      reason: 'changed_body',
      advice: expect.stringContaining(`character ${body.indexOf('100.5')} on`),
    });
  });

  it('compares with the stored body of a payment, optionally for one address', async () => {
    const merchant = new Merchant(client);
    await merchant.createFlow('explains', [shop!.id]);
    const payment = await merchant.pay('explains', { webhook_endpoint: receiver.url, country: 'DE' });
    const stored = (await api.deliveriesOf(payment.id)).at(-1)!.request_body;
    const headers = { Signature: createHmac('sha256', shop!.webhook_secret).update(stored).digest('hex') };
    const changed = { body: stored.replace('"DE"', '"FR"'), headers };
    expect((await explain(changed)).reason).toBe('changed_body');
    expect((await explain({ ...changed, webhook_endpoint: receiver.url })).reason).toBe('changed_body');
    expect((await explain({ ...changed, webhook_endpoint: 'http://elsewhere.example/' })).reason).toBe('wrong_secret');
  });

  it('names another shop of the merchant whose secret signed', async () => {
    const { body } = await aWebhook();
    const headers = { Signature: createHmac('sha256', other!.webhook_secret).update(body).digest('hex') };
    expect(await explain({ body, headers })).toMatchObject({
      reason: 'wrong_secret',
      advice: expect.stringContaining(`shop ${other!.id}`),
    });
  });

  describe('of a standing endpoint', () => {
    let endpoint: { id: number; secret: string };
    beforeAll(async () => {
      endpoint = dataOf(await client.post('/webhooks/endpoints', { url: receiver.url, shop_ids: [shop!.id] }));
    });

    async function fromEndpoint(): Promise<{ body: string; headers: Record<string, string> }> {
      dataOf(await client.post(`/webhooks/endpoints/${endpoint.id}/test`));
      const { body, headers } = receiver.requests.at(-1)!;
      return { body: body.toString(), headers: headers as Record<string, string> };
    }
    const verify = (given: object) => client.post('/webhooks/verify', given);

    it('accepts a genuine webhook by its header or by endpoint_id, with and without the shop', async () => {
      const { body, headers } = await fromEndpoint();
      const { 'webhook-endpoint-id': _, ...unnamed } = headers;
      for (const given of [
        { shop_id: shop!.id, body, headers },
        { body, headers },
        { endpoint_id: endpoint.id, body, headers: unnamed },
        { endpoint_id: endpoint.id, shop_id: shop!.id, webhook_endpoint: receiver.url, body, headers: unnamed },
      ])
        expect(dataOf(await verify(given))).toEqual({ valid: true, reason: null, advice: null });
    });

    it('names the endpoint whose secret signed if the shop is asked, and the shop if the endpoint is', async () => {
      const { body, headers } = await fromEndpoint();
      const { 'webhook-endpoint-id': _, ...unnamed } = headers;
      const byShop = { reason: 'wrong_secret', advice: expect.stringContaining(`standing endpoint ${endpoint.id}. `) };
      expect(await explain({ body, headers: unnamed })).toMatchObject(byShop);
      const fromShop = await aWebhook();
      const byEndpoint = { reason: 'wrong_secret', advice: expect.stringContaining(`shop ${shop!.id}. `) };
      expect(dataOf(await verify({ endpoint_id: endpoint.id, ...fromShop }))).toMatchObject(byEndpoint);
    });

    it('recognises the secret from before a rotation, and a changed body of any event of a payment', async () => {
      const given = await fromEndpoint();
      const [before, { body, headers }] = [endpoint.secret, given];
      const rotated = dataOf<{ secret: string }>(
        await client.post(`/webhooks/endpoints/${endpoint.id}/rotate-secret`, { overlap_seconds: 600 }),
      );
      expect(dataOf(await verify({ body, headers }))).toMatchObject({ reason: 'previous_secret' });
      expect(before).not.toBe(rotated.secret);
      const merchant = new Merchant(client);
      await merchant.createFlow('explains endpoints', [shop!.id]);
      const payment = await merchant.pay('explains endpoints', { country: 'DE' });
      const stored = (await api.deliveriesOf(payment.id)).at(-1)!.request_body;
      const Signature = createHmac('sha256', rotated.secret).update(stored).digest('hex');
      const changed = { endpoint_id: endpoint.id, body: stored.replace('"DE"', '"FR"'), headers: { Signature } };
      expect(dataOf(await verify(changed))).toMatchObject({ reason: 'changed_body' });
    });

    it('needs a shop or an endpoint of the merchant', async () => {
      const { body, headers } = await fromEndpoint();
      const stranger = await api.loginAsAnotherMerchant();
      expect(await stranger.post('/webhooks/verify', { body, headers })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'shop_id' }] },
      });
      expect(await stranger.post('/webhooks/verify', { endpoint_id: endpoint.id, body, headers })).toMatchObject({
        status: 404,
        body: { code: 'endpoint_not_found' },
      });
    });
  });

  it('recognises the secret of a shop from before a rotation', async () => {
    const { body, headers } = await aWebhook();
    dataOf(await client.post(`/shops/${shop!.id}/webhook-secret/rotate`, { overlap_seconds: 600 }));
    expect((await explain({ body, headers })).reason).toBe('previous_secret');
  });

  it('returns 404 for a shop of another merchant', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    const response = await otherMerchant.post('/webhooks/verify', { shop_id: shop!.id, ...(await aWebhook()) });
    expect(response).toMatchObject({ status: 404, body: { code: 'shop_not_found' } });
  });

  it.each([
    [{ body: 1, headers: {} }, 'body'],
    [{ body: '{}', headers: [] }, 'headers'],
    [{ body: '{}', headers: {}, webhook_endpoint: 'nowhere' }, 'webhook_endpoint'],
  ])('rejects %j', async (given, field) => {
    const response = await client.post('/webhooks/verify', { shop_id: shop!.id, ...given });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });
});
