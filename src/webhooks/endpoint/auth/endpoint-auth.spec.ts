import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../../shared/problem.js';
import { EndpointPolicy } from '../../outbox/endpoint-policy.service.js';
import { parseEndpointAuth } from './endpoint-auth.js';

const policy = new EndpointPolicy({ webhookAllowedNetworks: new BlockList(), webhookRequireHttps: true });
const OAUTH = {
  type: 'oauth2_client_credentials',
  token_url: 'https://issuer.example/token',
  client_id: 'orders',
  client_secret: 'a secret: with %',
};

function errorsOf(auth: Record<string, unknown>): Record<string, string> {
  try {
    parseEndpointAuth(auth, policy);
    return {};
  } catch (error) {
    return Object.fromEntries((error as Problem).errors!.map(({ field, message }) => [field, message]));
  }
}

describe('parseEndpointAuth', () => {
  it.each([
    { type: 'basic', username: 'orders', password: 'pässword: with colon' },
    { type: 'basic', username: 'key', password: '' },
    { type: 'bearer', token: 'abc.def-ghi_jkl~+/=' },
    OAUTH,
    { ...OAUTH, scope: 'webhooks:write other' },
    { ...OAUTH, audience: 'https://hooks.example/', resource: 'urn:example:hooks', client_authentication: 'body' },
  ])('accepts %j', (auth) => {
    expect(parseEndpointAuth(auth, policy)).toEqual(auth);
  });

  it('takes null as absent', () => {
    expect(parseEndpointAuth({ ...OAUTH, scope: null, token: null }, policy)).toEqual(OAUTH);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{}, ['auth.type']],
    [{ type: 'digest' }, ['auth.type']],
    [{ type: 'toString' }, ['auth.type']],
    [{ type: ['basic'] }, ['auth.type']],
    [{ type: 'basic' }, ['auth.password', 'auth.username']],
    [{ type: 'basic', username: 'with:colon', password: 'x' }, ['auth.username']],
    [{ type: 'basic', username: '', password: 'x' }, ['auth.username']],
    [{ type: 'basic', username: 'x', password: 'line\nbreak' }, ['auth.password']],
    [{ type: 'basic', username: 'x', password: 'x', token: 'x' }, ['auth.token']],
    [{ type: 'bearer', token: 'two words' }, ['auth.token']],
    [{ type: 'bearer', token: 'crlf\r\nx-injected: 1' }, ['auth.token']],
    [{ type: 'bearer', token: 7 }, ['auth.token']],
    [{ ...OAUTH, client_id: '' }, ['auth.client_id']],
    [{ ...OAUTH, client_secret: 'schlüssel' }, ['auth.client_secret']],
    [{ ...OAUTH, scope: 'two  spaces' }, ['auth.scope']],
    [{ ...OAUTH, scope: '"' }, ['auth.scope']],
    [{ ...OAUTH, audience: '' }, ['auth.audience']],
    [{ ...OAUTH, resource: 'hooks.example' }, ['auth.resource']],
    [{ ...OAUTH, resource: 'https://hooks.example/#part' }, ['auth.resource']],
    [{ ...OAUTH, client_authentication: 'jwt' }, ['auth.client_authentication']],
    [{ ...OAUTH, token_url: 'issuer.example' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'https://user:pw@issuer.example' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'https://127.0.0.1/token' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'https://169.254.169.254/token' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'https://[::1]/token' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'https://issuer.example:22/token' }, ['auth.token_url']],
    [{ ...OAUTH, token_url: 'http://issuer.example/token' }, ['auth.token_url']],
  ])('rejects %j and names the fields', (auth, fields) => {
    expect(Object.keys(errorsOf(auth)).sort()).toEqual(fields);
  });

  it('repeats no secret in an error', () => {
    const secret = 'marker\u0001';
    const texts = [
      errorsOf({ type: 'basic', username: `${secret}:`, password: secret }),
      errorsOf({ type: 'bearer', token: secret }),
      errorsOf({ ...OAUTH, client_id: secret, client_secret: secret, scope: secret, token_url: `https://${secret}` }),
    ];
    expect(texts.map((text) => Object.keys(text).length)).toEqual([2, 1, 4]);
    expect(JSON.stringify(texts)).not.toContain('marker');
  });
});
