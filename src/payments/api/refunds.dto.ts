import { ApiHideProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { Names } from '../../audit/actor-names.service.js';
import { RequesterDto } from '../../audit/actor.dto.js';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import {
  choicesOf,
  IsAbsent,
  IsAmount,
  IsChoices,
  IsIdInQuery,
  IsMetadata,
  IsText,
  IsTime,
  Optional,
  timeOf,
} from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { toJsonAmount } from '../../shared/money.js';
import {
  REFUND_ORIGINS,
  REFUND_STATUSES,
  type RefundOrigin,
  type RefundRow,
  type RefundStatus,
} from '../money/state/refund.js';

class RefundReasonDto {
  /** Sent to the provider where it takes one. @example "Customer returned the goods" */
  @Optional()
  @IsText(1, 500)
  reason?: string;

  /** `true`: refund although disputes and refunds together exceed the captured amount. @example false */
  @Optional()
  @IsBoolean()
  confirm?: boolean;
}

export class RefundPaymentDto extends RefundReasonDto {
  @ApiHideProperty()
  @Optional()
  @IsAbsent('is not accepted: this refunds the remaining amount; POST /payments/{id}/refunds accepts an amount')
  amount?: never;
}

export class CreateRefundDto extends RefundReasonDto {
  /**
   * Greater than 0, with at most as many decimals as the currency has, and at most the remaining amount of the captured amount.
   * If omitted: the remaining amount. @example 10.00
   */
  @Optional()
  @IsAmount()
  amount?: number;

  /** Free-form, at most 16 KiB as JSON. @example { "return_id": "R-1001" } */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}

/** Filters of a list; an absent one excludes nothing. */
export type RefundFilter = Partial<ReturnType<typeof ListRefundsQueryDto.toFilter>>;

export class ListRefundsQueryDto extends PageQueryDto {
  /** One or more statuses, separated by commas. @example "pending,succeeded" */
  @Optional()
  @IsChoices(REFUND_STATUSES)
  status?: string;

  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** @example 17 */
  @Optional()
  @IsIdInQuery()
  payment_id?: number;

  /** Refunds created at this time or later. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** Refunds created before this time. @example "2026-11-22T00:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  static toFilter({ status, shop_id: shopId, payment_id: paymentId, from, to }: ListRefundsQueryDto) {
    return { status: choicesOf<RefundStatus>(status), shopId, paymentId, from: timeOf(from), to: timeOf(to) };
  }
}

/** A refund of a payment, or of a part of it. */
export class RefundDto {
  /** @example 815 */
  id: number;
  /** @example 4711 */
  payment_id: number;
  /** @example 10.00 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /**
   * `pending`: its outcome is not known yet. `succeeded`: the provider gave the amount back. `failed`: it did not, perhaps
   * after it had reported a success; the amount can be refunded again. @example "succeeded"
   */
  @ApiEnum('RefundStatus', REFUND_STATUSES)
  status: RefundStatus;
  /** @example "Customer returned the goods" */
  reason: string | null;
  /** @example { "return_id": "R-1001" } */
  metadata: Record<string, unknown>;
  /** The provider's id of the refund, as soon as it is known. @example "re_3MtwBw" */
  provider_refund_id: string | null;
  /** `api`: requested through this API. `provider`: made at the provider, such as in its dashboard. @example "api" */
  @ApiEnum('RefundOrigin', REFUND_ORIGINS)
  origin: RefundOrigin;
  /** The provider's reason for the failure. @example null */
  failure_code: string | null;
  /** The client or person that asked for it; `null`: it was made at the provider, or is older than this field. */
  requested_by: RequesterDto | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;

  static from(row: RefundRow, names: Names): RefundDto {
    return {
      id: row.id,
      payment_id: row.payment_id,
      amount: toJsonAmount(row.amount),
      currency: row.currency,
      status: row.status,
      reason: row.reason,
      metadata: row.metadata ?? {},
      provider_refund_id: row.provider_refund_id,
      origin: row.origin,
      failure_code: row.failure_code,
      requested_by: RequesterDto.from(row.client_id, names),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}
