import { MAX_OVERLAP_SECONDS } from '../../shared/clock.js';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { IsIntegerIn, IsMetadata, IsPlainName, Optional } from '../../platform/http/validation/field-rules.js';
import { AreFees, FeeDto } from './fee.dto.js';
import type { OutcomeCounts } from '../shop-health.js';
import type { ShopHealth } from '@payment-orchestrator/routing/facts/shop';
import { type DeclinesToCorrect, SHOP_WARNINGS, type ShopWarningCode } from '../shop-outcomes.queries.js';
import type { ShopHealthReport } from '../shop-stats.service.js';
import type { ShopWithSecret } from '../shops.service.js';
import type { ShopRotation } from '../shop-secrets.service.js';
import type { ShopEntity } from '../shop.entity.js';
import { IsWebhookSecret } from './is-webhook-secret.js';
import { WEBHOOK_SIGNINGS, type WebhookSigning } from '../webhook-secrets.js';

/** As long as the code of a merchant account at Adyen, which is such a label. */
const ACCOUNT_LABEL = /^[A-Za-z0-9_.-]{1,80}$/;
const ACCOUNT_LABEL_MESSAGE = '$property must be 1 to 80 letters, digits, dots, dashes or underscores';

export class CreateShopDto {
  /** Unique among the merchant's shops. @example 'Main shop' */
  @IsPlainName()
  name: string;

  /** The payment provider; it cannot be changed later. @example 'sandbox' */
  @Optional()
  @IsString()
  provider?: string = 'sandbox';

  /** The credentials for the provider; never returned. The sandbox accepts `notification_secret`, and `simulate`, which makes it answer every payment like a test token.
   * @example { "notification_secret": "a-secret-for-notifications" } */
  @Optional()
  @IsMetadata()
  provider_credentials?: Record<string, unknown> = {};

  /** The label of the shop's account at its provider. Shops of one account accept the same payment method tokens, and
   * `payment_method.options` of payments name it. Absent: the label of the account's other shops, or else the provider's
   * own id of the account, or `default` if the provider does not tell it.
   * @example 'eu' */
  @Optional()
  @Matches(ACCOUNT_LABEL, { message: ACCOUNT_LABEL_MESSAGE })
  provider_account?: string;

  /** The secret that signs webhooks: 24 to 200 printable ASCII characters, or `whsec_` and the base64 of 24 to 64 bytes. Generated if absent.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  @Optional()
  @IsWebhookSecret()
  webhook_secret?: string;

  /** The provider's fees, for routing by cost and for backtests: at most 50, each for other payments. If omitted: unknown. */
  @Optional()
  @AreFees()
  fees?: FeeDto[];
}

export class UpdateShopDto {
  /** Unique among the merchant's shops. @example 'Main shop' */
  @Optional()
  @IsPlainName()
  name?: string;

  /** A disabled shop takes no new payments. @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /** Merged by key into the shop's credentials; `null` removes a key.
   * @example { "notification_secret": "a-secret-for-notifications" } */
  @Optional()
  @IsMetadata()
  provider_credentials?: Record<string, unknown>;

  /** The label of the shop's account at its provider; it changes for all shops of the account. @example 'eu' */
  @Optional()
  @Matches(ACCOUNT_LABEL, { message: ACCOUNT_LABEL_MESSAGE })
  provider_account?: string;

  /** How webhooks are signed. `public_key`: `webhook-signature` also carries `v1a`, an ed25519 signature that receivers verify with the shop's public keys (`GET /shops/{id}/jwks.json`); `Signature` and `v1` stay. `shared_secret`: only `Signature` and `v1`.
   * @example 'public_key' */
  @Optional()
  @IsIn(WEBHOOK_SIGNINGS)
  webhook_signing?: WebhookSigning;

  /** The provider's fees; replaces the whole list, `[]` removes it. At most 50, each for other payments. */
  @Optional()
  @AreFees()
  fees?: FeeDto[];

  /** How long notifications are verified with the earlier secrets of `provider_credentials`, too; 0: not at all, and earlier overlaps end. The last five overlap, each for its own time.
   * @example 86400 */
  @Optional()
  @IsIntegerIn(0, MAX_OVERLAP_SECONDS)
  credentials_overlap_seconds?: number = 86_400;
}

export class ShopDto {
  /** @example 7 */
  id: number;

  /** @example 'Main shop' */
  name: string;

  /** @example 'sandbox' */
  provider: string;

  /** The label of its account at the provider: shops of one account accept the same payment method tokens. @example 'eu' */
  provider_account: string;

  /** A disabled shop takes no new payments. @example true */
  enabled: boolean;

  /** `false`: the module of its provider is not loaded, so it takes no payments and its provider is not asked. @example true */
  available: boolean;

  /** How webhooks are signed: only with the webhook secret, or also with the shop's own key.
   * @example 'shared_secret' */
  @ApiEnum('WebhookSigning', WEBHOOK_SIGNINGS)
  webhook_signing: WebhookSigning;

  /** The provider's fees, for routing by cost and for backtests; empty: unknown. */
  fees: FeeDto[];

  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string;

  /** @example '2026-11-21T01:02:03.456Z' */
  updated_at: string;

  static from(shop: ShopEntity, available: boolean): ShopDto {
    return {
      id: shop.id,
      name: shop.name,
      provider: shop.provider,
      provider_account: shop.providerAccount,
      enabled: shop.enabled,
      available,
      webhook_signing: shop.webhookSigning,
      fees: shop.fees ?? [],
      created_at: shop.createdAt.toISOString(),
      updated_at: shop.updatedAt.toISOString(),
    };
  }
}

export class ListedShopDto extends ShopDto {
  /** Since when too many of its payments have failed by its own fault; `null`: it is not down. @example null */
  down_since: string | null;

  static fromListed(shop: ShopEntity, available: boolean, downSince: Date | undefined): ListedShopDto {
    return { ...ShopDto.from(shop, available), down_since: downSince?.toISOString() ?? null };
  }
}

/** Payments of the last five minutes whose outcome the shop is responsible for; a wrong card, for example, is not counted. */
export class ShopOutcomesDto implements OutcomeCounts {
  /** @example 118 */
  approved: number;

  /** @example 9 */
  declined: number;

  /** Faults of the shop or its provider: unavailable, no answer in time, internal errors. @example 1 */
  failed: number;
}

export class ShopHealthDto {
  /** `unhealthy`: too many faults, flows exclude it for a minute; `probing`: it gets one in ten of its picks until a payment succeeds (half-open); `unavailable`: its provider is not loaded.
   * @example 'healthy' */
  @ApiEnum('ShopHealthStatus', ['healthy', 'unhealthy', 'probing', 'unavailable'])
  status: ShopHealth | 'unavailable';

  /** The time of the last change of the status; `null`: never changed. @example '2026-11-21T01:02:03.456Z' */
  since: string | null;

  window: ShopOutcomesDto;

  static from({ status, since, window }: ShopHealthReport, available: boolean): ShopHealthDto {
    return { status: available ? status : 'unavailable', since: since?.toISOString() ?? null, window };
  }
}

/** Pending steps of the latest rotations. */
export class WebhookRotationDto {
  /** When the latest webhook secret begins to sign; until then the previous one signs. `null`: it signs already.
   * @example '2026-11-21T02:02:03.456Z' */
  secret_active_from: string | null;

  /** Until when the previous secret signs, too; `null`: it does not sign. @example '2026-11-22T01:02:03.456Z' */
  previous_secret_expires_at: string | null;

  /** Until when the previous ed25519 key signs, too; `null`: it does not sign. @example '2026-11-22T01:02:03.456Z' */
  previous_key_expires_at: string | null;

  static from(rotation: ShopRotation): WebhookRotationDto {
    return {
      secret_active_from: rotation.secretActiveFrom?.toISOString() ?? null,
      previous_secret_expires_at: rotation.previousSecretExpiresAt?.toISOString() ?? null,
      previous_key_expires_at: rotation.previousKeyExpiresAt?.toISOString() ?? null,
    };
  }
}

/** Something that the merchant should correct. */
export class ShopWarningDto {
  /** `payment_method_unusable`: the account did not have the payment methods of these payments. Check its `provider_account` and the flows with this shop. `permission_missing`: its credentials lack a permission that these payments need. */
  @ApiEnum('ShopWarningCode', SHOP_WARNINGS)
  code: ShopWarningCode;

  /** The first of them within the last 24 hours, to the minute. @example '2026-11-21T01:00:00.000Z' */
  since: string;

  /** Their number within the last 24 hours. @example 12 */
  payments: number;
}

export class ShopWithHealthDto extends ShopDto {
  health: ShopHealthDto;

  /** Empty if there is nothing to correct. */
  warnings: ShopWarningDto[];

  webhook_rotation: WebhookRotationDto;

  static fromHealth(
    shop: ShopEntity,
    available: boolean,
    health: ShopHealthReport,
    warnings: DeclinesToCorrect[],
    rotation: ShopRotation,
  ): ShopWithHealthDto {
    return {
      ...ShopDto.from(shop, available),
      health: ShopHealthDto.from(health, available),
      warnings: warnings.map(({ code, since, payments }) => ({ code, since: since.toISOString(), payments })),
      webhook_rotation: WebhookRotationDto.from(rotation),
    };
  }
}

export class CreatedShopDto extends ShopDto {
  /** The secret that signs the shop's webhooks. @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  webhook_secret: string;

  static fromCreated({ shop, webhookSecret }: ShopWithSecret, available = true): CreatedShopDto {
    return { ...ShopDto.from(shop, available), webhook_secret: webhookSecret };
  }
}
