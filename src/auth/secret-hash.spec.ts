import { describe, expect, it } from '@jest/globals';
import { SystemRandom } from '../shared/random.js';
import { DECOY_HASH, hashSecret, verifySecret } from './secret-hash.js';

const random = new SystemRandom();

describe('secret hash', () => {
  it('contains its parameters, and differs for the same secret because of the salt', async () => {
    const hashes = [await hashSecret('a secret', random), await hashSecret('a secret', random)];
    for (const hash of hashes) expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(await verifySecret('a secret', hashes[0]!)).toBe(true);
    expect(await verifySecret('a secreT', hashes[0]!)).toBe(false);
  });

  it('uses the parameters in the stored value: scrypt test vector of RFC 7914 §12', async () => {
    const salt = Buffer.from('SodiumChloride').toString('base64url');
    const key = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
        'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      'hex',
    );
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${key.toString('base64url')}`;
    expect(await verifySecret('pleaseletmein', stored)).toBe(true);
    expect(await verifySecret('pleaseletmeout', stored)).toBe(false);
  });

  it('of an unknown client matches no secret, at the same cost', async () => {
    expect(DECOY_HASH).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$/);
    expect(await verifySecret('', DECOY_HASH)).toBe(false);
  });

  it.each(['', 'plain', '$scrypt$ln=15,r=8,p=1$short$short', '$2b$10$abcdefghijklmnopqrstuv'])(
    'in the format %j throws an error',
    async (stored) => {
      await expect(verifySecret('a secret', stored)).rejects.toThrow('not in the format');
    },
  );
});
