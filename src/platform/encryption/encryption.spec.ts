import { describe, expect, it } from '@jest/globals';
import { SystemRandom } from '../../shared/random.js';
import { Encryption, keyIdOf } from './encryption.js';

const key = (fill: number) => Buffer.alloc(32, fill);
const encryption = (...keys: Buffer[]) => new Encryption({ encryptionKeys: keys }, new SystemRandom());

describe('Encryption', () => {
  it('decrypts what it encrypted, and never returns the same bytes twice', () => {
    const box = encryption(key(1));
    const ciphertext = box.encrypt('whsec_ü', 'a');
    expect(box.decrypt(ciphertext, 'a')).toBe('whsec_ü');
    expect(box.encrypt('whsec_ü', 'a').equals(ciphertext)).toBe(false);
    expect(box.decrypt(box.encrypt('', 'a'), 'a')).toBe('');
  });

  it('decrypts with an older key, and returns the id of the key', () => {
    const old = encryption(key(1));
    const ciphertext = old.encrypt('x', 'a');
    const rotated = encryption(key(2), key(1), key(2));
    expect(rotated.decrypt(ciphertext, 'a')).toBe('x');
    expect(rotated.keyIds).toEqual([rotated.currentKeyId, old.currentKeyId]);
    expect(keyIdOf(ciphertext)).toBe(old.currentKeyId);
    expect(keyIdOf(rotated.encrypt('x', 'a'))).toBe(rotated.currentKeyId);
  });

  it('decrypts a value bound to a row only for that row, and an unbound value for any row', () => {
    const box = encryption(key(1));
    const bound = box.encrypt('secret', 'a', '1:17');
    expect(box.decrypt(bound, 'a', '1:17')).toBe('secret');
    for (const row of ['1:18', '11:7', '2:17', '', undefined]) expect(() => box.decrypt(bound, 'a', row)).toThrow();
    expect(() => box.decrypt(bound, 'a\n1:17')).toThrow();
    expect(() => box.decrypt(bound, 'b', '1:17')).toThrow();
    const asUnbound = Buffer.from(bound);
    asUnbound[0] = 1;
    expect(() => box.decrypt(asUnbound, 'a', '1:17')).toThrow();
    expect(box.decrypt(box.encrypt('secret', 'a'), 'a', '1:17')).toBe('secret');
  });

  it('refuses another purpose, a changed byte and an unknown key', () => {
    const box = encryption(key(1));
    const ciphertext = box.encrypt('secret', 'a');
    expect(() => box.decrypt(ciphertext, 'b')).toThrow();
    for (let position = 0; position < ciphertext.length; position++) {
      const changed = Buffer.from(ciphertext);
      changed[position]! ^= 1;
      expect(() => box.decrypt(changed, 'a')).toThrow();
    }
    expect(() => encryption(key(3)).decrypt(ciphertext, 'a')).toThrow(/no ENCRYPTION_KEY with id/);
  });
});
