import { createPublicKey, type JsonWebKey, verify as verifySignature } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { publicKeysOf, verify } from '@payment-orchestrator/receiver';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

type Jwks = { keys: (JsonWebKey & { x: string; kid: string })[] };
interface Sent {
  headers: Record<string, string>;
  body: Buffer;
}

describe('webhooks signed with a key of the shop', () => {
  let api: TestApi;
  let client: ApiClient;
  let receiver: Receiver;
  let shop: ShopAnswer;
  let shops = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([sharedApi(), startReceiver()]);
    client = await api.login();
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    shop = await new Merchant(client).createShop(`signs ${++shops}`);
  });

  const sign = (signing: string) => client.patch(`/shops/${shop.id}`, { webhook_signing: signing });
  const rotate = (body: object = {}) => client.post(`/shops/${shop.id}/webhook-key/rotate`, body);

  /** The key set as any client reads it. */
  async function jwks(shopId: number | string = shop.id): Promise<Jwks> {
    const response = await fetch(`${api.url}/shops/${shopId}/jwks.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    return (await response.json()) as Jwks;
  }

  /** A webhook as the receiver gets it. */
  async function send(): Promise<Sent> {
    dataOf(await client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: receiver.url }));
    const { headers, body } = receiver.requests.at(-1)!;
    return { headers: headers as Record<string, string>, body };
  }

  const isSignedBy = (key: JsonWebKey, { headers, body }: Sent): boolean => {
    const content = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`), body]);
    return headers['webhook-signature']!.split(' ').some((signature) => {
      const [version, encoded = ''] = signature.split(',');
      const publicKey = createPublicKey({ key, format: 'jwk' });
      return version === 'v1a' && verifySignature(null, content, publicKey, Buffer.from(encoded, 'base64'));
    });
  };
  const versionsOf = ({ headers }: Sent): string[] =>
    headers['webhook-signature']!.split(' ').map((signature) => signature.split(',')[0]!);

  it('carry only v1 until the shop requests more', async () => {
    expect(versionsOf(await send())).toEqual(['v1']);
    expect(await jwks()).toEqual({ keys: [] });
  });

  it('pass verification with the published key, without a secret', async () => {
    expect(dataOf(await sign('public_key'))).toMatchObject({ webhook_signing: 'public_key' });
    const sent = await send();
    const published = await jwks();
    expect(versionsOf(sent)).toEqual(['v1', 'v1a']);
    expect(published.keys.map((key) => isSignedBy(key, sent))).toEqual([true]);
    const event = await verify(sent.body, sent.headers, publicKeysOf(published));
    expect(event).toEqual(JSON.parse(sent.body.toString()));
  });

  it('still carry the specified headers', async () => {
    await sign('public_key');
    const { headers, body } = await send();
    await verify(body, headers, shop.webhook_secret);
    await verify(body, headers, shop.webhook_secret, { scheme: 'signature' });
  });

  it('carry signatures of both keys while a rotated one overlaps', async () => {
    await sign('public_key');
    const before = await jwks();
    const rotated = dataOf<Jwks>(await rotate());
    expect(rotated.keys.map(({ kid }) => kid)).toEqual([expect.any(String), before.keys[0]!.kid]);
    expect(await jwks()).toEqual(rotated);
    const sent = await send();
    expect(rotated.keys.map((key) => isSignedBy(key, sent))).toEqual([true, true]);
  });

  it('carry only the new signature without an overlap, and after it', async () => {
    await sign('public_key');
    const [old] = (await jwks()).keys;
    const [second] = dataOf<Jwks>(await rotate({ overlap_seconds: 0 })).keys;
    expect(isSignedBy(old!, await send())).toBe(false);
    await rotate({ overlap_seconds: 600 });
    await api.database.pool.query(
      `UPDATE shops SET previous_webhook_signing_key_expires_at = clock_timestamp() - interval '1 ms' WHERE id = $1`,
      [shop.id],
    );
    const { keys } = await jwks();
    expect(keys).toHaveLength(1);
    const sent = await send();
    expect([isSignedBy(keys[0]!, sent), isSignedBy(second!, sent)]).toEqual([true, false]);
  });

  it('keep one key when two requests are concurrent, or one is repeated', async () => {
    await Promise.all([sign('public_key'), sign('public_key')]);
    const { keys } = await jwks();
    await sign('public_key');
    expect([keys.length, await jwks()]).toEqual([1, { keys }]);
  });

  it('keep the keys of two concurrent rotations valid', async () => {
    await sign('public_key');
    const answers = await Promise.all([rotate(), rotate()]);
    const made = answers.map((answer) => dataOf<Jwks>(answer).keys[0]!.kid);
    expect((await jwks()).keys.map(({ kid }) => kid).sort()).toEqual(made.sort());
  });

  it('carry only v1 again after the shop disables its key', async () => {
    await sign('public_key');
    await rotate();
    await sign('shared_secret');
    expect([versionsOf(await send()), await jwks()]).toEqual([['v1'], { keys: [] }]);
  });

  it('get no key by a rotation', async () => {
    expect(await rotate()).toMatchObject({ status: 409, body: { code: 'no_webhook_key' } });
  });

  it('refuse another way of signing', async () => {
    expect(await sign('rsa')).toMatchObject({ status: 422, body: { errors: [{ field: 'webhook_signing' }] } });
  });

  it('reveal nothing about an unknown shop', async () => {
    expect(await jwks(987_654_321)).toEqual({ keys: [] });
    expect((await fetch(`${api.url}/shops/x/jwks.json`)).status).toBe(400);
  });

  it('use private keys that are stored encrypted', async () => {
    await sign('public_key');
    await rotate();
    const { rows } = await api.database.pool.query<{ keys: Buffer[] }>(
      'SELECT ARRAY[webhook_signing_key, previous_webhook_signing_key] AS keys FROM shops WHERE id = $1',
      [shop.id],
    );
    const { keys } = rows[0]!;
    expect(keys.map((encrypted) => [encrypted[0], encrypted.includes('whsk_')])).toEqual([
      [2, false],
      [2, false],
    ]);
  });
});
