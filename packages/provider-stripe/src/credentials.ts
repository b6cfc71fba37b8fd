import {
  type Credential,
  credentialErrors,
  credentialFields,
  type FieldError,
} from '@payment-orchestrator/provider-kit';

export interface StripeCredentials {
  secretKey: string;
  webhookSecret: string | undefined;
}

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  secret_key: {
    pattern: /^(sk|rk)_(test|live)_[A-Za-z0-9_]{10,240}$/,
    takes: 'a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…',
    required: true,
  },
  webhook_secret: {
    pattern: /^whsec_[A-Za-z0-9+/=_-]{16,240}$/,
    takes: 'the signing secret of a webhook endpoint at Stripe: whsec_…',
    required: false,
    verifies: true,
  },
};

export const STRIPE_CREDENTIAL_FIELDS = credentialFields(CREDENTIALS);

export const stripeCredentialErrors = (credentials: Record<string, unknown>): FieldError[] =>
  credentialErrors('Stripe', CREDENTIALS, credentials);

/** Reads credentials that `stripeCredentialErrors` accepted. */
export function readStripeCredentials(credentials: Record<string, unknown>): StripeCredentials {
  const { secret_key: secretKey, webhook_secret: webhookSecret } = credentials;
  if (typeof secretKey !== 'string') throw new Error('the shop has no secret_key for Stripe');
  return { secretKey, webhookSecret: typeof webhookSecret === 'string' ? webhookSecret : undefined };
}
