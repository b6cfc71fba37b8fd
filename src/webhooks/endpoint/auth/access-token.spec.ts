import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '../../../platform/outbound/outbound-result.js';
import { basicCredentials, type ClientCredentials, tokenOf, tokenRequest } from './access-token.js';

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

  it('omits optional fields, and asks for an answer without compression', () => {
    const { body, headers } = tokenRequest(AUTH, 2_000);
    expect(body).toBe('grant_type=client_credentials');
    expect(headers['accept-encoding']).toBe('identity');
  });

  it.each<[Partial<ClientCredentials>, string, boolean]>([
    [{ audience: 'https://hooks.example/' }, 'audience=https%3A%2F%2Fhooks.example%2F', true],
    [{ resource: 'urn:example:hooks' }, 'resource=urn%3Aexample%3Ahooks', true],
    [{ client_authentication: 'basic' }, '', true],
    [
      { client_authentication: 'body', scope: 'a b' },
      'scope=a+b&client_id=or%3Aders&client_secret=a+secret%3A+100+%25%2B',
      false,
    ],
  ])('sends %j as the fields %j', (fields, form, hasHeader) => {
    const { body, headers } = tokenRequest({ ...AUTH, ...fields }, 2_000);
    expect(body).toBe(['grant_type=client_credentials', form].filter(Boolean).join('&'));
    expect(headers.authorization !== undefined).toBe(hasHeader);
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

  it.each<[unknown]>([['bEARER'], ['BearerToken'], ['bearer_token'], ['Bearer '], [''], [null], [undefined]])(
    'accepts the type %j',
    (type) => {
      expect(answered({ ...TOKEN, token_type: type })).toHaveProperty('token', 'abc.def');
    },
  );

  it.each<[string, Partial<OutboundResult>]>([
    ['with status 201', { statusCode: 201 }],
    ['after a byte order mark', { responseBody: Buffer.from(`\ufeff${JSON.stringify(TOKEN)}`) }],
    ['as gzip', { contentEncoding: 'gzip', responseBody: gzipSync(JSON.stringify(TOKEN)) }],
    ['as gzip without its header', { responseBody: gzipSync(JSON.stringify(TOKEN)) }],
    ['as brotli', { contentEncoding: 'br', responseBody: brotliCompressSync(JSON.stringify(TOKEN)) }],
  ])('reads a token %s', (_how, fields) => {
    expect(tokenOf(result({ responseBody: Buffer.from(JSON.stringify(TOKEN)), ...fields }))).toHaveProperty(
      'token',
      'abc.def',
    );
  });

  it.each<[unknown, string]>([
    ['', 'the answer of the token endpoint is not a JSON object'],
    ['<html>abc.def</html>', 'the answer of the token endpoint is not a JSON object'],
    ['null', 'the answer of the token endpoint is not a JSON object'],
    ['["abc.def"]', 'the answer of the token endpoint is not a JSON object'],
    [
      `{"access_token":"abc.def","token_type":"Bearer","padding":"${'x'.repeat(100)}`,
      'the answer of the token endpoint is not a JSON object',
    ],
    [{}, 'the answer of the token endpoint has no access_token'],
    [{ ...TOKEN, access_token: null }, 'the answer of the token endpoint has no access_token'],
    ...[7, '', 'abc.def\r\nx-injected: 1', 'abc def', 'a'.repeat(8_193)].map((token): [unknown, string] => [
      { ...TOKEN, access_token: token },
      'the access_token of the token endpoint is not 1 to 8192 visible ASCII characters',
    ]),
    ...['mac', 'DPoP', 'notbearer', 'bearer-of-news', 7].map((type): [unknown, string] => [
      { ...TOKEN, token_type: type },
      'the token_type of the token endpoint is not bearer',
    ]),
  ])('finds no token in %j and says why', (body, problem) => {
    expect(answered(body)).toEqual({ problem });
  });

  it('names a coding that it cannot read', () => {
    expect(tokenOf(result({ contentEncoding: 'zstd', responseBody: Buffer.from('x') }))).toEqual({
      problem: 'the answer of the token endpoint is compressed and cannot be read',
    });
  });

  it.each<[unknown, number, string]>([
    [{ error: 'invalid_client', error_description: 'marker' }, 401, 'the token endpoint answered 401 (invalid_client)'],
    [{ error: 'invalid_scope' }, 400, 'the token endpoint answered 400 (invalid_scope)'],
    [{ error: 'marker' }, 400, 'the token endpoint answered 400'],
    ['marker', 500, 'the token endpoint answered 500'],
    [{ error: 'access_denied' }, 403, 'the token endpoint answered 403 (access_denied)'],
    [{ error: 'invalid_target' }, 400, 'the token endpoint answered 400 (invalid_target)'],
    [{ error: 'invalid_client' }, 200, 'the token endpoint answered 200 (invalid_client)'],
    [TOKEN, 202, 'the token endpoint answered 202'],
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
