import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../audit/audit-log.service.js';
import type { AuditContext } from '../audit/audit-context.js';
import { Database } from '../platform/database/database.js';
import { tooManyRequests } from '../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../platform/rate-limit/shared-limit.js';
import { Problem } from '../shared/problem.js';
import { Random } from '../shared/random.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ROTATE_SIGNING_KEY } from './shops.queries.js';
import { ShopsService } from './shops.service.js';
import { newSigningKey, publicJwk, type WebhookJwk } from './signing-key.js';

/** Receivers keep what they got for minutes: who asks more often than this does not. */
const READS_OF_ADDRESS = { name: 'webhook-keys-address', perSecond: 20, burst: 100 };

/** The keys that receivers verify webhooks with who hold no secret. */
@Injectable()
export class WebhookKeysService {
  private readonly reads: SharedLimit | undefined;

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly secrets: ShopSecretsService,
    private readonly random: Random,
    private readonly audit: AuditLogService,
    limits: RateLimits,
  ) {
    this.reads = limits.define(READS_OF_ADDRESS);
  }

  /**
   * The public keys of any merchant's shop, the current one first. Of a shop that has none, or is unknown, nothing: nobody
   * learns which it is. `network` asks: see `clientNetwork`. Throws `too_many_requests`.
   */
  async published(shopId: number, network: string): Promise<WebhookJwk[]> {
    const verdict = await this.reads?.take(network);
    if (verdict?.allowed === false) throw tooManyRequests('readings of keys from this address', verdict);
    const secrets = await this.secrets.webhookSecrets([shopId]);
    return (secrets.get(shopId)?.signingKeys ?? []).map(publicJwk);
  }

  /**
   * Gives the shop a new key, with which webhooks are signed at once; for `overlapSeconds` they are signed with the old one,
   * too, so that receivers that know only that go on. Throws `shop_not_found` and `no_webhook_key`.
   */
  async rotate(
    merchantId: number,
    shopId: number,
    overlapSeconds: number,
    context: AuditContext,
  ): Promise<WebhookJwk[]> {
    await this.shops.find(merchantId, shopId);
    const owner = { merchantId, shopId };
    const sealed = this.secrets.sealSigningKey(owner, newSigningKey(this.random));
    const values = [merchantId, shopId, sealed, overlapSeconds];
    const keys = await this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ signingKeys: Buffer[] }>(ROTATE_SIGNING_KEY, values);
      if (!row) throw new Problem('no_webhook_key', { detail: 'set webhook_signing to public_key first' });
      const action = 'shop.webhook_key_rotated';
      const details = { overlap_seconds: overlapSeconds };
      await this.audit.record(transaction, context, { merchantId, action, objectId: shopId, details });
      return row.signingKeys;
    });
    return this.secrets.openSigningKeys(owner, keys).map(publicJwk);
  }
}
