import { describe, expect, it } from '@jest/globals';
import { SystemRandom } from '../../shared/random.js';
import { Encryption, keyIdOf } from './encryption.js';

const key = (fill: number) => Buffer.alloc(32, fill);
const encryption = (...keys: Buffer[]) => new Encryption({ encryptionKeys: keys }, new SystemRandom());

describe('Encryption', () => {
  it('gives back what it encrypted, and never the same bytes twice', () => {
    const box = encryption(key(1));
    const sealed = box.encrypt('whsec_ü', 'a');
    expect(box.decrypt(sealed, 'a')).toBe('whsec_ü');
    expect(box.encrypt('whsec_ü', 'a').equals(sealed)).toBe(false);
    expect(box.decrypt(box.encrypt('', 'a'), 'a')).toBe('');
  });

  it('reads what an older key wrote, and tells which key that was', () => {
    const old = encryption(key(1));
    const sealed = old.encrypt('x', 'a');
    const rotated = encryption(key(2), key(1), key(2));
    expect(rotated.decrypt(sealed, 'a')).toBe('x');
    expect(rotated.keyIds).toEqual([rotated.currentKeyId, old.currentKeyId]);
    expect(keyIdOf(sealed)).toBe(old.currentKeyId);
    expect(keyIdOf(rotated.encrypt('x', 'a'))).toBe(rotated.currentKeyId);
  });

  it('refuses another purpose, a changed byte and an unknown key', () => {
    const box = encryption(key(1));
    const sealed = box.encrypt('secret', 'a');
    expect(() => box.decrypt(sealed, 'b')).toThrow();
    for (let position = 0; position < sealed.length; position++) {
      const changed = Buffer.from(sealed);
      changed[position]! ^= 1;
      expect(() => box.decrypt(changed, 'a')).toThrow();
    }
    expect(() => encryption(key(3)).decrypt(sealed, 'a')).toThrow(/no ENCRYPTION_KEY with id/);
  });
});
