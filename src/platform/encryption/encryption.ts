import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Inject, Injectable, Global, Module } from '@nestjs/common';
import { InjectConfig } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Random } from '../../shared/random.js';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + IV_BYTES + TAG_BYTES;

/** The first bytes of the key's SHA-256: tells which of the configured keys a ciphertext needs. */
const keyId = (key: Buffer): string =>
  createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);

/**
 * AES-256-GCM for secrets at rest. Layout: version (1) | key id (4) | IV (12) | tag (16) | ciphertext. `purpose` is
 * authenticated with it, so that one column's ciphertext cannot be moved into another. The first configured key
 * encrypts; older ones still decrypt, so keys can be rotated while the service runs.
 */
@Injectable()
export class Encryption {
  private readonly keys: Map<string, Buffer>;
  /** Of the key that encrypts, in hex. */
  readonly currentKeyId: string;

  constructor(
    @InjectConfig() config: Pick<Config, 'encryptionKeys'>,
    @Inject(Random) private readonly random: Random,
  ) {
    this.keys = new Map(config.encryptionKeys.map((key) => [keyId(key), key]));
    this.currentKeyId = keyId(config.encryptionKeys[0]!);
  }

  encrypt(plaintext: string, purpose: string): Buffer {
    const iv = this.random.bytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys.get(this.currentKeyId)!, iv).setAAD(Buffer.from(purpose));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([
      Buffer.from([VERSION]),
      Buffer.from(this.currentKeyId, 'hex'),
      iv,
      cipher.getAuthTag(),
      ciphertext,
    ]);
  }

  /** Throws when the key is not configured, or the bytes or the purpose are not those of `encrypt`. */
  decrypt(sealed: Buffer, purpose: string): string {
    const id = keyIdOf(sealed);
    const key = this.keys.get(id);
    if (sealed[0] !== VERSION || !key) throw new Error(`no ENCRYPTION_KEY with id ${id} is configured (${purpose})`);
    const iv = sealed.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES);
    const tag = sealed.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Of all configured keys, the one that encrypts first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }
}

/** The id, in hex, of the key that `sealed` was made with. */
export const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');

@Global()
@Module({ providers: [Encryption], exports: [Encryption] })
export class EncryptionModule {}
