import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, SignJWT } from 'jose';
import type { Principal } from '../../../src/access/access.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, JWT_SECRET, type MerchantClient, startAuth } from './auth-harness.js';
import { ThingsController } from './routes.fixture.js';

const ISSUER = 'https://identity.example';
const AUDIENCE = 'https://payments.example';

/** The key page of an identity provider; `keys` and `status` may change while it runs. */
class KeyServer {
  keys: object[] = [];
  status = 200;
  requests = 0;
  private readonly server: Server = createServer((_, response) => {
    this.requests += 1;
    response.writeHead(this.status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: this.keys }));
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks.json`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('tokens of an external issuer', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = new KeyServer();
  let database: TestDatabase;
  let auth: AuthApplication;
  let url: string;
  let merchant: MerchantClient;

  const start = (jwksUrl: string, env: Record<string, string> = {}) =>
    startAuth(database, {
      controllers: [ThingsController],
      env: { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, ...env },
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    url = await server.listen();
    server.keys = [
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', use: 'sig', alg: 'RS256' },
      { ...(await exportJWK(ec.publicKey)), kid: 'ec', use: 'sig', alg: 'ES256' },
    ];
    auth = await start(url);
    merchant = await auth.aClient();
  });

  afterAll(async () => {
    await auth.close();
    await server.close();
    await database.drop();
  });

  beforeEach(() => {
    server.status = 200;
  });

  const claims = () => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'subject-1',
    merchant_id: merchant.merchantId,
    scope: 'openid flows:read',
    exp: Math.floor(Date.now() / 1000) + 600,
  });
  const sign = (payload: object = claims(), kid = 'rsa', alg = 'RS256', key: KeyObject = rsa.privateKey) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg, kid }).sign(key);
  const use = (token: string, application = auth) => application.call<Principal>({ url: '/things', token });

  it.each<[string, () => Promise<string>]>([
    ['RS256', () => sign()],
    ['ES256', () => sign(claims(), 'ec', 'ES256', ec.privateKey)],
    ['an audience list', () => sign({ ...claims(), aud: ['other', AUDIENCE] })],
    ['scp as a list', () => sign({ ...claims(), scope: undefined, scp: ['openid', 'flows:read'] })],
  ])('pass with %s', async (_, make) => {
    const { status, body } = await use(await make());
    expect([status, body]).toEqual([
      200,
      {
        merchantId: merchant.merchantId,
        clientId: `external:${merchant.merchantId}:subject-1`,
        scopes: ['flows:read'],
      },
    ]);
  });

  it('pass next to our own tokens', async () => {
    expect((await use(await auth.token(merchant))).status).toBe(200);
  });

  it('allow only their scopes', async () => {
    const answer = await use(await sign({ ...claims(), scope: 'openid' }));
    expect([answer.status, answer.body]).toMatchObject([403, { code: 'insufficient_scope' }]);
  });

  it.each<[string, () => Promise<string>]>([
    ['of a third issuer', () => sign({ ...claims(), iss: 'https://third.example' })],
    ['for another audience', () => sign({ ...claims(), aud: 'https://other.example' })],
    ['for no audience', () => sign({ ...claims(), aud: undefined })],
    ['that expired', () => sign({ ...claims(), exp: Math.floor(Date.now() / 1000) - 10 })],
    ['that never expire', () => sign({ ...claims(), exp: undefined })],
    ['for an unknown merchant', () => sign({ ...claims(), merchant_id: 999_999 })],
    ['for a merchant as text', () => sign({ ...claims(), merchant_id: String(merchant.merchantId) })],
    ['for no merchant', () => sign({ ...claims(), merchant_id: undefined })],
    ['without a subject', () => sign({ ...claims(), sub: undefined })],
    ['with an unknown key', () => sign(claims(), 'unknown')],
    [
      'signed with a key other than the named one',
      () => sign(claims(), 'rsa', 'RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    [
      'signed with HS256',
      () => {
        const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
        return sign(claims(), 'rsa', 'HS256', createSecretKey(pem, 'utf8'));
      },
    ],
    [
      'with unknown critical extensions',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', kid: 'rsa', crit: ['urn:x'], 'urn:x': 1 })
          .sign(rsa.privateKey, { crit: { 'urn:x': true } }),
    ],
    ['signed with our own secret', () => sign(claims(), 'rsa', 'HS256', createSecretKey(JWT_SECRET, 'utf8'))],
    ['that name our issuer', () => sign({ ...claims(), iss: 'payment-orchestrator', aud: 'payment-orchestrator' })],
  ])('fail: %s', async (_, make) => {
    const { status, headers, body } = await use(await make());
    expect([status, body]).toMatchObject([401, { code: 'unauthorized' }]);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('cause no key fetch if they are malformed, and one in 30 seconds if their key is unknown', async () => {
    const before = server.requests;
    await Promise.all(Array.from({ length: 20 }, async (_, i) => use(await sign(claims(), `unknown-${i}`))));
    await use('rubbish');
    await use(await sign({ ...claims(), iss: 'https://third.example' }));
    expect(server.requests - before).toBeLessThanOrEqual(1);
  });

  it('get 503 while the keys cannot be fetched, and 200 afterwards', async () => {
    const late = await start(url);
    try {
      server.status = 500;
      const token = await sign();
      const answer = await use(token, late);
      expect([answer.status, answer.body]).toMatchObject([503, { code: 'dependency_unavailable' }]);
      expect(answer.headers['retry-after']).toBe('5');
      expect((await use(await late.token(merchant), late)).status).toBe(200);
      server.status = 200;
      expect((await use(token, late)).status).toBe(200);
    } finally {
      await late.close();
    }
  });

  it('get 503 if no server listens at the URL, or if it serves no key set', async () => {
    const unreachable = await start('http://127.0.0.1:1/jwks.json');
    const noKeys = await start(url);
    const { keys } = server;
    try {
      server.keys = 'none' as unknown as object[];
      for (const application of [unreachable, noKeys]) {
        expect((await use(await sign(), application)).body).toMatchObject({ code: 'dependency_unavailable' });
      }
    } finally {
      server.keys = keys;
      await unreachable.close();
      await noKeys.close();
    }
  });

  describe('with keys that are valid for one second', () => {
    let strict: AuthApplication;
    let keys: object[];
    beforeEach(async () => {
      keys = server.keys;
      strict = await start(url, { AUTH_JWKS_MAX_AGE: '1' });
    });
    afterEach(async () => {
      server.keys = keys;
      await strict.close();
    });

    it('fail after their key is withdrawn, although verified before; those of other keys pass', async () => {
      const [withdrawn, other] = [await sign(), await sign(claims(), 'ec', 'ES256', ec.privateKey)];
      for (let i = 0; i < 5; i += 1) expect((await use(withdrawn, strict)).status).toBe(200);
      server.keys = keys.slice(1);
      await eventually(async () => (await use(withdrawn, strict)).status === 401);
      expect((await use(withdrawn, strict)).status).toBe(401);
      expect((await use(other, strict)).status).toBe(200);
    });

    it('get 503 if the keys cannot be fetched again in time', async () => {
      const token = await sign();
      expect((await use(token, strict)).status).toBe(200);
      server.status = 500;
      await eventually(async () => (await use(token, strict)).status === 503);
      server.status = 200;
      expect((await use(token, strict)).status).toBe(200);
    });
  });

  it('need one verification and no further fetch while their keys are valid', async () => {
    const token = await sign();
    await use(token);
    const before = server.requests;
    for (let i = 0; i < 20; i += 1) expect((await use(token)).status).toBe(200);
    expect(server.requests).toBe(before);
  });

  it('count for their merchant together, for any subjects', async () => {
    const limited = await start(url, { RATE_LIMIT_PER_SECOND: '1' });
    try {
      const another = await limited.aClient();
      const asSubject = async (sub: string) => use(await sign({ ...claims(), sub }), limited);
      const refused = await eventually(async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => asSubject(Math.random().toString())));
        return answers.find(({ status }) => status === 429) ?? null;
      });
      expect(refused.body).toMatchObject({
        code: 'too_many_requests',
        detail: 'the requests of all clients of this merchant exceed their rate limit',
      });
      expect((await use(await limited.token(another), limited)).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('fail if no external issuer is configured', async () => {
    const withoutIssuer = await startAuth(database, { controllers: [ThingsController] });
    try {
      expect((await use(await sign(), withoutIssuer)).status).toBe(401);
    } finally {
      await withoutIssuer.close();
    }
  });
});
