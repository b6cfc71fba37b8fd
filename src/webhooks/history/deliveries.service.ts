import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database } from '../../platform/database/database.js';
import { invalidField, Problem } from '../../shared/problem.js';
import {
  type DeliveryAttemptRow,
  ERASED_BODY,
  type DeliveryDetailRow,
  type DeliveryRow,
  FIND_DELIVERY,
  LIST_ATTEMPTS,
} from './delivery-views.queries.js';
import { FIND_SHOP_OF, RETRY_ENDED, RETRY_PENDING, type RetriedRow } from './redelivery.queries.js';
import { EndpointPolicy } from '../outbox/endpoint-policy.service.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';
import { LanesService } from '../outbox/lanes.service.js';

/** Maximum duration of an attempt by default. */
const ATTEMPT_SECONDS = '3';

/** Reads and retries deliveries of a merchant. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly notifier: LaneNotifier,
    private readonly audit: AuditLogService,
    private readonly endpoints: EndpointPolicy,
    private readonly lanes: LanesService,
  ) {}

  /** Throws `delivery_not_found`. */
  async find(merchantId: number, id: number): Promise<{ delivery: DeliveryDetailRow; attempts: DeliveryAttemptRow[] }> {
    const [delivery] = await this.database.query<DeliveryDetailRow>(FIND_DELIVERY, [id, merchantId]);
    if (!delivery) throw new Problem('delivery_not_found');
    return { delivery, attempts: await this.database.query<DeliveryAttemptRow>(LIST_ATTEMPTS, [id]) };
  }

  /**
   * Starts a new run of the schedule now, even for a pending delivery, to `endpoint` if given. Throws
   * `delivery_not_found`, `validation_failed` (also for an `endpoint` of a standing endpoint's delivery), `delivery_in_progress` during an attempt, or `delivery_erased` if its
   * customer was erased.
   */
  async retry(merchantId: number, id: number, endpoint: string | null, context: AuditContext): Promise<DeliveryRow> {
    const values = [id, merchantId, endpoint && (await this.laneFor(merchantId, id, endpoint)), endpoint];
    const entry = { merchantId, action: 'delivery.retried', objectId: id } as const;
    const row = await this.database.transaction(async (transaction) => {
      const [ended] = await transaction.query<RetriedRow>(RETRY_ENDED, values);
      const [pending] = ended ? [] : await transaction.query<RetriedRow>(RETRY_PENDING, values);
      const retried = ended ?? pending;
      const fields = endpoint === null ? [] : ['webhook_endpoint'];
      if (retried?.is_changed) await this.audit.record(transaction, context, { ...entry, fields });
      return retried;
    });
    if (!row) throw await this.reasonNotToRetry(merchantId, id);
    this.notifier.notify([row.lane_id]);
    return row;
  }

  private async laneFor(merchantId: number, id: number, endpoint: string): Promise<number> {
    this.endpoints.require(endpoint);
    const [found] = await this.database.query<{ shop_id: number; is_standing: boolean }>(FIND_SHOP_OF, [
      id,
      merchantId,
    ]);
    if (!found) throw new Problem('delivery_not_found');
    // a worker sends to the present address of a standing endpoint, with its secret
    if (found.is_standing)
      throw invalidField('webhook_endpoint', 'must be absent for a delivery to a standing endpoint');
    return this.lanes.laneFor(found.shop_id, endpoint);
  }

  private async reasonNotToRetry(merchantId: number, id: number): Promise<Problem> {
    const { delivery } = await this.find(merchantId, id);
    const isErased = delivery.status !== 'pending' && delivery.request_body === ERASED_BODY;
    if (isErased) return new Problem('delivery_erased');
    return new Problem('delivery_in_progress', {
      detail: 'an attempt is in progress; retry when it has ended',
      headers: { 'retry-after': ATTEMPT_SECONDS },
    });
  }
}
