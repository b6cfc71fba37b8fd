import { IsString, Length } from 'class-validator';
import {
  choicesOf,
  IsChoices,
  IsIdInQuery,
  IsMetadataValues,
  IsText,
  IsTime,
  Optional,
  timeOf,
} from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { readSearch } from './search-text.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../money/state/payment-state.js';

/** Filters of a list; an absent one excludes nothing. */
export type PaymentFilter = Partial<ReturnType<typeof ListPaymentsQueryDto.toFilter>>;

/** When the authorisations of listed payments lapse. */
export interface Lapses {
  from: Date | undefined;
  before: Date | undefined;
}

export class ListPaymentsQueryDto extends PageQueryDto {
  /** One or more statuses, separated by commas. @example "completed,refunded" */
  @Optional()
  @IsChoices(PAYMENT_STATUSES)
  status?: string;

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
   * Top-level keys of the metadata with their values, as JSON such as `{"order_id":"A-1001"}`, or as `metadata[order_id]=A-1001`.
   * All of them must match. Finds texts, numbers and booleans of at most 128 characters, the first ten of a payment.
   */
  @Optional()
  @IsMetadataValues()
  metadata?: unknown;

  /**
   * A part that a person knows: the beginning of a value of the metadata, such as an order number; a part of the customer's
   * name, e-mail address or reference; an amount, as `49.90` or `49,90 EUR`; or the last four digits of the card.
   * @example "A-10"
   */
  @Optional()
  @IsText(2, 100)
  search?: string;

  /** Payments created at this time or later. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** Payments created before this time. @example "2026-11-21T06:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  /**
   * Payments changed at this time or later. With `from`, only payments created since then are looked at.
   * @example "2026-11-21T00:00:00Z"
   */
  @Optional()
  @IsTime()
  updated_from?: string;

  /**
   * Authorised payments that lapse at this time or later without a capture; those that lapse first come first.
   * @example "2026-11-21T00:00:00Z"
   */
  @Optional()
  @IsTime()
  lapses_from?: string;

  /** The same for payments that lapse before this time. @example "2026-11-22T00:00:00Z" */
  @Optional()
  @IsTime()
  lapses_before?: string;

  /** `null`: the list is not one of lapses. */
  static toLapses({ lapses_from: from, lapses_before: before }: ListPaymentsQueryDto): Lapses | null {
    return from === undefined && before === undefined ? null : { from: timeOf(from), before: timeOf(before) };
  }

  static toFilter(query: ListPaymentsQueryDto) {
    const [metadata, ...more] = Object.entries((query.metadata ?? {}) as Record<string, string>);
    return {
      status: choicesOf<PaymentStatus>(query.status),
      flowId: query.flow_id,
      shopId: query.shop_id,
      sessionId: query.payment_session_id,
      transactionId: query.provider_transaction_id,
      customerId: query.customer_id,
      customerReference: query.customer_reference,
      customerEmail: query.customer_email,
      metadataKey: metadata?.[0],
      metadataValue: metadata?.[1],
      moreMetadata: more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : undefined,
      from: timeOf(query.from),
      to: timeOf(query.to),
      updatedFrom: timeOf(query.updated_from),
      search: query.search === undefined ? undefined : JSON.stringify(readSearch(query.search)),
    };
  }
}
