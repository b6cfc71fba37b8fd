import { createSecretKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SignJWT, UnsecuredJWT, decodeJwt, importJWK, jwtVerify, type JWK } from 'jose';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { RouteAccessCheck } from '../../../src/auth/scopes.guard.js';
import type { Principal } from '../../../src/access/access.js';
import { SigningKeys } from '../../../src/auth/signing-keys.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, JWT_SECRET, type MerchantClient, startAuth } from './auth-harness.js';
import { ForgottenController, StatusController, ThingsController } from './routes.fixture.js';

const controllers = [ThingsController, StatusController];
const ISSUER = 'payment-orchestrator';
const secretKey = createSecretKey(JWT_SECRET, 'utf8');
const KEYS = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

describe('the guards', () => {
  let database: TestDatabase;
  let auth: AuthApplication;
  let client: MerchantClient;
  const clock = { offsetMs: 0, now: () => new Date(Date.now() + clock.offsetMs) };

  beforeAll(async () => {
    database = await createTestDatabase();
    auth = await startAuth(database, { controllers, clock });
    client = await auth.aClient(['flows:read', 'webhooks:read']);
  });

  afterAll(async () => {
    await auth.close();
    await database.drop();
  });

  const claims = () => ({
    iss: ISSUER,
    aud: ISSUER,
    sub: client.clientId,
    merchant_id: client.merchantId,
    scope: 'flows:read',
    exp: inAnHour(),
  });
  const keyIdOf = (application: AuthApplication) => application.app.get(SigningKeys).current.id;
  const sign = (payload: Record<string, unknown>, key: KeyObject = secretKey, alg = 'HS256', kid = keyIdOf(auth)) =>
    new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key);
  const things = (token?: string, headers?: Record<string, string>) =>
    auth.call<Principal>({ url: '/things', token, ...(headers && { headers }) });

  it('accept a token with the scope, and pass its principal to the route', async () => {
    const token = await auth.token(client, 'flows:read');
    for (let i = 0; i < 2; i += 1) {
      const { status, body } = await things(token);
      expect([status, body]).toEqual([
        200,
        { merchantId: client.merchantId, clientId: client.clientId, scopes: ['flows:read'] },
      ]);
    }
  });

  it('accept the scheme in any case', async () => {
    const { status } = await things(undefined, { authorization: `bEARER ${await auth.token(client)}` });
    expect(status).toBe(200);
  });

  it('accept any request to public routes, even with an invalid token', async () => {
    for (const url of ['/things/public', '/status']) {
      expect((await auth.call({ url })).status).toBe(200);
      expect((await auth.call({ url, token: 'rubbish' })).status).toBe(200);
    }
  });

  it('protect a route with scopes on a public controller', async () => {
    expect((await auth.call({ url: '/status/details' })).status).toBe(401);
    expect((await auth.call({ url: '/status/details', token: await auth.token(client) })).status).toBe(200);
  });

  it.each([
    ['nothing', {}],
    ['an empty header', { authorization: '' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['only the scheme', { authorization: 'Bearer' }],
    ['a token in another header', { 'x-access-token': 'x' }],
  ])('require a token when the request has %s', async (_, headers) => {
    const answer = await things(undefined, headers);
    expect(answer.status).toBe(401);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ success: false, code: 'unauthorized', status: 401 });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="payment-orchestrator"');
  });

  it.each<[string, () => string | Promise<string>]>([
    ['rubbish', () => 'rubbish'],
    ['three malformed parts', () => 'a.b.c'],
    ['another key', () => sign(claims(), createSecretKey('y'.repeat(32), 'utf8'))],
    ['an unknown key id', () => sign(claims(), secretKey, 'HS256', 'unknown')],
    ['no key id', () => new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(secretKey)],
    ['another issuer', () => sign({ ...claims(), iss: 'someone-else' })],
    ['no issuer', () => sign({ ...claims(), iss: undefined })],
    ['another audience', () => sign({ ...claims(), aud: 'someone-else' })],
    ['an expiry in the past', () => sign({ ...claims(), exp: inAnHour() - 3606 })],
    ['no expiry', () => sign({ ...claims(), exp: undefined })],
    ['a start in the future', () => sign({ ...claims(), nbf: inAnHour() })],
    ['no merchant', () => sign({ ...claims(), merchant_id: undefined })],
    ['an unknown client', () => sign({ ...claims(), sub: 'client_unknown' })],
    ['a stronger algorithm than ours', () => sign(claims(), secretKey, 'HS384')],
    [
      'unknown critical extensions, signed with our own key',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: keyIdOf(auth), crit: ['urn:x'], 'urn:x': 1 })
          .sign(secretKey, { crit: { 'urn:x': true } }),
    ],
    ['no signature', () => new UnsecuredJWT(claims()).encode()],
    [
      'alg "none" and our own signature',
      async () => {
        const [, payload, signature] = (await sign(claims())).split('.');
        return [Buffer.from('{"alg":"none"}').toString('base64url'), payload, signature].join('.');
      },
    ],
    [
      'a changed payload',
      async () => {
        const [header, , signature] = (await sign(claims())).split('.');
        const payload = Buffer.from(JSON.stringify({ ...claims(), merchant_id: 1e6 })).toString('base64url');
        return [header, payload, signature].join('.');
      },
    ],
  ])('refuse a token with %s', async (_, make) => {
    const answer = await things(await make());
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ success: false, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer realm="payment-orchestrator", error="invalid_token", error_description="[^"\\]+"$/,
    );
  });

  it('name the missing scopes of a token', async () => {
    const readOnly = await auth.token(client, 'flows:read');
    const answer = await auth.call({ method: 'POST', url: '/things', token: readOnly });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'insufficient_scope', detail: 'the token lacks flows:write' });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="payment-orchestrator", error="insufficient_scope", scope="flows:read flows:write"',
    );
    const other = await auth.token(client, 'webhooks:read');
    const both = await auth.call({ method: 'POST', url: '/things', token: other });
    expect(both.body).toMatchObject({ detail: 'the token lacks flows:read flows:write' });
  });

  it('refuse a token after its hour, even if it was used before', async () => {
    const token = await auth.token(client);
    try {
      expect((await things(token)).status).toBe(200);
      clock.offsetMs = 3_599_000;
      expect((await things(token)).status).toBe(200);
      clock.offsetMs = 3_606_000;
      expect((await things(token)).body).toMatchObject({ code: 'unauthorized', detail: 'the token has expired' });
    } finally {
      clock.offsetMs = 0;
    }
  });

  it('refuse the tokens of a revoked client', async () => {
    const revoked = await auth.aClient();
    const token = await auth.token(revoked);
    expect((await things(token)).status).toBe(200);
    await auth.app.get(ApiClientsService).revoke(revoked.clientId);
    await eventually(async () => expect((await things(token)).status).toBe(401));
    expect((await things(await auth.token(client))).status).toBe(200);
  });

  it('keep concurrent requests separate', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => auth.aClient()));
    const tokens = await Promise.all(clients.map((one) => auth.token(one)));
    const calls = Array.from({ length: 100 }, (_, i) => i % 6);
    const answers = await Promise.all(calls.map((i) => things(tokens[i] ?? 'rubbish')));
    for (const [n, i] of calls.entries()) {
      expect(answers[n]!.body).toMatchObject(
        clients[i] ? { clientId: clients[i].clientId, merchantId: clients[i].merchantId } : { code: 'unauthorized' },
      );
    }
  });

  it('protect a route without declared access, and refuse to start with it', async () => {
    await expect(startAuth(database, { controllers: [ForgottenController] })).rejects.toThrow(
      /^routes without @RequireScopes, @AcceptsAnyToken or @Public: ForgottenController.read, ForgottenController.remove$/,
    );
    const check = jest.spyOn(RouteAccessCheck.prototype, 'onApplicationBootstrap').mockReturnValue(undefined);
    const open = await startAuth(database, { controllers: [ForgottenController] });
    check.mockRestore();
    try {
      const token = await open.token();
      expect((await open.call({ url: '/forgotten' })).status).toBe(401);
      expect((await open.call({ url: '/forgotten', token })).status).toBe(403);
      expect((await open.call({ method: 'DELETE', url: '/forgotten', token })).status).toBe(403);
    } finally {
      await open.close();
    }
  });

  describe.each([
    ['RS256', KEYS.RS256],
    ['ES256', KEYS.ES256],
  ])('the guards with an %s key', (algorithm, privateKey) => {
    let other: AuthApplication;
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

    beforeAll(async () => {
      other = await startAuth(database, { controllers, env: { JWT_PRIVATE_KEY: pem.replaceAll('\n', '\\n') } });
    });

    afterAll(() => other.close());

    const use = (token: string) => other.call({ url: '/things', token });

    it('publish the key that verifies the tokens', async () => {
      const token = await other.token(client);
      const jwks = await other.call<{ keys: JWK[] }>({ url: '/.well-known/jwks.json' });
      expect([jwks.status, jwks.headers['cache-control']]).toEqual([200, 'public, max-age=300']);
      expect(Object.keys(jwks.body.keys[0]!).filter((member) => 'dpqdqdpqi'.includes(member))).toEqual([]);
      const { protectedHeader } = await jwtVerify(token, await importJWK(jwks.body.keys[0]!), { issuer: ISSUER });
      expect(protectedHeader).toMatchObject({ alg: algorithm, kid: jwks.body.keys[0]!.kid });
      expect((await use(token)).status).toBe(200);
    });

    it.each([
      ['PEM', createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })],
      ['DER', createPublicKey(privateKey).export({ type: 'spki', format: 'der' })],
    ])('refuse HS256 with the public key (%s) as secret', async (_, publicKey) => {
      const secret = createSecretKey(Buffer.from(publicKey));
      for (const kid of [keyIdOf(other), keyIdOf(auth)]) {
        expect((await use(await sign(claims(), secret, 'HS256', kid))).status).toBe(401);
      }
    });

    it('refuse tokens of the other application, which still accepts its own', async () => {
      const [ours, theirs] = [await auth.token(client), await other.token(client)];
      expect((await use(ours)).status).toBe(401);
      expect((await things(theirs)).status).toBe(401);
      expect((await things(ours)).status).toBe(200);
      expect((await use(theirs)).status).toBe(200);
    });

    it('refuse another key of the same kind', async () => {
      const stranger =
        algorithm === 'RS256'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const kid = keyIdOf(other);
      expect((await use(await sign(claims(), stranger.privateKey, algorithm, kid))).status).toBe(401);
      expect((await use(await sign(claims(), privateKey, algorithm, kid))).status).toBe(200);
    });
  });

  it('accept each of several keys only with its own algorithm, also for keys of different kinds', async () => {
    const { RS256: rsa, ES256: ec } = KEYS;
    const pem = [rsa, ec].map((key) => key.export({ type: 'pkcs8', format: 'pem' }) as string).join('');
    const mixed = await startAuth(database, { controllers, env: { JWT_PRIVATE_KEY: pem, JWT_SECRET } });
    const keys = [
      [rsa, 'RS256', mixed.app.get(SigningKeys).published[0]!.kid],
      [ec, 'ES256', mixed.app.get(SigningKeys).published[1]!.kid],
      [secretKey, 'HS256', keyIdOf(auth)],
    ] as const;
    const publicSecrets = [rsa, ec].flatMap((key) => [
      createPublicKey(key).export({ type: 'spki', format: 'pem' }),
      createPublicKey(key).export({ type: 'spki', format: 'der' }),
    ]);
    const statusOf = async (key: KeyObject, alg: string, kid: string) =>
      (await mixed.call({ url: '/things', token: await sign(claims(), key, alg, kid) })).status;
    try {
      for (const [, , kid] of keys) {
        for (const [key, alg, own] of keys)
          expect([alg, kid, await statusOf(key, alg, kid)]).toEqual([alg, kid, kid === own ? 200 : 401]);
        for (const secret of publicSecrets) {
          expect(await statusOf(createSecretKey(Buffer.from(secret)), 'HS256', kid)).toBe(401);
        }
      }
    } finally {
      await mixed.close();
    }
  });

  it('publish no key in HS256 mode', async () => {
    expect((await auth.call({ url: '/.well-known/jwks.json' })).body).toEqual({ keys: [] });
    expect(decodeJwt(await auth.token(client)).sub).toBe(client.clientId);
  });
});
