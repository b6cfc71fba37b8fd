import { ApiEnum } from '../../openapi/api-field.js';
import { ProviderCredentialDto } from '../../providers/providers.dto.js';
import type { CheckedCredentials, ShownCredential } from './credentials.service.js';

export class ShopCredentialDto extends ProviderCredentialDto {
  /** The shop's value: of a secret the last four characters, or `…` for a short secret; `null`: none.
   * @example '…mnop' */
  value: string | null;

  static fromShown(shown: ShownCredential): ShopCredentialDto {
    return { ...ProviderCredentialDto.from(shown), value: shown.shown };
  }
}

export class CredentialErrorDto {
  /** The name of the credential. @example 'secret_key' */
  field: string;
  /** @example 'is not a key that Stripe knows, or it was revoked' */
  message: string;
}

export class CredentialsCheckDto {
  /** `accepted`: the provider accepts them; `refused`: `errors` lists the refused ones; `unknown`: the provider did not check them, see `reason`.
   * @example 'accepted' */
  @ApiEnum('CredentialsCheckOutcome', ['accepted', 'refused', 'unknown'])
  outcome: CheckedCredentials['outcome'];
  errors: CredentialErrorDto[];
  /** The reason why the outcome is unknown; otherwise `null`. */
  reason: string | null;
  /** Credentials of the shop that only a notification can verify. @example ['webhook_secret'] */
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
