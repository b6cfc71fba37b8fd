import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { SignJWT } from 'jose';
import { OidcLogin } from '../../../src/console/oidc-login.service.js';
import { Clock } from '../../../src/shared/clock.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';

const CLIENT_ID = 'console';
/** Openid-client does not verify the signature of an answer that comes directly from the token endpoint. */
const KEY = new Uint8Array(32);

let provider: Server;
let api: TestApi;
let nonce: string;
/** By the provider's clock, which is correct. */
let issuedAt: Date;

const issuerOf = (): string => `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const idToken = (): Promise<string> =>
  new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuerOf())
    .setSubject('ada')
    .setAudience(CLIENT_ID)
    .setIssuedAt(issuedAt)
    .setExpirationTime(new Date(issuedAt.getTime() + 60_000))
    .sign(KEY);

beforeAll(async () => {
  provider = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const issuer = issuerOf();
    const description = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['HS256'],
    };
    if (request.url !== '/token') return void response.end(JSON.stringify(description));
    void idToken().then((token) =>
      response.end(JSON.stringify({ access_token: 'an access token', token_type: 'bearer', id_token: token })),
    );
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const issuer = issuerOf();
  api = await startApi({
    AUTH_ISSUER: issuer,
    AUTH_JWKS_URL: `${issuer}/jwks`,
    AUTH_AUDIENCE: 'https://payments.example',
    CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
    CONSOLE_OIDC_CLIENT_SECRET: 'the secret of the console at the provider',
  });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await api.stop();
  provider.closeAllConnections();
  provider.close();
});

/**
 * Signs in while the service's clock, which is correct, differs from the machine's by `offsetMs`; the token has the age
 * `ageMs`.
 */
async function signIn(offsetMs: number, ageMs: number): Promise<string> {
  jest.spyOn(api.get(Clock as Type<Clock>), 'now').mockImplementation(() => new Date(Date.now() + offsetMs));
  const login = api.get(OidcLogin);
  const { url, encrypted } = await login.begin('http://127.0.0.1/console/oidc/callback', '/console');
  const asked = new URL(url).searchParams;
  nonce = asked.get('nonce')!;
  issuedAt = new Date(Date.now() + offsetMs - ageMs);
  return (await login.finish(encrypted, `code=x&state=${asked.get('state')}`)).accessToken;
}

describe('OidcLogin checks an ID token with the clock of the service', () => {
  it.each([0, 600_000, -600_000])('that differs %d ms from the machine’s', async (offsetMs) => {
    await expect(signIn(offsetMs, 0)).resolves.toBe('an access token');
    await expect(signIn(offsetMs, 200_000)).rejects.toThrow('oidc_refused');
  });
});
