import { ApiEnum } from '../openapi/api-field.js';
import type { CredentialField } from '@payment-orchestrator/provider-kit';

export class ProviderCredentialDto {
  /** Its key in `provider_credentials`. @example 'secret_key' */
  name: string;
  /** Description. @example 'a secret or restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…' */
  takes: string;
  /** @example true */
  required: boolean;
  /** Whether it is never shown in full. @example true */
  secret: boolean;
  /**
   * `calls`: sent with our calls, so a check shows whether it works; `notifications`: verifies the provider's
   * notifications.
   * @example 'calls'
   */
  @ApiEnum('CredentialUse', ['calls', 'notifications'])
  used_for: CredentialField['usedFor'];

  static from({ name, takes, required, isSecret, usedFor }: CredentialField): ProviderCredentialDto {
    return { name, takes, required, secret: isSecret, used_for: usedFor };
  }
}

export class ProviderDto {
  /** The value of a shop's `provider`. @example 'stripe' */
  name: string;
  /** The fields of `provider_credentials` of its shops. */
  credentials: ProviderCredentialDto[];
}
