import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Inject, Injectable, Global, Module } from '@nestjs/common';
import { InjectConfig } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Random } from '../../shared/random.js';

/** The first byte: of what is bound to its purpose only, and of what is bound to its row as well. */
const UNBOUND = 1;
const BOUND = 2;
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
 * AES-256-GCM for secrets at rest. Layout: version (1) | key id (4) | IV (12) | tag (16) | ciphertext. `purpose` and `row` are
 * authenticated with it, so that a ciphertext opens in its own column and row only. What was sealed without a row still opens.
 * The first configured key encrypts; older ones still decrypt, so keys can be rotated while the service runs.
 * Why not JWE (jose) or Tink: node:crypto does the cryptography; only the layout is ours, and it is shorter.
 */
@Injectable()
export class Encryption {
  private readonly keys: Map<string, Buffer>;
  /** Of the key that encrypts, in hex. */
  readonly currentKeyId: string;
  /** Whether a `row` is sealed in; processes of the version before open nothing then. */
  readonly bindsRows: boolean;

  constructor(
    @InjectConfig() config: Pick<Config, 'encryptionKeys'> & Partial<Pick<Config, 'encryptionBindsRows'>>,
    @Inject(Random) private readonly random: Random,
  ) {
    this.bindsRows = config.encryptionBindsRows ?? true;
    this.keys = new Map(config.encryptionKeys.map((key) => [keyId(key), key]));
    this.currentKeyId = keyId(config.encryptionKeys[0]!);
  }

  /** `row`: what tells the row apart from all others; absent for what lies in no table. */
  encrypt(plaintext: string, purpose: string, row?: string): Buffer {
    const iv = this.random.bytes(IV_BYTES);
    const version = this.bindsRows && row !== undefined ? BOUND : UNBOUND;
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

  /** Throws when the key is not configured, or the bytes, the purpose or the row are not those of `encrypt`. */
  decrypt(sealed: Buffer, purpose: string, row?: string): string {
    const id = keyIdOf(sealed);
    const key = this.keys.get(id);
    const [version] = sealed;
    if ((version !== UNBOUND && version !== BOUND) || !key)
      throw new Error(`no ENCRYPTION_KEY with id ${id} is configured (${purpose})`);
    const iv = sealed.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + IV_BYTES);
    const tag = sealed.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      .setAAD(aadOf(version, purpose, row))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Of all configured keys, the one that encrypts first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }
}

/** No purpose has a line break. Without a row, what is bound to one does not open. */
const aadOf = (version: number, purpose: string, row = ''): Buffer =>
  Buffer.from(version === BOUND ? `${purpose}\n${row}` : purpose);

/** The id, in hex, of the key that `sealed` was made with. */
export const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');

@Global()
@Module({ providers: [Encryption], exports: [Encryption] })
export class EncryptionModule {}
