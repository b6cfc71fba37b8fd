import { IsIn } from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { IsIdInQuery, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import {
  NOTIFICATION_REASONS,
  type NotificationReason,
  REPORTED_STATUSES,
  type ReportedStatus,
} from '../money/state/notification.js';
import {
  NOTIFICATION_OUTCOMES,
  type NotificationOutcome,
  type NotificationRow,
} from '../store/notification.queries.js';

export class ListNotificationsQueryDto extends PageQueryDto {
  /** The shop that received them. @example 3 */
  @IsIdInQuery()
  shop_id: number;

  /** Only notifications about this payment. @example 4711 */
  @Optional()
  @IsIdInQuery()
  payment_id?: number;

  /** Only notifications with this outcome. @example "ignored" */
  @Optional()
  @IsIn(NOTIFICATION_OUTCOMES)
  outcome?: NotificationOutcome;
}

/** A provider's notification with a valid signature, and its outcome. */
export class NotificationDto {
  /** @example 815 */
  id: number;
  /** @example "sandbox" */
  provider: string;
  /** The provider's own id, which counts once. @example "evt_1" */
  notification_id: string;
  /** `null` if it has only our reference. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string | null;
  /** Our reference of the attempt, if the provider repeats it. @example "3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11" */
  reference: string | null;
  /** `null` until a payment of the shop is found for it. @example 4711 */
  payment_id: number | null;
  /** The status that the provider reported. @example "completed" */
  @ApiEnum('NotifiedStatus', REPORTED_STATUSES)
  status: ReportedStatus;
  /**
   * `applied`: applied to the payment. `waiting`: applied as soon as it is a legal change, within three days.
   * `ignored`: it contradicts the payment, or has nothing new. `conflict`: the id came before with other content.
   * `alarm`: check the payment at its provider. @example "ignored"
   */
  @ApiEnum('NotificationOutcome', NOTIFICATION_OUTCOMES)
  outcome: NotificationOutcome;
  /**
   * The reason for waiting or for not being applied: `unknown_payment`; `status_unchanged`, the payment already had that
   * status; `attempt_superseded`, the payment has moved to another shop; `payment_is_…`, the payment's status allowed
   * no such change; `other_content`; `dispute_unchanged`, `dispute_is_newer` (a newer report was applied before) or,
   * from earlier versions, `dispute_is_closed`; `amount_differs`, the amount or currency is not the payment's; `other_refund`, a refund that is
   * not ours and exceeds the remaining amount; `payment_archived`; `void_failed`, `refund_failed` or `capture_failed`. `null` if it
   * was applied.
   * @example "payment_is_failed"
   */
  @ApiEnum('NotificationReason', NOTIFICATION_REASONS)
  reason: NotificationReason | null;
  /** @example "2026-11-21T01:02:03.789Z" */
  received_at: string;
  /** When a person acknowledged the alarm; `null`: not acknowledged, or no alarm. @example null */
  acknowledged_at: string | null;

  static from(row: NotificationRow): NotificationDto {
    const acknowledgedAt = row.acknowledged_at && row.acknowledged_at.toISOString();
    return { ...row, received_at: row.received_at.toISOString(), acknowledged_at: acknowledgedAt };
  }
}
