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

  it('opens what is bound to a row in that row only, and what is bound to none everywhere', () => {
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

  it('binds nothing while told so, and still opens what is bound', () => {
    const settings = { encryptionKeys: [key(1)], encryptionBindsRows: false };
    const cautious = new Encryption(settings, new SystemRandom());
    expect(cautious.encrypt('secret', 'a', '1:17')[0]).toBe(1);
    expect(cautious.decrypt(encryption(key(1)).encrypt('secret', 'a', '1:17'), 'a', '1:17')).toBe('secret');
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
