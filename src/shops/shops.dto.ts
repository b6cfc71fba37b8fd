import {
  IsBoolean,
  IsIn,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { ApiEnum } from '../openapi/api-field.js';
import { IsInteger, IsMetadata, Optional } from '../platform/http/validation/field-rules.js';
import type { OutcomeCounts, ShopHealth } from './shop-health.js';
import type { ShopHealthReport } from './shop-stats.service.js';
import type { RotatedShop, SecretRotation, ShopRotation, ShopWithSecret } from './shops.service.js';
import type { ShopEntity } from './shop.entity.js';
import { WEBHOOK_SIGNINGS, webhookSecretError, type WebhookSigning } from './webhook-secrets.js';

const MAX_NAME_LENGTH = 200;
const MAX_OVERLAP_SECONDS = 604_800;

/** Text that reads the same in a log line as in a form: no control characters, no spaces around it. */
const PLAIN_NAME = /^(?!\s)[^\p{Cc}]*(?<!\s)$/u;
const PLAIN_NAME_MESSAGE = '$property must not have control characters, nor spaces around it';

@ValidatorConstraint({ name: 'isWebhookSecret' })
class IsWebhookSecret implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && webhookSecretError(value) === undefined;
  }

  defaultMessage({ value }: { value?: unknown } = {}): string {
    return `$property ${typeof value === 'string' ? webhookSecretError(value) : 'must be a string'}`;
  }
}

export class CreateShopDto {
  /** Unique among the merchant's shops.
   * @example 'Main shop' */
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  @Matches(PLAIN_NAME, { message: PLAIN_NAME_MESSAGE })
  name: string;

  /** The payment provider; it cannot be changed later.
   * @example 'sandbox' */
  @Optional()
  @IsString()
  provider?: string = 'sandbox';

  /** What the provider needs to know; never given back. The sandbox takes `notification_secret` and, to make it answer every payment like a token, `simulate`.
   * @example { "notification_secret": "a-secret-for-notifications" } */
  @Optional()
  @IsMetadata()
  provider_credentials?: Record<string, unknown> = {};

  /** What webhooks are signed with: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Made when absent.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @Validate(IsWebhookSecret)
  webhook_secret?: string;
}

export class UpdateShopDto {
  /** Unique among the merchant's shops.
   * @example 'Main shop' */
  @Optional()
  @IsString()
  @Length(1, MAX_NAME_LENGTH)
  @Matches(PLAIN_NAME, { message: PLAIN_NAME_MESSAGE })
  name?: string;

  /** A disabled shop takes no new payments.
   * @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /** Merged into the shop's by key; `null` removes one.
   * @example { "notification_secret": "a-secret-for-notifications" } */
  @Optional()
  @IsMetadata()
  provider_credentials?: Record<string, unknown>;

  /** What webhooks are signed with. `public_key`: `webhook-signature` also carries `v1a`, an ed25519 signature that receivers verify with the shop's public keys (`GET /shops/{id}/jwks.json`); `Signature` and `v1` stay. `shared_secret`: those alone.
   * @example 'public_key' */
  @Optional()
  @IsIn(WEBHOOK_SIGNINGS)
  webhook_signing?: WebhookSigning;

  /** For how long notifications are verified with the secrets in `provider_credentials` as they were before, too; 0: not at all, nor with earlier ones. The last five overlap, each for its own time.
   * @example 86400 */
  @Optional()
  @IsInteger()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  credentials_overlap_seconds?: number = 86_400;
}

export class RotateWebhookSecretDto {
  /** The new secret, if the merchant has made one: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. A request with it may be repeated.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @Validate(IsWebhookSecret)
  webhook_secret?: string;

  /** When the new secret begins to sign. Until then `Signature` is made with the old one, and `webhook-signature` with both.
   * @example 3600 */
  @Optional()
  @IsInteger()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  activate_in_seconds?: number = 0;

  /** For how long webhooks carry a signature with the old secret, too, once the new one signs; 0: not at all.
   * @example 86400 */
  @Optional()
  @IsInteger()
  @Min(0)
  @Max(MAX_OVERLAP_SECONDS)
  overlap_seconds?: number = 86_400;

  static toRotation(dto: RotateWebhookSecretDto): SecretRotation {
    const { webhook_secret: webhookSecret, overlap_seconds: overlap, activate_in_seconds: activateIn } = dto;
    return { webhookSecret, overlapSeconds: overlap ?? 86_400, activateInSeconds: activateIn ?? 0 };
  }
}

export class ShopDto {
  /** @example 7 */
  id: number;

  /** @example 'Main shop' */
  name: string;

  /** @example 'sandbox' */
  provider: string;

  /** A disabled shop takes no new payments.
   * @example true */
  enabled: boolean;

  /** What webhooks are signed with: the webhook secret, or a key of the shop's own, too.
   * @example 'shared_secret' */
  @ApiEnum('WebhookSigning', WEBHOOK_SIGNINGS)
  webhook_signing: WebhookSigning;

  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string;

  /** @example '2026-11-21T01:02:03.456Z' */
  updated_at: string;

  static from(shop: ShopEntity): ShopDto {
    return {
      id: shop.id,
      name: shop.name,
      provider: shop.provider,
      enabled: shop.enabled,
      webhook_signing: shop.webhookSigning,
      created_at: shop.createdAt.toISOString(),
      updated_at: shop.updatedAt.toISOString(),
    };
  }
}

/** Payments of the last five minutes whose outcome the shop is answerable for: not those with a wrong card. */
export class ShopOutcomesDto implements OutcomeCounts {
  /** @example 118 */
  approved: number;

  /** @example 9 */
  declined: number;

  /** By the fault of the shop or its provider: unavailable, no answer in time, errors of its own.
   * @example 1 */
  failed: number;
}

export class ShopHealthDto {
  /** `unhealthy`: too many faults, flows leave it out for a minute; `probing`: it gets a trickle until a payment succeeds.
   * @example 'healthy' */
  @ApiEnum('ShopHealthStatus', ['healthy', 'unhealthy', 'probing'])
  status: ShopHealth;

  /** Since when; `null`: it was never otherwise.
   * @example '2026-11-21T01:02:03.456Z' */
  since: string | null;

  window: ShopOutcomesDto;

  static from({ status, since, window }: ShopHealthReport): ShopHealthDto {
    return { status, since: since?.toISOString() ?? null, window };
  }
}

/** What of the latest rotations is still to come. */
export class WebhookRotationDto {
  /** When the latest webhook secret begins to sign; until then the one before does. `null`: it signs.
   * @example '2026-11-21T02:02:03.456Z' */
  secret_active_from: string | null;

  /** Until when the secret before signs, too; `null`: it does not.
   * @example '2026-11-22T01:02:03.456Z' */
  previous_secret_expires_at: string | null;

  /** Until when the key of ed25519 before signs, too; `null`: it does not.
   * @example '2026-11-22T01:02:03.456Z' */
  previous_key_expires_at: string | null;

  static from(rotation: ShopRotation): WebhookRotationDto {
    return {
      secret_active_from: rotation.secretActiveFrom?.toISOString() ?? null,
      previous_secret_expires_at: rotation.previousSecretExpiresAt?.toISOString() ?? null,
      previous_key_expires_at: rotation.previousKeyExpiresAt?.toISOString() ?? null,
    };
  }
}

export class ShopWithHealthDto extends ShopDto {
  health: ShopHealthDto;

  webhook_rotation: WebhookRotationDto;

  static fromHealth(shop: ShopEntity, health: ShopHealthReport, rotation: ShopRotation): ShopWithHealthDto {
    return {
      ...ShopDto.from(shop),
      health: ShopHealthDto.from(health),
      webhook_rotation: WebhookRotationDto.from(rotation),
    };
  }
}

export class CreatedShopDto extends ShopDto {
  /** What the shop's webhooks are signed with.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  webhook_secret: string;

  static fromCreated({ shop, webhookSecret }: ShopWithSecret): CreatedShopDto {
    return { ...ShopDto.from(shop), webhook_secret: webhookSecret };
  }
}

export class RotatedShopDto extends CreatedShopDto {
  /** From when on the new secret signs.
   * @example '2026-11-21T02:02:03.456Z' */
  webhook_secret_active_from: string;

  /** Until when webhooks are signed with the old secret, too; `null`: they no longer are.
   * @example '2026-11-22T01:02:03.456Z' */
  previous_webhook_secret_expires_at: string | null;

  static fromRotated(rotated: RotatedShop): RotatedShopDto {
    return {
      ...CreatedShopDto.fromCreated(rotated),
      webhook_secret_active_from: rotated.activeFrom.toISOString(),
      previous_webhook_secret_expires_at: rotated.previousExpiresAt?.toISOString() ?? null,
    };
  }
}
