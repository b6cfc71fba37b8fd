import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf } from '../../support/app/merchant.js';

const LIMIT = { TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8', TOKEN_RATE_LIMIT_PER_MINUTE: '20' };

describe.each([
  ['x-forwarded-for', (address: string) => address, 'forwarded', 'for=198.51.100.1'],
  ['forwarded', (address: string) => `for="${address}";proto=https`, 'x-forwarded-for', '198.51.100.1'],
])('The API behind a proxy that writes %s', (header, written, otherHeader, other) => {
  let api: TestApi;
  let client: ApiClient;
  let made = 0;
  beforeAll(async () => {
    api = await startApi({ ...LIMIT, TRUST_PROXY_HEADER: header });
    client = await api.login();
  });
  afterAll(() => api.stop());

  const from = (value: string) => ({ [header]: value });
  const auditedOf = async (headers: Record<string, string>): Promise<string | null> => {
    const shop = dataOf<{ id: number }>(await client.post('/shops', { name: `shop ${++made}` }, headers));
    const entries = dataOf<{ address: string | null }[]>(
      await client.get(`/audit?object_type=shop&object_id=${shop.id}`),
    );
    return entries[0]!.address;
  };

  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:DB8::7]:51234', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['unknown', '127.0.0.1'],
    ['_hidden', '127.0.0.1'],
    ['no address', '127.0.0.1'],
  ])('records %s as %s in the audit log', async (address, audited) => {
    expect(await auditedOf(from(written(address)))).toBe(audited);
  });

  it('records the address before the trusted proxies, or the nearest known one if it is hidden', async () => {
    const hops = ['198.51.100.1', '203.0.113.7:80', '10.0.0.1:8080'].map(written).join(', ');
    expect(await auditedOf(from(hops))).toBe('203.0.113.7');
    expect(await auditedOf(from(['_hidden', '10.0.0.1:8080'].map(written).join(', ')))).toBe('10.0.0.1');
  });

  it('ignores the header that its proxy does not write', async () => {
    expect(await auditedOf({ [otherHeader]: other })).toBe('127.0.0.1');
    expect(await auditedOf({ ...from(written('203.0.113.7')), [otherHeader]: other })).toBe('203.0.113.7');
  });

  it('applies limits by address, for any port', async () => {
    const guess = (address: string) =>
      client.post(
        '/auth/token',
        { grant_type: 'client_credentials', client_id: 'unknown', client_secret: 'wrong' },
        from(written(address)),
      );
    const statuses = [];
    for (let port = 40_000; port < 40_005; port += 1) statuses.push((await guess(`203.0.113.66:${port}`)).status);
    // a wrong secret costs ten permits
    expect(statuses.slice(0, 2)).toEqual([401, 401]);
    expect(statuses).toContain(429);
    expect((await guess('203.0.113.67:40000')).status).toBe(401);
  });
});
