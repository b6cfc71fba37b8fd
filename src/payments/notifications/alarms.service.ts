import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { Problem } from '../../shared/problem.js';
import { ACKNOWLEDGE_ALARM, LOCK_NOTIFICATION, type NotificationRow } from './notification.queries.js';

/** Alarms are notifications that need a person. They stay open until a person acknowledges them. */
@Injectable()
export class AlarmsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
  ) {}

  /**
   * Acknowledges an alarm; an acknowledged alarm is returned unchanged. Throws `notification_not_found`, also for a
   * notification of another merchant, and `not_an_alarm`.
   */
  acknowledge(merchantId: number, id: number, context: AuditContext): Promise<NotificationRow> {
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<NotificationRow>(LOCK_NOTIFICATION, [merchantId, id]);
      if (!row) throw new Problem('notification_not_found');
      if (row.outcome !== 'alarm') throw new Problem('not_an_alarm', { detail: `its outcome is ${row.outcome}` });
      if (row.acknowledged_at) return row;
      const acknowledgedAt = this.clock.now();
      await transaction.query(ACKNOWLEDGE_ALARM, [id, acknowledgedAt]);
      const details = { payment_id: row.payment_id ?? 0, reason: row.reason ?? '' };
      await this.audit.record(transaction, context, {
        merchantId,
        action: 'alarm.acknowledged',
        objectId: id,
        details,
      });
      return { ...row, acknowledged_at: acknowledgedAt };
    });
  }
}
