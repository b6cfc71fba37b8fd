import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { SignJWT } from 'jose';
import { OidcLogin } from '../../../src/console/oidc-login.service.js';
import { Clock } from '../../../src/shared/clock.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';

const CLIENT_ID = 'console';
/** Openid-client does not verify the signature of an answer that comes directly from the token endpoint. */
const KEY = new Uint8Array(32);

let provider: Server;
let issuer: string;
let api: TestApi;
/** Requests for a token. */
let asked = 0;
/** The claims of the next ID token; absent: the provider refuses every code. */
let claims: { nonce: string; issuedAt: Date } | undefined;

const idToken = ({ nonce, issuedAt }: { nonce: string; issuedAt: Date }): Promise<string> =>
  new SignJWT({ nonce })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(issuer)
    .setSubject('ada')
    .setAudience(CLIENT_ID)
    .setIssuedAt(issuedAt)
    .setExpirationTime(new Date(issuedAt.getTime() + 60_000))
    .sign(KEY);

beforeAll(async () => {
  provider = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const description = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['HS256'],
    };
    if (request.url !== '/token') return void response.end(JSON.stringify(description));
    asked += 1;
    if (!claims) return void response.writeHead(400).end('{"error":"invalid_grant"}');
    void idToken(claims).then((token) =>
      response.end(JSON.stringify({ access_token: 'an access token', token_type: 'bearer', id_token: token })),
    );
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  api = await startApi({
    TRUST_PROXY: '127.0.0.0/8',
    TOKEN_RATE_LIMIT_PER_MINUTE: '60',
    AUTH_ISSUER: issuer,
    AUTH_JWKS_URL: `${issuer}/jwks`,
    AUTH_AUDIENCE: 'https://payments.example',
    CONSOLE_OIDC_CLIENT_ID: CLIENT_ID,
    CONSOLE_OIDC_CLIENT_SECRET: 'the secret of the console at the provider',
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  claims = undefined;
  asked = 0;
});
afterAll(async () => {
  await api.stop();
  provider.closeAllConnections();
  provider.close();
});

describe('sign-in with an identity provider', () => {
  const http = () => new ApiClient(api.url);

  it('sends the provider a few requests for one address, then answers 429; other addresses can sign in', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const login = await http().get('/console/oidc/login', from('203.0.113.1'));
    const cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const state = new URL(login.headers.get('location')!).searchParams.get('state');
    const back = (address: string, code: number) =>
      http().get(`/console/oidc/callback?code=x${code}&state=${state}`, { cookie, ...from(address) });
    const answers = [];
    for (let code = 0; code < 20; code += 1) answers.push(await back('203.0.113.1', code));
    expect(answers[0]!.headers.get('location')).toBe('/console?problem=oidc_refused');
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]!.body).toMatchObject({ code: 'too_many_requests' });
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(asked).toBe(answers.length - refused.length);
    expect((await back('203.0.113.2', 20)).headers.get('location')).toBe('/console?problem=oidc_refused');
  });

  it("counts started sign-ins, too, which fetch the provider's metadata", async () => {
    const begin = () => http().get('/console/oidc/login', { 'x-forwarded-for': '203.0.113.9' });
    const statuses = [];
    for (let tries = 0; tries < 80; tries += 1) statuses.push((await begin()).status);
    expect([statuses[0], statuses.includes(429)]).toEqual([302, true]);
  });
});

/**
 * Signs in while the service's clock, which is correct, differs from the machine's by `offsetMs`; the token has the age
 * `ageMs`.
 */
async function signIn(offsetMs: number, ageMs: number): Promise<string> {
  jest.spyOn(api.get(Clock as Type<Clock>), 'now').mockImplementation(() => new Date(Date.now() + offsetMs));
  const login = api.get(OidcLogin);
  const { url, encrypted } = await login.begin('http://127.0.0.1/console/oidc/callback', '/console');
  const sent = new URL(url).searchParams;
  claims = { nonce: sent.get('nonce')!, issuedAt: new Date(Date.now() + offsetMs - ageMs) };
  return (await login.finish(encrypted, `code=x&state=${sent.get('state')}`)).accessToken;
}

describe('OidcLogin checks an ID token with the clock of the service', () => {
  it.each([0, 600_000, -600_000])('that differs %d ms from the machine’s', async (offsetMs) => {
    await expect(signIn(offsetMs, 0)).resolves.toBe('an access token');
    await expect(signIn(offsetMs, 200_000)).rejects.toThrow('oidc_refused');
  });
});
