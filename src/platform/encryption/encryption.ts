import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Inject, Injectable, Global, Module } from '@nestjs/common';
import { InjectConfig } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Random } from '../../shared/random.js';

/** The first byte of a ciphertext: bound to its purpose only, or bound to its row as well. */
const UNBOUND = 1;
const BOUND = 2;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

/** The first bytes of the key's SHA-256; they identify the key that a ciphertext needs. */
const keyId = (key: Buffer): string =>
  createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);

/**
 * AES-256-GCM for secrets at rest. Layout: version (1) | key id (4) | IV (12) | tag (16) | ciphertext. `purpose` and
 * `row` are authenticated, so that a ciphertext can be decrypted only for its own column and row; older ciphertexts
 * without a row are still accepted. The first configured key encrypts; older keys still decrypt, so keys can be rotated
 * while the service runs.
 *
 * Why not JWE (jose) or Tink: node:crypto does the cryptography; only the layout is ours, and it is shorter.
 */
@Injectable()
export class Encryption {
  private readonly keys: Map<string, Buffer>;
  /** Id of the key that encrypts, in hex. */
  readonly currentKeyId: string;

  constructor(
    @InjectConfig() config: Pick<Config, 'encryptionKeys'>,
    @Inject(Random) private readonly random: Random,
  ) {
    this.keys = new Map(config.encryptionKeys.map((key) => [keyId(key), key]));
    this.currentKeyId = keyId(config.encryptionKeys[0]!);
  }

  /** `row`: identifies the row; absent for a value outside of tables. */
  encrypt(plaintext: string, purpose: string, row?: string): Buffer {
    const iv = this.random.bytes(IV_BYTES);
    const version = row !== undefined ? BOUND : UNBOUND;
    const aad = aadOf(version, purpose, row);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.currentKeyId)!, iv).setAAD(aad);
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([
      Buffer.from([version]),
      Buffer.from(this.currentKeyId, 'hex'),
      iv,
      cipher.getAuthTag(),
      ciphertext,
    ]);
  }

  /**
   * Throws when the key is not configured, or when the bytes, the purpose or the row differ from those of `encrypt`.
   */
  decrypt(encrypted: Buffer, purpose: string, row?: string): string {
    const id = keyIdOf(encrypted);
    const key = this.keys.get(id);
    const [version] = encrypted;
    if ((version !== UNBOUND && version !== BOUND) || !key)
      throw new Error(`no ENCRYPTION_KEY with id ${id} is configured (${purpose})`);
    const iv = encrypted.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES);
    const tag = encrypted.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(aadOf(version, purpose, row))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(encrypted.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Ids of all configured keys; the key that encrypts is first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }
}

/** No purpose contains a line break. Without a row, a bound ciphertext cannot be decrypted. */
const aadOf = (version: number, purpose: string, row = ''): Buffer =>
  Buffer.from(version === BOUND ? `${purpose}\n${row}` : purpose);

/** The id, in hex, of the key that encrypted `ciphertext`. */
export const keyIdOf = (ciphertext: Buffer): string => ciphertext.subarray(1, 1 + KEY_ID_BYTES).toString('hex');

@Global()
@Module({ providers: [Encryption], exports: [Encryption] })
export class EncryptionModule {}
