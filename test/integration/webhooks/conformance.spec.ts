import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createReceiver, rememberInMemory, verify, type VerifyOptions } from '@payment-orchestrator/receiver';
import { spaced } from '../../../src/webhooks/conformance/case-signer.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { type Behaviour, type Receiver, type ReceivedRequest, startReceiver } from '../../support/servers/receiver.js';

interface Run {
  passed: boolean;
  cases: { name: string; passed: boolean; sent: string; expected: string; got: string; advice: string | null }[];
}

const CASES = [
  'genuine',
  'repeated_id',
  'exact_bytes',
  'tampered_body',
  'wrong_secret',
  'stale_timestamp',
  'future_timestamp',
  'old_secret',
  'unknown_event',
  'unknown_field',
  'out_of_order',
  'empty_optional_parts',
  'large_body',
  'slow_body',
];

describe('POST /webhooks/shop/{shopId}/conformance', () => {
  let api: TestApi;
  let client: ApiClient;
  let receiver: Receiver;
  let shop: ShopAnswer;
  let shops = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(), startReceiver()]);
    client = await api.login();
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    shop = await new Merchant(client).createShop(`conforms ${++shops}`);
    receiver.requests.length = 0;
  });

  const ask = (caller = client, endpoint = receiver.url, shopId = shop.id) =>
    caller.post(`/webhooks/shop/${shopId}/conformance`, { webhook_endpoint: endpoint });
  const runAgainst = async (behaviour: Behaviour | number): Promise<Run> => {
    receiver.respondWith(behaviour);
    return dataOf(await ask());
  };
  const failed = ({ cases }: Run): string[] => cases.filter(({ passed }) => !passed).map(({ name }) => name);
  const adviceOn = ({ cases }: Run, name: string) => cases.find((each) => each.name === name)?.advice;

  /** Right but for what is given. */
  const aReceiver = (fault: { check?: (request: ReceivedRequest) => unknown; forgets?: true } & VerifyOptions = {}) => {
    const duplicates = rememberInMemory();
    return async (request: ReceivedRequest): Promise<number> => {
      if (fault.check) {
        try {
          if (!(await fault.check(request))) return 401;
        } catch {
          return 401;
        }
        const id = String(request.headers['webhook-id']);
        if (duplicates.seen(id)) return 208;
        await duplicates.remember(id);
        return 200;
      }
      const receive = createReceiver({
        secrets: shop.webhook_secret,
        handle: () => undefined,
        ...(!fault.forgets && { duplicates }),
        ...fault,
      });
      return (await receive(request.body, request.headers)).status;
    };
  };
  const signatureOf = (content: string | Buffer): string =>
    createHmac('sha256', shop.webhook_secret).update(content).digest('hex');

  it('passes a receiver made of the package, in every case', async () => {
    const run = await runAgainst(aReceiver());
    expect(run.cases.map(({ name, passed, advice }) => ({ name, passed, advice }))).toEqual(
      CASES.map((name) => ({ name, passed: true, advice: null })),
    );
    expect(run.passed).toBe(true);
    expect(run.cases[0]).toEqual({
      name: 'genuine',
      passed: true,
      sent: 'a completed payment, signed with the secret of the shop',
      expected: 'a 2xx within 3 s',
      got: expect.stringMatching(/^204 in \d+ ms$/),
      advice: null,
    });
  });

  it('passes one that holds the public key alone', async () => {
    dataOf(await client.patch(`/shops/${shop.id}`, { webhook_signing: 'public_key' }));
    const { keys } = (await (await fetch(`${api.url}/shops/${shop.id}/jwks.json`)).json()) as { keys: [{ x: string }] };
    const key = `whpk_${Buffer.from(keys[0].x, 'base64url').toString('base64')}`;
    const check = ({ body, headers }: ReceivedRequest) => verify(body, headers, key);
    expect(failed(await runAgainst(aReceiver({ check })))).toEqual([]);
  });

  it('tells one that parses the body and writes it again', async () => {
    const check = async ({ body, headers }: ReceivedRequest) =>
      verify(JSON.stringify(JSON.parse(body.toString())), headers, shop.webhook_secret);
    const run = await runAgainst(aReceiver({ check }));
    expect(failed(run)).toEqual(['exact_bytes']);
    expect(adviceOn(run, 'exact_bytes')).toContain('parsed and written again');
  });

  it('tells one that writes it again as Python does, and so refuses everything', async () => {
    const check = async ({ body, headers }: ReceivedRequest) =>
      verify(spaced(body.toString()), headers, shop.webhook_secret);
    const run = await runAgainst(aReceiver({ check }));
    expect(failed(run)).toContain('genuine');
    expect(adviceOn(run, 'genuine')).toContain('parses the body and writes it again');
  });

  it('tells one that compares with upper case', async () => {
    const check = ({ body, headers }: ReceivedRequest) => headers['signature'] === signatureOf(body).toUpperCase();
    const run = await runAgainst(aReceiver({ check }));
    expect(adviceOn(run, 'genuine')).toContain('upper case');
  });

  it('tells one that ignores the timestamp', async () => {
    const run = await runAgainst(aReceiver({ toleranceSeconds: Infinity }));
    expect(failed(run)).toEqual(['stale_timestamp', 'future_timestamp']);
    expect(adviceOn(run, 'stale_timestamp')).toContain('ignored');
  });

  it('tells one that drops no duplicates', async () => {
    const run = await runAgainst(aReceiver({ forgets: true }));
    expect(failed(run)).toEqual(['repeated_id']);
    expect(adviceOn(run, 'repeated_id')).toContain('208');
  });

  it('tells one that answers after five seconds, and sends it nothing more', async () => {
    const run = await runAgainst(() => ({ status: 200, delayMs: 5_000 }));
    expect(failed(run)).toEqual(CASES);
    expect(adviceOn(run, 'genuine')).toContain('Answer within 3 s');
    expect(run.cases[0]!.got).toMatch(/^no answer in \d+ ms: timeout/);
    expect(run.cases[1]).toMatchObject({ got: 'not sent', advice: expect.stringContaining('genuine') });
    expect(receiver.requests).toHaveLength(1);
  });

  it('tells one that verifies Signature alone what it cannot know', async () => {
    const run = await runAgainst(aReceiver({ scheme: 'signature' }));
    expect(failed(run)).toEqual(['stale_timestamp', 'future_timestamp', 'old_secret']);
  });

  it('tells one that takes everything', async () => {
    const run = await runAgainst(208);
    expect(failed(run)).toEqual(['tampered_body', 'wrong_secret', 'stale_timestamp', 'future_timestamp']);
  });

  it.each([
    ['fails on what it does not know', 500, 'unknown_event', 'The receiver failed'],
    ['refuses what it does not know', 422, 'unknown_event', 'Acknowledge events that are not known'],
    ['redirects', 308, 'unknown_field', 'Redirects are not followed'],
  ])('tells one that %s', async (_, status, name, advice) => {
    const right = aReceiver();
    const run = await runAgainst(async (request) => {
      const accepted = await right(request);
      const text = request.body.toString();
      const isUnknown = text.includes('payment.conformance') || text.includes('"conformance":');
      return accepted < 300 && isUnknown ? status : accepted;
    });
    expect(failed(run)).toEqual(['unknown_event', 'unknown_field']);
    expect(adviceOn(run, name)).toContain(advice);
  });

  it('marks what it sends as a test, under ids of their own', async () => {
    await runAgainst(aReceiver());
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
    expect(bodies.every(({ test, payment }) => test === true && (payment as { id: number }).id === 0)).toBe(true);
    expect(receiver.requests.every(({ headers }) => headers['webhook-test'] === 'true')).toBe(true);
    expect(Math.max(...receiver.requests.map(({ body }) => body.length))).toBe(262_144);
  });

  it('records nothing but that it was asked for', async () => {
    await runAgainst(aReceiver());
    const stats = dataOf<{ recent_webhooks: unknown[] }>(await client.get(`/webhooks/shop/${shop.id}/stats`));
    expect(stats.recent_webhooks).toEqual([]);
    const [entry] = dataOf<{ action: string }[]>(await client.get('/audit?limit=1'));
    expect(entry).toMatchObject({ action: 'webhook.conformance_run', object: { id: String(shop.id) } });
  });

  it('goes nowhere that webhooks may not go', async () => {
    const run = dataOf<Run>(await ask(client, 'http://10.0.0.1/hook'));
    expect(run.cases[0]!.got).toContain('forbidden_address');
  });

  it('runs once at a time for a merchant, and one more waits', async () => {
    let refused = (): void => undefined;
    const isRefused = new Promise<void>((resolve) => (refused = resolve));
    // the first run does not end before somebody was refused
    receiver.respondWith(() => isRefused.then(() => 200));
    const answers = [ask(), ask(), ask()];
    for (const answer of answers) void answer.then(({ status }) => status === 429 && refused());
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  });

  it('is bounded in number for a merchant', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const { id } = await new Merchant(stranger).createShop('runs often');
    const statuses: number[] = [];
    for (let run = 0; run < 40 && statuses.at(-1) !== 429; run++) {
      statuses.push((await ask(stranger, 'http://10.0.0.1/hook', id)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(20);
  });

  it('answers 404 for a shop of another merchant, and sends nothing', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    expect(await ask(stranger)).toMatchObject({ status: 404, body: { code: 'shop_not_found' } });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('POST /webhooks/verify', () => {
  let api: TestApi;
  let client: ApiClient;
  let receiver: Receiver;
  let [shop, other]: ShopAnswer[] = [];

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(), startReceiver()]);
    client = await api.login();
    const merchant = new Merchant(client);
    [shop, other] = [await merchant.createShop('explains'), await merchant.createShop('is another')];
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });

  /** A webhook as it arrives. */
  async function aWebhook(): Promise<{ body: string; headers: Record<string, string> }> {
    dataOf(await client.post(`/webhooks/shop/${shop!.id}/test`, { webhook_endpoint: receiver.url }));
    const { body, headers } = receiver.requests.at(-1)!;
    return { body: body.toString(), headers: headers as Record<string, string> };
  }
  const explain = async (webhook: object, shopId = shop!.id) =>
    dataOf<{ valid: boolean; reason: string | null; advice: string | null }>(
      await client.post('/webhooks/verify', { shop_id: shopId, ...webhook }),
    );

  it('finds nothing wrong with a genuine webhook', async () => {
    expect(await explain(await aWebhook())).toEqual({ valid: true, reason: null, advice: null });
  });

  it('says that a test webhook was changed, and where', async () => {
    const { body, headers } = await aWebhook();
    expect(await explain({ body: body.replace('100.5', '900.5'), headers })).toMatchObject({
      valid: false,
      reason: 'changed_body',
      advice: expect.stringContaining(`character ${body.indexOf('100.5')} on`),
    });
  });

  it('compares with the stored body of a payment, of one address where that is given', async () => {
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

  it('says of another shop of the merchant that it signed', async () => {
    const { body } = await aWebhook();
    const headers = { Signature: createHmac('sha256', other!.webhook_secret).update(body).digest('hex') };
    expect(await explain({ body, headers })).toMatchObject({
      reason: 'wrong_secret',
      advice: expect.stringContaining(`shop ${other!.id}`),
    });
  });

  it('knows the secrets of a shop from before a rotation', async () => {
    const { body, headers } = await aWebhook();
    dataOf(await client.post(`/shops/${shop!.id}/webhook-secret/rotate`, { overlap_seconds: 600 }));
    expect((await explain({ body, headers })).reason).toBe('previous_secret');
  });

  it('answers 404 for a shop of another merchant', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const response = await stranger.post('/webhooks/verify', { shop_id: shop!.id, ...(await aWebhook()) });
    expect(response).toMatchObject({ status: 404, body: { code: 'shop_not_found' } });
  });

  it.each([
    [{ body: 1, headers: {} }, 'body'],
    [{ body: '{}', headers: [] }, 'headers'],
    [{ body: '{}', headers: {}, webhook_endpoint: 'nowhere' }, 'webhook_endpoint'],
  ])('refuses %j', async (given, field) => {
    const response = await client.post('/webhooks/verify', { shop_id: shop!.id, ...given });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });
});
