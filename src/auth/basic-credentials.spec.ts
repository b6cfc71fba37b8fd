import { describe, expect, it } from '@jest/globals';
import { parseBasicCredentials } from './token-request.js';

const basic = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`;

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

  it('takes the scheme in any case, as RFC 9110 says', () =>
    expect(parseBasicCredentials(basic('a:b').replace('Basic', 'bAsIc'))).toEqual({ clientId: 'a', secrets: ['b'] }));

  it.each([
    ['no colon', basic('client')],
    ['no client id', basic(':secret')],
    ['nothing', 'Basic'],
    ['an empty value', 'Basic '],
    ['no base64', 'Basic cli*ent'],
    ['two values', `${basic('a:b')} ${basic('a:b')}`],
    ['another scheme', 'Bearer YTpi'],
    ['bytes that are no UTF-8', basic(Buffer.from([0x61, 0x3a, 0xff]))],
    ['more than a header can hold', basic(`a:${'b'.repeat(8192)}`)],
  ])('refuses %s', (_, header) => expect(parseBasicCredentials(header)).toBeNull());
});
