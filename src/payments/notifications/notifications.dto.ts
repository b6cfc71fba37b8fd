import { Type } from 'class-transformer';
import { IsIn, IsPositive, Max } from 'class-validator';
import { IsInteger, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import {
  type IgnoredReason,
  NOTIFICATION_OUTCOMES,
  type NotificationOutcome,
  type NotificationRow,
} from './notification.queries.js';
import type { ProviderEvent } from '../../providers/payment-provider.js';

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

  /** Only those that changed a payment's status, or only those that did not. @example "ignored" */
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
  /** @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string;
  /** `null` when the shop has no payment with that transaction. @example 4711 */
  payment_id: number | null;
  /** The status that the provider reported. @example "completed" */
  status: ProviderEvent['status'];
  /** @example "ignored" */
  outcome: NotificationOutcome;
  /**
   * Why it was ignored: `unknown_payment`; `status_unchanged`, the payment had that status already; `attempt_superseded`,
   * the payment has gone on to another shop; or `payment_is_…`, no way leads on from the status that the payment had.
   * `null` when it was applied. @example "payment_is_failed"
   */
  reason: IgnoredReason | null;
  /** @example "2026-11-21T01:02:03.789Z" */
  received_at: string;

  static from(row: NotificationRow): NotificationDto {
    return { ...row, received_at: row.received_at.toISOString() };
  }
}
