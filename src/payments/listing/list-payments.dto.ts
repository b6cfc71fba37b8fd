import { IsIn, IsString, Length } from 'class-validator';
import { IsIdInQuery, IsMetadataValue, IsTime, Optional, timeOf } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../ledger/payment-state.js';
import type { PaymentFilter } from './payment-lists.service.js';

export class ListPaymentsQueryDto extends PageQueryDto {
  @Optional()
  @IsIn(PAYMENT_STATUSES)
  status?: PaymentStatus;

  @Optional()
  @IsIdInQuery()
  flow_id?: number;

  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** Finds a payment whose answer was lost. @example "ps_4711" */
  @Optional()
  @IsString()
  @Length(1, 255)
  payment_session_id?: string;

  /**
   * The provider's id of the payment, or of an earlier attempt at another shop. Unique within a shop, not among shops.
   * @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11"
   */
  @Optional()
  @IsString()
  @Length(1, 255)
  provider_transaction_id?: string;

  /** @example 7 */
  @Optional()
  @IsIdInQuery()
  customer_id?: number;

  /** Your own id of the customer. @example "user-4711" */
  @Optional()
  @IsString()
  @Length(1, 255)
  customer_reference?: string;

  /**
   * The customer's present address; upper and lower case count as the same. Finds payments of the five hundred newest customers
   * with it. @example "ada@example.com"
   */
  @Optional()
  @IsString()
  @Length(3, 254)
  customer_email?: string;

  /**
   * One top-level key of the metadata and its value, such as `metadata[order_id]=A-1001`. Finds texts, numbers and booleans of
   * at most 128 characters, the first ten of a payment.
   */
  @Optional()
  @IsMetadataValue()
  metadata?: Record<string, string>;

  /** Payments created at this time or later. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** Payments created before this time. @example "2026-11-21T06:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  static toFilter(query: ListPaymentsQueryDto): PaymentFilter {
    const [metadata] = Object.entries(query.metadata ?? {});
    return {
      status: query.status,
      flowId: query.flow_id,
      shopId: query.shop_id,
      sessionId: query.payment_session_id,
      transactionId: query.provider_transaction_id,
      customerId: query.customer_id,
      customerReference: query.customer_reference,
      customerEmail: query.customer_email,
      metadataKey: metadata?.[0],
      metadataValue: metadata?.[1],
      from: timeOf(query.from),
      to: timeOf(query.to),
    };
  }
}
