import type { Credential } from '@payment-orchestrator/provider-kit';

export const MOLLIE_CREDENTIALS = {
  api_key: {
    pattern: /^(live|test)_\w{30,64}$/,
    takes: 'an API key of Mollie: live_ or test_ and at least 30 letters and digits',
    required: true,
  },
} satisfies Record<string, Credential>;
