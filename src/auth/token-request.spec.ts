import { describe, expect, it } from '@jest/globals';
import { OAuthError } from './oauth-error.js';
import { parseBasicCredentials, parseTokenRequest } from './token-request.js';

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;
const BASIC = basic('client:secret');
const GRANT = { grant_type: 'client_credentials' };
const BODY = { ...GRANT, client_id: 'client', client_secret: 'secret' };
const CREDENTIALS = { clientId: 'client', secrets: ['secret'] };

describe('parseTokenRequest', () => {
  it('reads credentials from the body', () =>
    expect(parseTokenRequest(BODY, undefined)).toEqual({
      credentials: CREDENTIALS,
      usesBasic: false,
      scopes: undefined,
    }));

  it('reads credentials from HTTP Basic, with or without the same client_id in the body', () => {
    const expected = { credentials: CREDENTIALS, usesBasic: true, scopes: undefined };
    expect(parseTokenRequest(GRANT, BASIC)).toEqual(expected);
    expect(parseTokenRequest({ ...GRANT, client_id: 'client' }, BASIC)).toEqual(expected);
  });

  it('reads the requested scopes; an empty scope counts as none, an unknown parameter is ignored', () => {
    expect(parseTokenRequest({ ...BODY, scope: 'a b' }, undefined).scopes).toEqual(['a', 'b']);
    expect(parseTokenRequest({ ...BODY, scope: '', resource: 'x' }, undefined).scopes).toBeUndefined();
  });

  it('ignores a header of another scheme', () =>
    expect(parseTokenRequest(BODY, 'Bearer abc').credentials).toEqual(CREDENTIALS));

  it.each([
    ['no body', undefined, undefined, 'invalid_request'],
    ['a body that is not an object', 'grant_type', undefined, 'invalid_request'],
    ['no grant_type', { ...BODY, grant_type: '' }, undefined, 'invalid_request'],
    ['a repeated grant_type', { ...BODY, grant_type: ['client_credentials', 'x'] }, undefined, 'invalid_request'],
    ['a scope that is not text', { ...BODY, scope: ['flows:read'] }, undefined, 'invalid_request'],
    ['a secret that is not text', { ...BODY, client_secret: 5 }, undefined, 'invalid_request'],
    ['two authentication methods', BODY, BASIC, 'invalid_request'],
    ['two different client ids', { ...GRANT, client_id: 'other' }, BASIC, 'invalid_request'],
    ['another grant type', { ...BODY, grant_type: 'password' }, undefined, 'unsupported_grant_type'],
    ['an inherited name', { ...BODY, grant_type: 'toString' }, undefined, 'unsupported_grant_type'],
    ['no secret', { ...GRANT, client_id: 'client' }, undefined, 'invalid_client'],
    ['no credentials', GRANT, undefined, 'invalid_client'],
    ['a malformed Basic header', GRANT, 'Basic ???', 'invalid_client'],
  ])('refuses %s', (_, body, header, code) => {
    expect(() => parseTokenRequest(body, header)).toThrow(expect.objectContaining({ code }));
  });

  it('names the Basic scheme only to a client that used it', () => {
    const refusal = (header: string | undefined): OAuthError => {
      try {
        parseTokenRequest(GRANT, header);
      } catch (error) {
        if (error instanceof OAuthError) return error;
      }
      throw new Error('not refused');
    };
    expect(refusal('Basic ???').challengesBasic).toBe(true);
    expect(refusal(undefined).challengesBasic).toBe(false);
    expect(refusal('Basicx').challengesBasic).toBe(false);
  });
});

describe('parseBasicCredentials', () => {
  it.each([
    ['client:secret', 'client', ['secret']],
    ['client:', 'client', ['']],
    ['client:with:colons', 'client', ['with:colons']],
    ['client:a%20b%2Bc', 'client', ['a b+c', 'a%20b%2Bc']],
    ['client:base64+text/=', 'client', ['base64 text/=', 'base64+text/=']],
    ['client:100%', 'client', ['100%']],
    ['cli%65nt:sécret', 'client', ['sécret']],
  ])('reads %j', (text, clientId, secrets) =>
    expect(parseBasicCredentials(basic(text))).toEqual({ clientId, secrets }),
  );

  it('accepts the scheme in any case, as RFC 9110 says', () =>
    expect(parseBasicCredentials(basic('a:b').replace('Basic', 'bAsIc'))).toEqual({ clientId: 'a', secrets: ['b'] }));

  it.each([
    ['no colon', basic('client')],
    ['no client id', basic(':secret')],
    ['nothing', 'Basic'],
    ['an empty value', 'Basic '],
    ['no base64', 'Basic cli*ent'],
    ['two values', `${basic('a:b')} ${basic('a:b')}`],
    ['another scheme', 'Bearer YTpi'],
    ['bytes that are not UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff]))],
    ['more than a header can contain', basic(`a:${'b'.repeat(8192)}`)],
  ])('refuses %s', (_, header) => expect(parseBasicCredentials(header)).toBeNull());
});
