import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { SigningKey } from './signing-key.js';

describe('SigningKey', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  it.each([
    ['RS256', rsa],
    ['ES256', ec],
  ] as const)('publishes the public half of an %s key under its thumbprint', async (algorithm, key) => {
    const { published, keyId, verification } = new SigningKey({ jwt: { algorithm, key } });
    expect(published).toEqual([expect.objectContaining({ kid: keyId, alg: algorithm, use: 'sig' })]);
    expect(Object.keys(published[0]!)).not.toContain('d');
    expect(keyId).toBe(await calculateJwkThumbprint(published[0] as JWK));
    expect(verification.type).toBe('public');
  });

  it('publishes nothing of a shared secret, whose key id tells nothing of it', () => {
    const jwt = { algorithm: 'HS256', key: createSecretKey('s'.repeat(32), 'utf8') } as const;
    const { published, keyId, verification } = new SigningKey({ jwt });
    expect(published).toEqual([]);
    expect(keyId).toMatch(/^[\w-]{16}$/);
    expect(verification.type).toBe('secret');
    expect(new SigningKey({ jwt }).keyId).toBe(keyId);
  });
});
