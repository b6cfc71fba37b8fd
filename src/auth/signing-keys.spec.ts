import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { JwtKey } from '../platform/config/jwt-keys.js';
import { SigningKeys } from './signing-keys.js';

const RS256: JwtKey = { algorithm: 'RS256', key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey };
const ES256: JwtKey = { algorithm: 'ES256', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
const HS256: JwtKey = { algorithm: 'HS256', key: createSecretKey('s'.repeat(32), 'utf8') };
const keysOf = (...jwtKeys: JwtKey[]) => new SigningKeys({ jwtKeys });

describe('signing keys of access tokens', () => {
  it.each([
    ['RS256', RS256],
    ['ES256', ES256],
  ] as const)('publish the public half of an %s key under its thumbprint', async (algorithm, key) => {
    const { published, current } = keysOf(key);
    expect(published).toEqual([expect.objectContaining({ kid: current.id, alg: algorithm, use: 'sig' })]);
    expect(Object.keys(published[0]!)).not.toContain('d');
    expect(current.id).toBe(await calculateJwkThumbprint(published[0] as JWK));
    expect(current.verification.type).toBe('public');
  });

  it('publish nothing of a shared secret, and derive no key id from it', () => {
    const { published, current } = keysOf(HS256);
    expect(published).toEqual([]);
    expect(current.id).toMatch(/^[\w-]{16}$/);
    expect(current.verification.type).toBe('secret');
    expect(keysOf(HS256).current.id).toBe(current.id);
  });

  it('sign with the first, find all, and publish each once', () => {
    const keys = keysOf(ES256, RS256, HS256, ES256);
    expect([keys.current.algorithm, keys.algorithms]).toEqual(['ES256', ['ES256', 'RS256', 'HS256']]);
    expect(keys.published.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
    for (const key of [ES256, RS256, HS256]) {
      const { id, algorithm } = keysOf(key).current;
      expect(keys.find({ kid: id, alg: algorithm })?.signing.equals(key.key)).toBe(true);
    }
  });

  it('find no key for an unknown or invalid id, or for another algorithm than the key’s own', () => {
    const keys = keysOf(RS256, HS256);
    const { id } = keys.current;
    for (const kid of [undefined, null, '', 'unknown', '__proto__', [id], { toString: () => id }, 0]) {
      expect(keys.find({ kid, alg: 'RS256' })).toBeUndefined();
    }
    // HS256 is a supported algorithm, but not of this key: its public half must never be used as a secret
    for (const alg of ['HS256', 'ES256', 'RS512', 'none', undefined, ['RS256']]) {
      expect(keys.find({ kid: id, alg })).toBeUndefined();
    }
  });
});
