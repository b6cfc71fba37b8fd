import type { KeyObject } from 'node:crypto';

/** What a shop's webhooks are signed with: its secret alone, or a private key of its own, too. */
export const WEBHOOK_SIGNINGS = ['shared_secret', 'public_key'] as const;
export type WebhookSigning = (typeof WEBHOOK_SIGNINGS)[number];

/** The same at one moment. */
export interface WebhookSecrets {
  current: string;
  /** The one before the latest rotation, while both are valid. */
  previous: string | null;
  /** One that was announced, and replaces the current one later. */
  next?: string | null;
  /** Of ed25519, when the shop signs with `public_key`: the current one and, while both are valid, the one before. */
  signingKeys?: readonly KeyObject[];
}

/** The same as kept: base64 of what `ShopsService.openWebhookSecrets` opens. */
export interface SealedSecrets {
  shop_id: number;
  merchant_id: number;
  current: string;
  previous: string | null;
  next?: string | null;
  /** The current one and, while both are valid, the one before. */
  signing_keys?: [string, string | null] | null;
}

const PREFIX = 'whsec_';
const GENERATED_BYTES = 32;

/** `whsec_` and the base64 of 32 random bytes, the form that Standard Webhooks libraries take. */
export const newWebhookSecret = (random: { bytes(size: number): Buffer }): string =>
  PREFIX + random.bytes(GENERATED_BYTES).toString('base64');

/**
 * What is wrong with a secret that a merchant brings along; `undefined` when nothing is. Either 24 to 200 printable
 * ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes as Standard Webhooks demands.
 */
export function webhookSecretError(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) {
    return /^[\x21-\x7e]{24,200}$/.test(secret)
      ? undefined
      : 'must be 24 to 200 printable ASCII characters without spaces';
  }
  const text = secret.slice(PREFIX.length);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  return isBase64 && bytes.length >= 24 && bytes.length <= 64
    ? undefined
    : 'must hold the base64 of 24 to 64 bytes after whsec_';
}
