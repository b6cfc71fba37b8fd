import { Injectable } from '@nestjs/common';
import { type AuditAction, AuditLogService } from '../../../audit/audit-log.service.js';
import type { AuditContext } from '../../../audit/audit-context.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { Problem } from '../../../shared/problem.js';
import { DELETE_ENDPOINT, type FoundState, LOCK_STATE, SET_STATE } from './endpoint-states.queries.js';

/**
 * Changes the state of standing endpoints. A change and its audit entry commit together.
 * - Nothing is sent to an endpoint that is not active; an attempt in flight ends. Due and new deliveries are meanwhile
 *   parked by `ParkedDeliveries`, which also releases it after a resumption and ends it after a deletion.
 * - Only the service disables: the statement that records a 410, and the job for endpoints that fail for long.
 */
@Injectable()
export class EndpointStates {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLogService,
  ) {}

  /** Pauses an active endpoint; a disabled one stays disabled. Throws `endpoint_not_found`. */
  async pause(merchantId: number, id: number, context: AuditContext): Promise<void> {
    await this.change(merchantId, id, context, ({ status }) =>
      status === 'active' ? { statement: SET_STATE, values: [id, 'paused'], action: 'endpoint.paused' } : undefined,
    );
  }

  /** Makes a paused or disabled endpoint active. Throws `endpoint_not_found`. */
  async resume(merchantId: number, id: number, context: AuditContext): Promise<void> {
    await this.change(merchantId, id, context, ({ status }) =>
      status === 'active' ? undefined : { statement: SET_STATE, values: [id, 'active'], action: 'endpoint.resumed' },
    );
  }

  /** Deletes an endpoint for good; a worker ends its pending deliveries as failed. Throws `endpoint_not_found`. */
  async delete(merchantId: number, id: number, context: AuditContext): Promise<void> {
    await this.change(merchantId, id, context, () => ({
      statement: DELETE_ENDPOINT,
      values: [id],
      action: 'endpoint.deleted',
    }));
  }

  private async change(
    merchantId: number,
    id: number,
    context: AuditContext,
    changeOf: (found: FoundState) => { statement: Statement; values: unknown[]; action: AuditAction } | undefined,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const [found] = await transaction.query<FoundState>(LOCK_STATE, [id, merchantId]);
      if (!found) throw new Problem('endpoint_not_found');
      const change = changeOf(found);
      if (!change) return;
      await transaction.query(change.statement, change.values);
      await this.audit.record(transaction, context, { merchantId, action: change.action, objectId: id });
    });
  }
}
