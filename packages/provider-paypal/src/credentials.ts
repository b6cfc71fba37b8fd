import type { Credential } from '@payment-orchestrator/provider-kit';

export const PAYPAL_CREDENTIALS = {
  client_id: {
    pattern: /^[\w-]{20,120}$/,
    takes: 'the client ID of a REST app at PayPal',
    required: true,
    isPublic: true,
  },
  client_secret: { pattern: /^[\w-]{20,120}$/, takes: 'the secret of the REST app', required: true },
  environment: { pattern: /^(live|sandbox)$/, takes: '"live" or "sandbox"', required: true, isPublic: true },
  webhook_id: {
    pattern: /^[A-Za-z0-9]{5,50}$/,
    takes: "the ID of the app's webhook at PayPal",
    required: false,
    verifies: true,
  },
} satisfies Record<string, Credential>;

/** PayPal's hosts of an environment: the first one is called, and all may have the certificates of notifications. */
const HOSTS = {
  live: ['https://api-m.paypal.com', 'https://api.paypal.com'],
  sandbox: ['https://api-m.sandbox.paypal.com', 'https://api.sandbox.paypal.com'],
} as const;

export interface Account {
  clientId: string;
  secret: string;
  webhookId: string | undefined;
  origins: readonly string[];
}

/** `base`: replaces PayPal's hosts. */
export function accountOf(credentials: Record<string, unknown>, base: string | undefined): Account {
  const { client_id: clientId, client_secret: secret, webhook_id: webhookId } = credentials;
  return {
    clientId: String(clientId),
    secret: String(secret),
    webhookId: typeof webhookId === 'string' ? webhookId : undefined,
    origins: base === undefined ? HOSTS[credentials['environment'] === 'live' ? 'live' : 'sandbox'] : [base],
  };
}
