import { ApiEnum } from '../../openapi/api-field.js';
import { ProviderCredentialDto } from '../../providers/providers.dto.js';
import type { CheckedCredentials, ShownCredential } from './credentials.service.js';

export class ShopCredentialDto extends ProviderCredentialDto {
  /** What the shop has: a secret by its last four characters, or as `…` when it is short; `null`: nothing.
   * @example '…mnop' */
  value: string | null;

  static fromShown(shown: ShownCredential): ShopCredentialDto {
    return { ...ProviderCredentialDto.from(shown), value: shown.shown };
  }
}

export class CredentialErrorDto {
  /** Which of the credentials.
   * @example 'secret_key' */
  field: string;
  /** @example 'is not a key that Stripe knows, or it was revoked' */
  message: string;
}

export class CredentialsCheckDto {
  /** `accepted`: the provider takes them; `refused`: `errors` says which it does not; `unknown`: it did not look at them, `reason` says why.
   * @example 'accepted' */
  @ApiEnum('CredentialsCheckOutcome', ['accepted', 'refused', 'unknown'])
  outcome: CheckedCredentials['outcome'];
  errors: CredentialErrorDto[];
  /** Why it is not known; `null` when it is. */
  reason: string | null;
  /** Credentials of the shop that only a notification proves right.
   * @example ['webhook_secret'] */
  unchecked: string[];

  static from(checked: CheckedCredentials): CredentialsCheckDto {
    return {
      outcome: checked.outcome,
      errors: checked.outcome === 'refused' ? checked.errors : [],
      reason: checked.outcome === 'unknown' ? checked.reason : null,
      unchecked: checked.unchecked,
    };
  }
}
