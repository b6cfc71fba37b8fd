import { Injectable } from '@nestjs/common';
import { type AuditContext, SYSTEM } from '../audit/audit-context.js';
import { AuditLogService } from '../audit/audit-log.service.js';
import { Database } from '../platform/database/database.js';
import { Problem } from '../shared/problem.js';
import { Random } from '../shared/random.js';
import { rotate, type RotatedTimes, type RotationTimes, type StoredSecrets } from './secret-rotation.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import type { ShopEntity } from './shop.entity.js';
import { LOCK_WEBHOOK_SECRETS, SET_WEBHOOK_SECRETS, SHOP_ROTATION } from './shops.queries.js';
import type { ShopWithSecret } from './shops.service.js';
import { newWebhookSecret } from './webhook-secrets.js';

export interface SecretRotation extends RotationTimes {
  /** Generated if absent. */
  webhookSecret?: string | undefined;
}

export type RotatedShop = ShopWithSecret & RotatedTimes;

/** Pending steps of the latest rotations; `null`: none. */
export interface ShopRotation {
  secretActiveFrom: Date | null;
  previousSecretExpiresAt: Date | null;
  previousKeyExpiresAt: Date | null;
}

/** Replaces the webhook secrets of shops, with a time in which the earlier secret is valid, too. */
@Injectable()
export class WebhookSecretRotations {
  constructor(
    private readonly database: Database,
    private readonly secrets: ShopSecretsService,
    private readonly random: Random,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Gives the shop a new webhook secret, which signs at once or later. A request with a `webhookSecret` can be
   * repeated. Throws `shop_not_found`.
   */
  async rotate(
    merchantId: number,
    shopId: number,
    { webhookSecret = newWebhookSecret(this.random), overlapSeconds, activateInSeconds = 0 }: SecretRotation,
    context: AuditContext = SYSTEM,
  ): Promise<RotatedShop> {
    const owner = { merchantId, shopId };
    const encrypted = this.secrets.encryptWebhookSecret(owner, webhookSecret);
    return this.database.transaction(async (transaction) => {
      const shopKey = [merchantId, shopId];
      const [stored] = await transaction.query<StoredSecrets & { now: Date }>(LOCK_WEBHOOK_SECRETS, shopKey);
      if (!stored) throw new Problem('shop_not_found');
      const isRepeated = this.secrets.holdsWebhookSecret(owner, stored.latest, webhookSecret);
      const { now } = stored;
      const after = rotate(stored, { encrypted, isRepeated, overlapSeconds, activateInSeconds }, now);
      const { latest, activeFrom, previous, previousExpiresAt } = after;
      const values = [...shopKey, latest, activeFrom, previous, previousExpiresAt];
      const [shop] = await transaction.query<ShopEntity>(SET_WEBHOOK_SECRETS, values);
      const action = 'shop.webhook_secret_rotated';
      const details = { overlap_seconds: overlapSeconds, activate_in_seconds: activateInSeconds };
      await this.audit.record(transaction, context, { merchantId, action, objectId: shopId, details });
      return { shop: shop!, webhookSecret, activeFrom: activeFrom ?? now, previousExpiresAt };
    });
  }

  /** The pending steps. Throws `shop_not_found`. */
  async pending(merchantId: number, shopId: number): Promise<ShopRotation> {
    const [rotation] = await this.database.query<ShopRotation>(SHOP_ROTATION, [merchantId, shopId]);
    if (!rotation) throw new Problem('shop_not_found');
    return rotation;
  }
}
