import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { Semaphore } from '../../../src/shared/semaphore.js';
import { insertClient } from '../../support/app/insert-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type AuthApplication, type MerchantClient, startAuth } from './auth-harness.js';

interface TokenAnswer {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  error: string;
  error_description: string;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('POST /auth/token', () => {
  let database: TestDatabase;
  let auth: AuthApplication;
  let client: MerchantClient;

  beforeAll(async () => {
    database = await createTestDatabase();
    auth = await startAuth(database);
    client = await auth.aClient(['flows:read', 'shops:read', 'shops:write']);
  });

  afterAll(async () => {
    await auth.close();
    await database.drop();
  });

  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    auth.call<TokenAnswer>({ method: 'POST', url: '/auth/token', body, headers });
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
  const grant = () => ({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });

  it.each<[string, () => ReturnType<typeof ask>]>([
    ['JSON', () => ask(grant())],
    ['a form', () => ask(form(grant()), FORM)],
    [
      'HTTP Basic and a form',
      () => ask('grant_type=client_credentials', { ...FORM, ...basic(client.clientId, client.clientSecret) }),
    ],
    [
      'HTTP Basic and JSON',
      () => ask({ grant_type: 'client_credentials' }, basic(client.clientId, client.clientSecret)),
    ],
  ])('issues a token for credentials in %s', async (_, send) => {
    const { status, headers, body } = await send();
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'flows:read shops:read shops:write',
    });
  });

  it('signs the claims of the token', async () => {
    const before = Math.floor(Date.now() / 1000);
    const token = await auth.token(client, 'shops:read');
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.any(String) });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: 'payment-orchestrator',
      aud: 'payment-orchestrator',
      sub: client.clientId,
      merchant_id: client.merchantId,
      scope: 'shops:read',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 3600,
    });
    expect(claims.iat).toBeGreaterThanOrEqual(before);
    expect(claims.iat).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('grants only the requested scopes, each once', async () => {
    const { body } = await ask({ ...grant(), scope: 'shops:write flows:read flows:read' });
    expect(body.scope).toBe('flows:read shops:write');
  });

  it('accepts a secret with % and + by HTTP Basic, encoded as the RFC requires, or unencoded as curl sends it', async () => {
    const clientSecret = 'a+secret/with%20odd=characters';
    await insertClient(database, { id: 'odd', secret: clientSecret });
    for (const sent of [clientSecret, encodeURIComponent(clientSecret)]) {
      expect((await ask('grant_type=client_credentials', { ...FORM, ...basic('odd', sent) })).status).toBe(200);
    }
  });

  it.each<[string, number, string, () => ReturnType<typeof ask>]>([
    ['no grant_type', 400, 'invalid_request', () => ask({ ...grant(), grant_type: undefined })],
    ['no body', 400, 'invalid_request', () => ask(undefined)],
    ['broken JSON', 400, 'invalid_request', () => ask('{"grant_type"')],
    ['a JSON array', 400, 'invalid_request', () => ask([])],
    ['a repeated parameter', 400, 'invalid_request', () => ask(`${form(grant())}&scope=a&scope=b`, FORM)],
    [
      'a secret in the header and in the body',
      400,
      'invalid_request',
      () => ask(grant(), basic(client.clientId, client.clientSecret)),
    ],
    ['another grant', 400, 'unsupported_grant_type', () => ask({ ...grant(), grant_type: 'authorization_code' })],
    ['an unknown scope', 400, 'invalid_scope', () => ask({ ...grant(), scope: 'shops:read admin' })],
    [
      'a scope that the client does not have',
      400,
      'invalid_scope',
      () => ask({ ...grant(), scope: 'shops:read payments:write' }),
    ],
    ['a scope of spaces', 400, 'invalid_scope', () => ask({ ...grant(), scope: '  ' })],
    ['no credentials', 401, 'invalid_client', () => ask({ grant_type: 'client_credentials' })],
    ['a wrong secret', 401, 'invalid_client', () => ask({ ...grant(), client_secret: `${client.clientSecret}x` })],
    ['an unknown client', 401, 'invalid_client', () => ask({ ...grant(), client_id: 'client_unknown' })],
    ['a client id with NUL', 400, 'invalid_request', () => ask(form({ ...grant(), client_id: 'a\0b' }), FORM)],
    ['an invalid client id', 401, 'invalid_client', () => ask({ ...grant(), client_id: "' OR 1=1 --" })],
  ])('refuses %s', async (_, status, error, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) });
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });

  it.each([
    ['wrong', () => basic(client.clientId, 'wrong')],
    ['malformed', () => ({ authorization: 'Basic !' })],
  ])('names the Basic scheme when Basic credentials are %s', async (_, header) => {
    const { status, headers, body } = await ask('grant_type=client_credentials', { ...FORM, ...header() });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(headers['www-authenticate']).toBe('Basic realm="payment-orchestrator"');
  });

  it('answers other media types with a problem', async () => {
    const { status, body } = await ask('<grant/>', { 'content-type': 'text/xml' });
    expect([status, (body as unknown as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
  });

  it('refuses a revoked client', async () => {
    const revoked = await auth.aClient();
    await auth.app.get(ApiClientsService).revoke(revoked.clientId);
    const { clientId: client_id, clientSecret: client_secret } = revoked;
    const { status, body } = await ask({ ...grant(), client_id, client_secret });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('hashes the secret of an unknown client, too, so that it takes as long as a wrong secret', async () => {
    const hashing = jest.spyOn(Semaphore.prototype, 'run');
    for (const fields of [{ client_secret: 'wrong' }, { client_id: 'client_unknown' }]) {
      hashing.mockClear();
      expect((await ask({ ...grant(), ...fields })).status).toBe(401);
      expect(hashing).toHaveBeenCalledTimes(1);
    }
    hashing.mockRestore();
  });

  it('stores and logs no secret and no token', async () => {
    const made = await auth.app
      .get(ApiClientsService)
      .create({ merchantId: client.merchantId, name: 'made', rights: { role: 'owner' } });
    const token = await auth.token(client);
    const dump = await database.dump();
    expect(dump).toContain('$scrypt$ln=15,r=8,p=1$');
    expect(auth.logs()).toContain('/auth/token');
    for (const secret of [made.clientSecret, client.clientSecret, client.clientSecret.slice('secret_'.length), token]) {
      expect(dump).not.toContain(secret);
      expect(auth.logs()).not.toContain(secret);
    }
  });
});
