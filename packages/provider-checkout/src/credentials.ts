import type { Credential } from '@payment-orchestrator/provider-kit';

export const CHECKOUT_CREDENTIALS = {
  secret_key: {
    pattern: /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/,
    takes: 'a secret key of Checkout.com: sk_ or sk_sbox_ and 27 characters',
    required: true,
  },
  // becomes part of one label of a host name: never a dot, a slash or an @
  api_prefix: {
    pattern: /^[a-z0-9]{8}$/,
    takes: 'the prefix of your API host: the first 8 characters of the client id after cli_',
    required: true,
    isPublic: true,
  },
  processing_channel_id: {
    pattern: /^pc_[a-z2-7]{26}$/,
    takes: 'a processing channel (pc_…), or absent if the key has only one',
    required: false,
    isPublic: true,
  },
  webhook_signature_key: {
    pattern: /^[\x21-\x7e]{8,512}$/,
    takes: 'the signature key of the webhook, for its header Cko-Signature',
    required: false,
    verifies: true,
  },
  webhook_authorization: {
    pattern: /^[\x20-\x7e]{8,512}$/,
    takes: 'the value of the header Authorization that you gave to the webhook',
    required: false,
    verifies: true,
  },
} satisfies Record<string, Credential>;

/** Each account has a host of its own; the key tells the environment. */
export const hostOf = ({ secret_key: key, api_prefix: prefix }: Record<string, unknown>): string =>
  `https://${String(prefix)}.api.${String(key).startsWith('sk_sbox_') ? 'sandbox.' : ''}checkout.com`;
