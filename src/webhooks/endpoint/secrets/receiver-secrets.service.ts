import { Injectable } from '@nestjs/common';
import { Encryption } from '../../../platform/encryption/encryption.js';
import { boundedCache } from '../../../shared/bounded-cache.js';
import { ENDPOINT_SECRET_PURPOSES, rowOfEndpoint, SHOP_SECRET_PURPOSES } from '../../../shops/secret-columns.js';
import { parseSigningKey } from '../../../shops/signing-key.js';
import type { WebhookSecrets } from '../../../shops/webhook-secrets.js';
import { WebhookSigner } from '../../outbox/signature.js';
import type { EncryptedReceiver } from './encrypted-receiver.js';
import type { EndpointAuth } from '../auth/endpoint-auth.js';
import { DEFAULT_ENDPOINT, type EndpointRef, type Receiver } from './receiver.js';

/** Columns of shops are of their default endpoints. Both tables bind a value to its merchant and row alike. */
const PURPOSES = { ...SHOP_SECRET_PURPOSES, ...ENDPOINT_SECRET_PURPOSES };

type SecretColumn = keyof typeof PURPOSES;

/** The column of the secret that signs. */
export const SECRET_COLUMN = { default: 'webhook_secret', standing: 'sealed_secret' } as const satisfies Record<
  EndpointRef['kind'],
  SecretColumn
>;

const CACHED_RECEIVERS = 20_000;

/** Encrypts and decrypts the secrets of endpoints, of both kinds. */
@Injectable()
export class ReceiverSecrets {
  /** By the encrypted receiver, so that any change is a new key. Decryption takes longer than signing. */
  private readonly receivers = boundedCache<string, Receiver>(CACHED_RECEIVERS);

  constructor(private readonly encryption: Encryption) {}

  /** `id`: of the shop for its columns, or of the standing endpoint. */
  encrypt(column: SecretColumn, merchantId: number, id: number, value: string): Buffer {
    return this.encryption.encrypt(value, PURPOSES[column], rowOfEndpoint(merchantId, id));
  }

  /** Throws if the ciphertext cannot be decrypted. */
  decrypt(column: SecretColumn, merchantId: number, id: number, value: Buffer): string {
    return this.encryption.decrypt(value, PURPOSES[column], rowOfEndpoint(merchantId, id));
  }

  /** `null` also for a ciphertext whose key is lost: the merchant can then set a new value. */
  readable(column: SecretColumn, merchantId: number, id: number, value: Buffer | null): string | null {
    if (value === null) return null;
    try {
      return this.decrypt(column, merchantId, id, value);
    } catch {
      return null;
    }
  }

  /** The merchant's own headers, by name; none if they cannot be decrypted. */
  headers(merchantId: number, id: number, value: Buffer | null): Record<string, string> {
    return JSON.parse(this.readable('sealed_headers', merchantId, id, value) ?? '{}') as Record<string, string>;
  }

  /** `null` also if it cannot be decrypted. */
  auth(merchantId: number, id: number, value: Buffer | null): EndpointAuth | null {
    return JSON.parse(this.readable('sealed_auth', merchantId, id, value) ?? 'null') as EndpointAuth | null;
  }

  /** Throws if a ciphertext cannot be decrypted. */
  receiver(encrypted: EncryptedReceiver): Receiver {
    const key = JSON.stringify(encrypted);
    const known = this.receivers.get(key);
    if (known) return known;
    const receiver = this.decrypted(encrypted);
    this.receivers.set(key, receiver);
    return receiver;
  }

  /** The secrets that sign, in plain text. Throws if a ciphertext cannot be decrypted. */
  secrets(encrypted: EncryptedReceiver): WebhookSecrets {
    const { endpoint_id: endpointId, shop_id: shopId, merchant_id: merchantId, current, previous, next } = encrypted;
    const isDefault = endpointId === DEFAULT_ENDPOINT;
    const id = isDefault ? shopId! : endpointId;
    const open = (column: SecretColumn, text: string): string =>
      this.decrypt(column, merchantId, id, Buffer.from(text, 'base64'));
    const secret = (text: string): string => open(SECRET_COLUMN[isDefault ? 'default' : 'standing'], text);
    const keys = encrypted.signing_keys?.filter((key) => key !== null) ?? [];
    return {
      current: secret(current),
      previous: previous === null ? null : secret(previous),
      ...(next && { next: secret(next) }),
      ...(keys.length > 0 && { signingKeys: keys.map((key) => parseSigningKey(open('webhook_signing_key', key))) }),
    };
  }

  private decrypted(encrypted: EncryptedReceiver): Receiver {
    const { endpoint_id: id, merchant_id: merchantId, url = null, format = 'json' } = encrypted;
    const { max_per_second: maxPerSecond = null, headers, auth } = encrypted;
    const open = (column: 'sealed_headers' | 'sealed_auth', text: string | null | undefined): unknown =>
      text ? JSON.parse(this.decrypt(column, merchantId, id, Buffer.from(text, 'base64'))) : null;
    return {
      endpointId: id === DEFAULT_ENDPOINT ? null : id,
      url,
      format,
      maxPerSecond,
      signer: new WebhookSigner(this.secrets(encrypted)),
      headers: (open('sealed_headers', headers) ?? {}) as Record<string, string>,
      auth: open('sealed_auth', auth) as EndpointAuth | null,
    };
  }
}
