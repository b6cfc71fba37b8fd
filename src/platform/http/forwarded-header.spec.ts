import { describe, expect, it } from '@jest/globals';
import { takeForwarded } from './forwarded-header.js';

/** Returns the headers that Fastify reads afterwards. */
function taken(forwarded: string | undefined, others: Record<string, string> = {}) {
  const headers: Record<string, string | undefined> = { ...others, ...(forwarded !== undefined && { forwarded }) };
  takeForwarded(headers);
  return { for: headers['x-forwarded-for'], proto: headers['x-forwarded-proto'], host: headers['x-forwarded-host'] };
}

describe('takeForwarded', () => {
  it.each([
    ['for=203.0.113.7', '203.0.113.7'],
    ['For="203.0.113.7:51234";proto=https', '203.0.113.7'],
    ['for="[2001:DB8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for="\\[2001:db8::1\\]"', '2001:db8::1'],
    ['proto=https ; for = 203.0.113.7', '203.0.113.7'],
    ['for=203.0.113.7,for=10.0.0.2', '203.0.113.7, 10.0.0.2'],
    [', for=203.0.113.7,, for=10.0.0.2,', '203.0.113.7, 10.0.0.2'],
    ['for=_hidden, for=unknown;by=10.0.0.1', 'unknown, unknown'],
    ['proto=https', 'unknown'],
    ['203.0.113.7', 'unknown'],
  ])('reads the addresses of %s', (forwarded, addresses) => expect(taken(forwarded).for).toBe(addresses));

  it.each(['for="', 'for=198.51.100.1;x="a\\', 'x="\\"', 'for="198.51.100.1'])(
    'uses the address that the proxy appends after the unclosed quote %s of its caller',
    (written) => {
      expect(taken(`${written}, for=203.0.113.7;host="api"`).for?.split(', ').at(-1)).toBe('203.0.113.7');
    },
  );

  it('ignores an address inside a quoted value', () => {
    expect(taken('for=203.0.113.7;host="a, for=198.51.100.1;x="').for).toBe('203.0.113.7');
  });

  it('uses protocol and host of the nearest proxy only', () => {
    const nearest = 'for=10.0.0.2;proto=HTTPS;host="api.example.com:8443"';
    expect(taken(`for=203.0.113.7;proto=http;host=evil.example, ${nearest}`)).toMatchObject({
      proto: 'https',
      host: 'api.example.com:8443',
    });
    expect(taken('for=203.0.113.7;proto=https;host=evil.example, for=10.0.0.2')).toMatchObject({
      proto: undefined,
      host: undefined,
    });
  });

  it.each([undefined, 'for=203.0.113.7'])('drops X-Forwarded-* that callers wrote, with Forwarded %s', (forwarded) => {
    const written = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil' };
    expect(taken(forwarded, written)).toEqual({ for: forwarded?.slice(4), proto: undefined, host: undefined });
  });
});
