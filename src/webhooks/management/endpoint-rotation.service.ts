import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { Random } from '../../shared/random.js';
import { rotate, type RotatedTimes, type RotationTimes } from '../../shops/secret-rotation.js';
import { newWebhookSecret } from '../../shops/webhook-secrets.js';
import { EndpointsService } from '../endpoints/endpoints.service.js';
import { EndpointSecrets } from '../standing-endpoints/endpoint-secrets.service.js';
import { LOCK_SECRETS, type LockedSecrets, SET_STANDING_SECRETS } from './management.queries.js';

export interface EndpointRotation extends RotationTimes {
  /** Generated if absent. */
  secret?: string | undefined;
}

export interface RotatedSecret extends RotatedTimes {
  secret: string;
}

/** Gives standing endpoints new secrets. */
@Injectable()
export class EndpointRotations {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointsService,
    private readonly secrets: EndpointSecrets,
    private readonly random: Random,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * The new secret signs at once or later. A request with a `secret` can be repeated. Throws `endpoint_not_found` and
   * `endpoint_not_standing`.
   */
  async rotate(
    merchantId: number,
    id: number,
    { secret = newWebhookSecret(this.random), overlapSeconds, activateInSeconds = 0 }: EndpointRotation,
    context: AuditContext,
  ): Promise<RotatedSecret> {
    await this.endpoints.requireStanding(merchantId, id);
    const encrypted = this.secrets.encrypt('sealed_secret', merchantId, id, secret);
    return this.database.transaction(async (transaction) => {
      const [stored] = await transaction.query<LockedSecrets>(LOCK_SECRETS, [id, merchantId]);
      if (!stored) throw new Problem('endpoint_not_found');
      const isRepeated = this.secrets.readable('sealed_secret', merchantId, id, stored.latest) === secret;
      const rotation = { encrypted, isRepeated, overlapSeconds, activateInSeconds };
      const { latest, activeFrom, previous, previousExpiresAt } = rotate(stored, rotation, stored.now);
      await transaction.query(SET_STANDING_SECRETS, [id, latest, activeFrom, previous, previousExpiresAt]);
      const action = 'endpoint.secret_rotated';
      const details = { overlap_seconds: overlapSeconds, activate_in_seconds: activateInSeconds };
      await this.audit.record(transaction, context, { merchantId, action, objectId: id, details });
      return { secret, activeFrom: activeFrom ?? stored.now, previousExpiresAt };
    });
  }
}
