import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../../audit/audit-log.service.js';
import type { AuditContext } from '../../../audit/audit-context.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { tooManyRequests } from '../../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../../platform/rate-limit/shared-limit.js';
import { REPLACE_SHOP_SECRETS } from '../../../shared/relations.js';
import { Problem } from '../../../shared/problem.js';
import { Random } from '../../../shared/random.js';
import { newSigningKey, parseSigningKey, publicJwk, type WebhookJwk } from '../../../shops/signing-key.js';
import { Receivers } from './receivers.service.js';
import { ReceiverSecrets } from './receiver-secrets.service.js';

const COLUMN = 'webhook_signing_key';

/**
 * Gives a shop another signing key: $1 merchant, $2 shop, $3 the key, encrypted, $4 overlap in seconds. Returns the current
 * and the previous key, encrypted; no row if the shop signs without a key. Of two concurrent rotations, the second replaces
 * what the first one set: the keys of both answers are valid.
 */
const ROTATE_SIGNING_KEY: Statement = {
  name: 'webhooks.rotate_signing_key',
  text: `${REPLACE_SHOP_SECRETS}, webhook_signing_key = $3,
      previous_webhook_signing_key = CASE WHEN $4::integer > 0 THEN webhook_signing_key END,
      previous_webhook_signing_key_expires_at = clock_timestamp() + make_interval(secs => $4::integer)
    WHERE merchant_id = $1 AND id = $2 AND webhook_signing_key IS NOT NULL
    RETURNING array_remove(ARRAY[webhook_signing_key, previous_webhook_signing_key], NULL) AS "signingKeys"`,
};

/** The limit per network. Receivers cache the keys for minutes, so they do not need more reads. */
const READS_OF_ADDRESS = { name: 'webhook-keys-address', perSecond: 20, burst: 100 };

/** The public keys for receivers that verify webhooks without a secret. */
@Injectable()
export class WebhookKeysService {
  private readonly reads: SharedLimit | undefined;

  constructor(
    private readonly database: Database,
    private readonly receivers: Receivers,
    private readonly secrets: ReceiverSecrets,
    private readonly random: Random,
    private readonly audit: AuditLogService,
    limits: RateLimits,
  ) {
    this.reads = limits.define(READS_OF_ADDRESS);
  }

  /**
   * Returns the public keys of any merchant's shop, the current one first. The result is empty both for a shop without
   * a key and for an unknown shop, so that callers cannot distinguish them. `network`: the network of the caller, see
   * `clientNetwork`. Throws `too_many_requests`.
   */
  async published(shopId: number, network: string): Promise<WebhookJwk[]> {
    const verdict = await this.reads?.take(network);
    if (verdict?.allowed === false) throw tooManyRequests('reads of keys from this address', verdict);
    const secrets = await this.receivers.secretsOfShops([shopId]);
    return (secrets.get(shopId)?.signingKeys ?? []).map(publicJwk);
  }

  /**
   * Gives the shop a new key, which signs at once. For `overlapSeconds` webhooks are also signed with the old one, for
   * receivers that know only the old key. Throws `shop_not_found` and `no_webhook_key`.
   */
  async rotate(
    merchantId: number,
    shopId: number,
    overlapSeconds: number,
    context: AuditContext,
  ): Promise<WebhookJwk[]> {
    await this.receivers.require({ kind: 'default', merchantId, id: shopId });
    const encrypted = this.secrets.encrypt(COLUMN, merchantId, shopId, newSigningKey(this.random));
    const values = [merchantId, shopId, encrypted, overlapSeconds];
    const keys = await this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ signingKeys: Buffer[] }>(ROTATE_SIGNING_KEY, values);
      if (!row) throw new Problem('no_webhook_key', { detail: 'set webhook_signing to public_key first' });
      const action = 'shop.webhook_key_rotated';
      const details = { overlap_seconds: overlapSeconds };
      await this.audit.record(transaction, context, { merchantId, action, objectId: shopId, details });
      return row.signingKeys;
    });
    return keys.map((key) => publicJwk(parseSigningKey(this.secrets.decrypt(COLUMN, merchantId, shopId, key))));
  }
}
