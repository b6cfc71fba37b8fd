import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { basicCredentials, tokenOf, tokenRequest } from './access-token.js';

const AUTH = {
  type: 'oauth2_client_credentials' as const,
  token_url: 'https://issuer.example/token',
  client_id: 'or:ders',
  client_secret: 'a secret: 100 %+',
};

const result = (fields: Partial<OutboundResult>): OutboundResult => ({
  statusCode: 200,
  error: null,
  startedAt: new Date(0),
  durationMs: 5,
  retryAfter: null,
  responseBody: Buffer.alloc(0),
  ...fields,
});
const answered = (body: unknown, statusCode = 200) =>
  tokenOf(result({ statusCode, responseBody: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }));

describe('basicCredentials', () => {
  it('encodes the example of RFC 7617, and other characters as UTF-8', () => {
    expect(basicCredentials('Aladdin', 'open sesame')).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
    expect(basicCredentials('test', '123£')).toBe('Basic dGVzdDoxMjPCow==');
  });
});

describe('tokenRequest', () => {
  it('follows the form of RFC 6749, 4.4.2, and the encoded client in HTTP Basic', () => {
    const { url, body, headers, timeoutMs } = tokenRequest({ ...AUTH, scope: 'orders:write other' }, 2_000);
    expect([url, timeoutMs]).toEqual([AUTH.token_url, 2_000]);
    expect(body).toBe('grant_type=client_credentials&scope=orders%3Awrite+other');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers.authorization).toBe(basicCredentials('or%3Aders', 'a+secret%3A+100+%25%2B'));
  });

  it('omits the scope unless one is set', () => {
    expect(tokenRequest(AUTH, 2_000).body).toBe('grant_type=client_credentials');
  });
});

describe('tokenOf', () => {
  const TOKEN = { access_token: 'abc.def', token_type: 'Bearer' };

  it.each<[unknown, number]>([
    [3_600, 3_570],
    ['3600', 3_570],
    [60, 54],
    [0, 0],
    [undefined, 270],
    [null, 270],
    [-1, 270],
    ['soon', 270],
    [1e300, 86_370],
  ])('uses a token that expires in %j s for %i s', (expiresIn, seconds) => {
    expect(answered({ ...TOKEN, expires_in: expiresIn })).toEqual({ token: 'abc.def', lifetimeMs: seconds * 1_000 });
  });

  it('accepts the type in any case', () => {
    expect(answered({ ...TOKEN, token_type: 'bEARER' })).toHaveProperty('token', 'abc.def');
  });

  it.each<[unknown]>([
    [''],
    ['<html>abc.def</html>'],
    ['null'],
    ['["abc.def"]'],
    [{}],
    [{ access_token: 'abc.def' }],
    [{ ...TOKEN, token_type: 'mac' }],
    [{ ...TOKEN, access_token: 7 }],
    [{ ...TOKEN, access_token: '' }],
    [{ ...TOKEN, access_token: 'abc.def\r\nx-injected: 1' }],
    [{ ...TOKEN, access_token: 'abc def' }],
    [{ ...TOKEN, access_token: 'a'.repeat(8_193) }],
    [`{"access_token":"abc.def","token_type":"Bearer","padding":"${'x'.repeat(100)}`],
  ])('finds no token in %j', (body) => {
    expect(answered(body)).toEqual({ problem: 'the answer of the token endpoint has no bearer token' });
  });

  it.each<[unknown, number, string]>([
    [{ error: 'invalid_client', error_description: 'marker' }, 401, 'the token endpoint answered 401 (invalid_client)'],
    [{ error: 'invalid_scope' }, 400, 'the token endpoint answered 400 (invalid_scope)'],
    [{ error: 'marker' }, 400, 'the token endpoint answered 400'],
    ['marker', 500, 'the token endpoint answered 500'],
    [TOKEN, 201, 'the token endpoint answered 201'],
    ['', 302, 'the token endpoint answered 302'],
  ])('names the answer %j with status %i without its text', (body, status, problem) => {
    expect(answered(body, status)).toEqual({ problem });
  });

  it('names the reason why there was no answer', () => {
    expect(tokenOf(result({ statusCode: null, error: 'forbidden_address' }))).toEqual({
      problem: 'the token endpoint gave no answer (forbidden_address)',
    });
  });
});
