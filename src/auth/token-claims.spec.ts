import { describe, expect, it } from '@jest/globals';
import { type Claims, readClaims } from './token-claims.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const CLAIMS: Claims = { sub: 'client', merchant_id: 7, scope: 'flows:read shops:read', exp: SECONDS + 60 };

describe('readClaims', () => {
  it('reads the principal', () =>
    expect(readClaims(CLAIMS, true, NOW)).toEqual({
      principal: { merchantId: 7, clientId: 'client', scopes: ['flows:read', 'shops:read'] },
      expiresAt: new Date((SECONDS + 65) * 1000),
      isOurs: true,
    }));

  it('keeps the subjects of an external issuer separate from our clients and from other merchants', () => {
    expect(readClaims(CLAIMS, false, NOW).principal.clientId).toBe('external:7:client');
  });

  it.each([
    [{ scope: 'flows:read  admin shops:read' }, ['flows:read', 'shops:read']],
    [{ scope: undefined, scp: ['shops:read', 7, 'x'] }, ['shops:read']],
    [{ scope: undefined, scp: 'shops:read flows:read' }, ['flows:read', 'shops:read']],
    [{ scope: ['flows:read'] }, ['flows:read']],
    [{ scope: undefined }, []],
    [{ scope: { flows: 'read' } }, []],
  ])('reads the scopes of %j', (claims, scopes) =>
    expect(readClaims({ ...CLAIMS, ...claims }, false, NOW).principal.scopes).toEqual(scopes),
  );

  it('allows clocks to differ by five seconds', () => {
    expect(readClaims({ ...CLAIMS, exp: SECONDS - 4, nbf: SECONDS + 4 }, true, NOW).isOurs).toBe(true);
  });

  it.each<[string, Claims]>([
    ['no expiry', { exp: undefined }],
    ['an expiry that is not a number', { exp: `${SECONDS + 60}` }],
    ['an infinite expiry', { exp: Infinity }],
    ['an expiry in the past', { exp: SECONDS - 5 }],
    ['a start in the future', { nbf: SECONDS + 6 }],
    ['a start that is not a number', { nbf: 'now' }],
    ['no merchant', { merchant_id: undefined }],
    ['a merchant as text', { merchant_id: '7' }],
    ['a fractional merchant', { merchant_id: 7.5 }],
    ['a merchant below 1', { merchant_id: 0 }],
    ['a merchant above the safe integers', { merchant_id: 2 ** 53 }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with NUL', { sub: 'a\0b' }],
    ['a subject with a lone surrogate', { sub: 'a\ud800' }],
    ['a subject of 256 characters', { sub: 'a'.repeat(256) }],
  ])('refuses %s', (_, claims) => {
    const refusal = expect.objectContaining({
      code: 'unauthorized',
      headers: { 'www-authenticate': expect.stringContaining('error="invalid_token"') },
    });
    expect(() => readClaims({ ...CLAIMS, ...claims }, true, NOW)).toThrow(refusal);
  });
});
