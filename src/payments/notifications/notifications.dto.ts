import { Type } from 'class-transformer';
import { IsIn, IsPositive, Max } from 'class-validator';
import { ApiEnum, valuesOf } from '../../openapi/api-field.js';
import { IsInteger, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import type { NotificationReason, ReportedStatus } from '../ledger/notification.js';
import { NOTIFICATION_OUTCOMES, type NotificationOutcome, type NotificationRow } from './notification.queries.js';

export class ListNotificationsQueryDto extends PageQueryDto {
  /** The shop that they were sent for. @example 3 */
  @Type(() => Number)
  @IsInteger()
  @IsPositive()
  @Max(Number.MAX_SAFE_INTEGER)
  shop_id: number;

  /** Only those about this payment. @example 4711 */
  @Optional()
  @Type(() => Number)
  @IsInteger()
  @IsPositive()
  @Max(Number.MAX_SAFE_INTEGER)
  payment_id?: number;

  /** Only those that came to this. @example "ignored" */
  @Optional()
  @IsIn(NOTIFICATION_OUTCOMES)
  outcome?: NotificationOutcome;
}

/** A provider's notification whose signature was right, and what became of it. */
export class NotificationDto {
  /** @example 815 */
  id: number;
  /** @example "sandbox" */
  provider: string;
  /** The provider's own id, which counts once. @example "evt_1" */
  notification_id: string;
  /** `null` when it names our reference alone. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string | null;
  /** Our own reference of the attempt, where the provider repeats it. @example "3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11" */
  reference: string | null;
  /** `null` while the shop has no payment that it is about. @example 4711 */
  payment_id: number | null;
  /** The status that the provider reported. @example "completed" */
  @ApiEnum(
    'NotifiedStatus',
    valuesOf<ReportedStatus>({
      failed: true,
      completed: true,
      processing: true,
      refunded: true,
      cancelled: true,
      void_failed: true,
      refund_failed: true,
      capture_failed: true,
    }),
  )
  status: ReportedStatus;
  /**
   * `applied`: it did what it says. `waiting`: it is applied as soon as that is legal, within three days. `ignored`: it
   * contradicts what is known, or is no news. `conflict`: the id came before with other content. `alarm`: look at the
   * payment at its provider. @example "ignored"
   */
  @ApiEnum('NotificationOutcome', NOTIFICATION_OUTCOMES)
  outcome: NotificationOutcome;
  /**
   * What it waits for, or why it was not applied: `unknown_payment`; `status_unchanged`, the payment had that status
   * already; `attempt_superseded`, the payment has gone on to another shop; `payment_is_…`, no way leads on from the status
   * that the payment had; `other_content`; `amount_differs`, another amount or currency than the payment's;
   * `other_refund`, made by somebody else while ours is under way; `void_failed`, `refund_failed` or `capture_failed`.
   * `null` when it was applied. @example "payment_is_failed"
   */
  @ApiEnum(
    'NotificationReason',
    valuesOf<NotificationReason>({
      void_failed: true,
      refund_failed: true,
      capture_failed: true,
      amount_differs: true,
      other_refund: true,
      payment_is_failed: true,
      payment_is_completed: true,
      payment_is_processing: true,
      payment_is_pending: true,
      payment_is_refunded: true,
      payment_is_cancelled: true,
      unknown_payment: true,
      status_unchanged: true,
      attempt_superseded: true,
      other_content: true,
    }),
  )
  reason: NotificationReason | null;
  /** @example "2026-11-21T01:02:03.789Z" */
  received_at: string;
  /** When somebody acknowledged the alarm; `null`: nobody has, or it is none. @example null */
  acknowledged_at: string | null;

  static from(row: NotificationRow): NotificationDto {
    const acknowledgedAt = row.acknowledged_at && row.acknowledged_at.toISOString();
    return { ...row, received_at: row.received_at.toISOString(), acknowledged_at: acknowledgedAt };
  }
}
