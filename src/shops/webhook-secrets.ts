import type { KeyObject } from 'node:crypto';

/** How a shop's webhooks are signed: only with its secret, or also with its own private key. */
export const WEBHOOK_SIGNINGS = ['shared_secret', 'public_key'] as const;
export type WebhookSigning = (typeof WEBHOOK_SIGNINGS)[number];

/** The webhook secrets at a point in time. */
export interface WebhookSecrets {
  current: string;
  /** The secret before the latest rotation, while both are valid. */
  previous: string | null;
  /** An announced secret, which will replace the current one. */
  next?: string | null;
  /**
   * Keys of ed25519, if the shop signs with `public_key`: the current one and, while both are valid, the previous one.
   */
  signingKeys?: readonly KeyObject[];
}

const PREFIX = 'whsec_';
const GENERATED_BYTES = 32;

/** `whsec_` and the base64 of 32 random bytes, the format of Standard Webhooks libraries. */
export const newWebhookSecret = (random: { bytes(size: number): Buffer }): string =>
  PREFIX + random.bytes(GENERATED_BYTES).toString('base64');
