import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { newSigningKey, parseSigningKey, publicJwk } from './signing-key.js';

const seed = Buffer.from(Array.from({ length: 32 }, (_, index) => 96 + index));

describe('newSigningKey', () => {
  it('returns whsk_ and the base64 of 32 random bytes', () => {
    expect(newSigningKey({ bytes: (size) => seed.subarray(0, size) })).toBe(`whsk_${seed.toString('base64')}`);
  });
});

describe('parseSigningKey', () => {
  it.each(['', 'whsk_', `whsec_${seed.toString('base64')}`, `whsk_${seed.subarray(1).toString('base64')}`])(
    'refuses %j',
    (text) => {
      expect(() => parseSigningKey(text)).toThrow('no private key of ed25519');
    },
  );
});

describe('publicJwk', () => {
  it('returns the public key that Python’s cryptography derives from the same seed', () => {
    const vector = new URL('../../packages/vectors/ed25519.json', import.meta.url);
    const { secrets } = JSON.parse(readFileSync(vector, 'utf8')) as { secrets: [string] };
    const { x } = publicJwk(parseSigningKey(`whsk_${seed.toString('base64')}`));
    expect(`whpk_${Buffer.from(x, 'base64url').toString('base64')}`).toBe(secrets[0]);
  });

  // RFC 8037, appendix A
  it('returns the thumbprint of the published example', () => {
    const key = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url');
    expect(publicJwk(parseSigningKey(`whsk_${key.toString('base64')}`))).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });
});
