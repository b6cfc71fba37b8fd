import { IsIntegerIn, Optional } from '../../../platform/http/validation/field-rules.js';
import { MAX_OVERLAP_SECONDS } from '../../../shared/clock.js';
import { IsWebhookSecret } from '../../../shops/api/is-webhook-secret.js';
import { CreatedShopDto } from '../../../shops/api/shops.dto.js';
import type { ShopWithSecret } from '../../../shops/shops.service.js';
import type { RotationTimes } from './secret-rotation.js';
import type { RotatedSecret, SecretRotation } from './endpoint-rotation.service.js';

class RotationTimesDto {
  /** The delay until the new secret signs. Until then `Signature` is made with the old one, and `webhook-signature` with both.
   * @example 3600 */
  @Optional()
  @IsIntegerIn(0, MAX_OVERLAP_SECONDS)
  activate_in_seconds?: number = 0;

  /** How long webhooks have a signature of the old secret, too, after the new one has begun to sign; 0: not at all.
   * @example 86400 */
  @Optional()
  @IsIntegerIn(0, MAX_OVERLAP_SECONDS)
  overlap_seconds?: number = 86_400;

  static toTimes({ activate_in_seconds: wait, overlap_seconds: overlap }: RotationTimesDto): RotationTimes {
    return { activateInSeconds: wait ?? 0, overlapSeconds: overlap ?? 86_400 };
  }
}

export class RotateWebhookSecretDto extends RotationTimesDto {
  /** The new secret, if the merchant generated it: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with a secret can be repeated.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @IsWebhookSecret()
  webhook_secret?: string;

  static toRotation(dto: RotateWebhookSecretDto): SecretRotation {
    return { secret: dto.webhook_secret, ...RotationTimesDto.toTimes(dto) };
  }
}

export class RotatedShopDto extends CreatedShopDto {
  /** When the new secret begins to sign. @example '2026-11-21T02:02:03.456Z' */
  webhook_secret_active_from: string;

  /** Until when webhooks are signed with the old secret, too; `null`: no longer signed with it.
   * @example '2026-11-22T01:02:03.456Z' */
  previous_webhook_secret_expires_at: string | null;

  static fromRotated(shop: ShopWithSecret['shop'], rotated: RotatedSecret, available: boolean): RotatedShopDto {
    return {
      ...CreatedShopDto.fromCreated({ shop, webhookSecret: rotated.secret }, available),
      webhook_secret_active_from: rotated.activeFrom.toISOString(),
      previous_webhook_secret_expires_at: rotated.previousExpiresAt?.toISOString() ?? null,
    };
  }
}

export class RotateEndpointSecretDto extends RotationTimesDto {
  /** The new secret, if the merchant generated it: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with a secret can be repeated.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @IsWebhookSecret()
  secret?: string;

  static toRotation(dto: RotateEndpointSecretDto): SecretRotation {
    return { secret: dto.secret, ...RotationTimesDto.toTimes(dto) };
  }
}

export class RotatedEndpointSecretDto {
  /** The new secret. @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  secret: string;
  /** When it begins to sign. @example '2026-11-21T02:02:03.456Z' */
  secret_active_from: string;
  /** Until when webhooks are signed with the old secret, too; `null`: no longer signed with it.
   * @example '2026-11-22T01:02:03.456Z' */
  previous_secret_expires_at: string | null;

  static from({ secret, activeFrom, previousExpiresAt }: RotatedSecret): RotatedEndpointSecretDto {
    return {
      secret,
      secret_active_from: activeFrom.toISOString(),
      previous_secret_expires_at: previousExpiresAt?.toISOString() ?? null,
    };
  }
}
