import { Injectable } from '@nestjs/common';
import { Encryption } from '../../platform/encryption/encryption.js';
import { ENDPOINT_SECRET_PURPOSES, rowOfEndpoint } from '../../shops/secret-columns.js';
import { WebhookSigner } from '../outbox/signature.js';
import { boundedCache } from '../../shared/bounded-cache.js';
import type { EncryptedEndpoint } from './encrypted-endpoint.js';
import type { EndpointAuth } from './endpoint-auth.js';
import type { EndpointFormat } from './endpoint-format.js';

/** A standing endpoint as a receiver: where and how to send, decrypted. */
export interface Destination {
  endpointId: number;
  url: string;
  format: EndpointFormat;
  /** Maximum attempts per second; `null`: no maximum. */
  maxPerSecond: number | null;
  signer: WebhookSigner;
  /** The merchant's own headers, by name. */
  headers: Readonly<Record<string, string>>;
  auth: EndpointAuth | null;
}

const CACHED_DESTINATIONS = 5_000;

/** Encrypts and decrypts the secrets of standing endpoints. */
@Injectable()
export class EndpointSecrets {
  /** By the encrypted endpoint, so that any change is a new key. Decryption takes longer than signing. */
  private readonly destinations = boundedCache<string, Destination>(CACHED_DESTINATIONS);

  constructor(private readonly encryption: Encryption) {}

  encrypt(column: keyof typeof ENDPOINT_SECRET_PURPOSES, merchantId: number, id: number, value: string): Buffer {
    return this.encryption.encrypt(value, ENDPOINT_SECRET_PURPOSES[column], rowOfEndpoint(merchantId, id));
  }

  decrypt(column: keyof typeof ENDPOINT_SECRET_PURPOSES, merchantId: number, id: number, value: Buffer): string {
    return this.encryption.decrypt(value, ENDPOINT_SECRET_PURPOSES[column], rowOfEndpoint(merchantId, id));
  }

  /** `null` also for a ciphertext whose key is lost: the merchant can then set a new value. */
  readable(
    column: keyof typeof ENDPOINT_SECRET_PURPOSES,
    merchantId: number,
    id: number,
    value: Buffer | null,
  ): string | null {
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
  destination(endpoint: EncryptedEndpoint): Destination {
    const key = JSON.stringify(endpoint);
    const known = this.destinations.get(key);
    if (known) return known;
    const destination = this.decrypted(endpoint);
    this.destinations.set(key, destination);
    return destination;
  }

  private decrypted(endpoint: EncryptedEndpoint): Destination {
    const { endpoint_id: id, merchant_id: merchantId, url, format, max_per_second: maxPerSecond } = endpoint;
    const { current, previous, next, headers, auth } = endpoint;
    const open = (column: keyof typeof ENDPOINT_SECRET_PURPOSES, text: string | null): string | null =>
      text === null ? null : this.decrypt(column, merchantId, id, Buffer.from(text, 'base64'));
    const [ownHeaders, ownAuth] = [open('sealed_headers', headers), open('sealed_auth', auth)];
    return {
      endpointId: id,
      url,
      format,
      maxPerSecond,
      signer: new WebhookSigner({
        current: open('sealed_secret', current)!,
        previous: open('sealed_secret', previous),
        next: open('sealed_secret', next),
      }),
      headers: ownHeaders === null ? {} : (JSON.parse(ownHeaders) as Record<string, string>),
      auth: ownAuth === null ? null : (JSON.parse(ownAuth) as EndpointAuth),
    };
  }
}
