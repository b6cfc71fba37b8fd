import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';

let provider: Server;
let api: TestApi;
let asked = 0;

/** An identity provider with metadata that refuses every code. */
beforeAll(async () => {
  provider = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token') {
      asked += 1;
      return void response.writeHead(400).end('{"error":"invalid_grant"}');
    }
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    response.end(
      JSON.stringify({ issuer, ...endpoints, jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'] }),
    );
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  api = await startApi({
    TRUST_PROXY: '127.0.0.0/8',
    TOKEN_RATE_LIMIT_PER_MINUTE: '60',
    AUTH_ISSUER: issuer,
    AUTH_JWKS_URL: `${issuer}/jwks`,
    AUTH_AUDIENCE: 'https://payments.example',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'the secret of the console at the provider',
  });
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
