import { Injectable } from '@nestjs/common';
import { type AuditContext, SYSTEM } from '../../../audit/audit-context.js';
import { AuditLogService } from '../../../audit/audit-log.service.js';
import { Database } from '../../../platform/database/database.js';
import { Problem } from '../../../shared/problem.js';
import { Random } from '../../../shared/random.js';
import { newWebhookSecret } from '../../../shops/webhook-secrets.js';
import { Receivers } from './receivers.service.js';
import { LOCK_SECRETS, type LockedSecrets, SET_SECRETS } from './encrypted-receiver.js';
import type { EndpointRef } from './receiver.js';
import { ReceiverSecrets, SECRET_COLUMN } from './receiver-secrets.service.js';
import { rotate, type RotatedTimes, type RotationTimes } from './secret-rotation.js';

export interface SecretRotation extends RotationTimes {
  /** Generated if absent. */
  secret?: string | undefined;
}

export interface RotatedSecret extends RotatedTimes {
  secret: string;
}

const ACTIONS = { default: 'shop.webhook_secret_rotated', standing: 'endpoint.secret_rotated' } as const;

/** Gives endpoints new secrets, with a time in which the earlier secret is valid, too. */
@Injectable()
export class EndpointRotations {
  constructor(
    private readonly database: Database,
    private readonly receivers: Receivers,
    private readonly secrets: ReceiverSecrets,
    private readonly random: Random,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * The new secret signs at once or later. A request with a `secret` can be repeated. Throws `shop_not_found`,
   * `endpoint_not_found` and `endpoint_not_standing`.
   */
  async rotate(
    endpoint: EndpointRef,
    { secret = newWebhookSecret(this.random), overlapSeconds, activateInSeconds = 0 }: SecretRotation,
    context: AuditContext = SYSTEM,
  ): Promise<RotatedSecret> {
    await this.receivers.require(endpoint);
    const { kind, merchantId, id } = endpoint;
    const column = SECRET_COLUMN[kind];
    const encrypted = this.secrets.encrypt(column, merchantId, id, secret);
    return this.database.transaction(async (transaction) => {
      const [stored] = await transaction.query<LockedSecrets>(LOCK_SECRETS[kind], [id, merchantId]);
      if (!stored) throw new Problem('endpoint_not_found');
      const isRepeated = this.secrets.readable(column, merchantId, id, stored.latest) === secret;
      const rotation = { encrypted, isRepeated, overlapSeconds, activateInSeconds };
      const { latest, activeFrom, previous, previousExpiresAt } = rotate(stored, rotation, stored.now);
      await transaction.query(SET_SECRETS[kind], [id, latest, activeFrom, previous, previousExpiresAt]);
      const details = { overlap_seconds: overlapSeconds, activate_in_seconds: activateInSeconds };
      await this.audit.record(transaction, context, { merchantId, action: ACTIONS[kind], objectId: id, details });
      return { secret, activeFrom: activeFrom ?? stored.now, previousExpiresAt };
    });
  }
}
