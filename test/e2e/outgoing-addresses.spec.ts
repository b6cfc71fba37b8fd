import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { insertClient } from '../support/app/insert-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { type HostileDns, startHostileDns } from '../support/hostile/hostile-dns.js';
import { type HostileUrl, hostileUrls, resolveHostile } from '../support/hostile/hostile-urls.js';
import { Merchant, type ShopAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, preloading, type RunningService, startService } from '../support/app/service.js';

interface Refusal {
  code?: string;
  errors?: { field: string }[];
}

/** Part of the credentials and queries of URLs. No log may contain it. */
const MARKER = 'marker-in-the-url';

let database: TestDatabase;
let canary: Server;
let dns: HostileDns;
let service: RunningService;
let merchant: Merchant;
let shop: ShopAnswer;
let urls: HostileUrl[];
let hits = 0;

beforeAll(async () => {
  canary = createServer((socket) => {
    hits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, resolve)); // on :: and 0.0.0.0
  urls = hostileUrls((canary.address() as { port: number }).port);
  [database, dns] = await Promise.all([
    createTestDatabase(),
    startHostileDns((name) => resolveHostile(name).map((address) => address.replace(/%.*/, ''))),
  ]);
  service = await startService({
    entry: 'all',
    databaseUrl: database.url,
    env: {
      WEBHOOK_ALLOWED_NETWORKS: '',
      WEBHOOK_REQUIRE_HTTPS: 'false',
      WEBHOOK_RETRY_DELAYS_MS: '3600000',
      // the name server runs in this process, which may be busy, and no request may time out because of it
      WEBHOOK_TIMEOUT_MS: '60000',
      NODE_OPTIONS: preloading('probed-process.mjs'),
      HOSTILE_DNS: dns.server,
      // no proxy may be used: these settings lead to the canary as well
      ...Object.fromEntries(
        ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, canaryUrl()]),
      ),
      NODE_USE_ENV_PROXY: '1',
    },
  });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
});
afterAll(async () => {
  await service.kill();
  dns.close();
  await new Promise((resolve) => canary.close(resolve));
  await database.drop();
});

const canaryUrl = (): string => `http://127.0.0.1:${(canary.address() as { port: number }).port}`;

/** Returns the API's error code for the URL, or `made` if the payment was made. */
async function register({ url }: HostileUrl): Promise<string> {
  const { status, body } = await merchant.tryPay('checkout', { webhook_endpoint: url });
  if (status === 201) return 'made';
  const { code, errors } = body as Refusal;
  return `${status} ${code} ${errors?.map(({ field }) => field).join()}`;
}

describe('hostile URLs', () => {
  it('fail with a 422 at registration or, if a name hides the address, at every attempt', async () => {
    const wrong: string[] = [];
    for (const hostile of urls) {
      const expected = hostile.atConnect ? 'made' : '422 validation_failed webhook_endpoint';
      const got = await register(hostile);
      if (got !== expected) wrong.push(`${JSON.stringify(hostile.url)}: ${got}`);
    }
    expect(wrong).toEqual([]);
    const { rows } = await eventually(async () => {
      const found = await database.pool.query<{ error: string }>('SELECT error FROM webhook_attempts');
      expect(found.rows.length).toBe((await database.pool.query('SELECT FROM all_deliveries')).rowCount);
      return found;
    });
    const hidden = urls.filter(({ atConnect }) => atConnect);
    expect(rows.length).toBeGreaterThanOrEqual(hidden.length);
    // a DNS answer that is not an address counts as no answer
    expect(rows.filter(({ error }) => error !== 'forbidden_address' && error !== 'dns_failed')).toEqual([]);
    expect(rows.filter(({ error }) => error === 'forbidden_address').length).toBeGreaterThan(rows.length * 0.8);
    expect(hits).toBe(0);
    process.stdout.write(
      `hostile URLs tried: ${urls.length}, refused: ${urls.length - wrong.length} (${hidden.length} of them when called), canary hits: ${hits}\n`,
    );
  });

  it('make a webhook test fail with the reason', async () => {
    let tester: Merchant | undefined;
    let tested: ShopAnswer | undefined;
    for (const [index, { url, code }] of urls.filter((_, place) => place % 5 === 0).entries()) {
      // a merchant may send 30 tests at once
      if (index % 30 === 0) {
        const { id, secret } = await insertClient(database);
        tester = new Merchant(await ApiClient.login(service.url, id, secret));
        tested = await tester.createShop('tested');
      }
      const { status, body } = await tester!.api.post(`/webhooks/shop/${tested!.id}/test`, { webhook_endpoint: url });
      expect([url, [200, 422]]).toEqual([url, expect.arrayContaining([status])]);
      if (status !== 200) continue; // not a URL at all
      expect([url, body]).toMatchObject([url, { data: { delivered: false, status_code: null, error: code } }]);
    }
    expect(hits).toBe(0);
  });

  it('leave no credentials and no queries in the logs', async () => {
    const marked = [
      `http://user:${MARKER}@shop.test/hook`,
      `http://127.0.0.1/hook?token=${MARKER}`,
      `http://loopback.test:8080/hook?token=${MARKER}#${MARKER}`,
      `http://unknown.example/hook?token=${MARKER}`,
      `not a url ${MARKER}`,
    ];
    for (const webhook_endpoint of marked) {
      await merchant.tryPay('checkout', { webhook_endpoint });
      await merchant.api.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint });
      await merchant.api.get(`/payments?cursor=${encodeURIComponent(webhook_endpoint)}`);
    }
    await eventually(async () => {
      const { rows } = await database.pool.query(`SELECT FROM all_deliveries WHERE attempts = 0`);
      expect(rows).toEqual([]);
    });
    await merchant.api.get('/shops', { 'x-request-id': 'the-last-line' });
    await eventually(() => service.logs().includes('the-last-line'));
    expect(service.logs()).toContain('forbidden_address');
    expect(service.logs()).not.toContain(MARKER);
  });
});
