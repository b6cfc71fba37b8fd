import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { schemaRef } from '../../openapi/schemas.js';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsIdInQuery, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import {
  type DeliveryAttemptRow,
  DELIVERY_STATUSES,
  type DeliveryDetailRow,
  type DeliveryRow,
  type DeliveryStatus,
} from './delivery-views.queries.js';
import { DELIVERY_ERRORS } from '../endpoint/parked-deliveries.queries.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { DeliveryFilter } from './delivery-list.service.js';
import { spanOf } from './redelivery.dto.js';
import type { WebhookStats } from './stats.service.js';
import { originOf } from '../../platform/addresses/endpoint.js';

const BODY_EXAMPLE = '{"event":"payment.status_changed"}';
const iso = (time: Date | null): string | null => time && time.toISOString();

/** A delivery of one webhook: attempts until one is answered with 2xx or the schedule ends. */
export class DeliveryDto {
  /** @example 90210 */
  id: number;
  /** The header `webhook-id` of every attempt, the same after a retry, so that a receiver can drop duplicates. `whd_` and a UUIDv7, which is globally unique. Deliveries from before this format have a number.
   * @example 'whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57' */
  webhook_id: string;
  /** The shop of the payment; `null` for an event of no shop. @example 1 */
  shop_id: number | null;
  /** `null` for an event of no payment. @example 4711 */
  payment_id: number | null;
  /** The type of the event. @example 'payment.status_changed' */
  event: string;
  /** The status of the payment that the webhook reports; `null` for other events. @example 'completed' */
  @ApiProperty({ allOf: [schemaRef('PaymentStatus')], nullable: true })
  payment_status: string | null;
  /** The standing endpoint of the receiver; `null`: the payment's own address. @example 7 */
  endpoint_id: number | null;
  /** The address of the receiver, as it was when the event happened. Without path and query for a token without the scope `webhooks:read`.
   * @example 'https://merchant.example/webhooks' */
  webhook_endpoint: string;
  /** @example 'delivered' */
  @ApiEnum('DeliveryStatus', DELIVERY_STATUSES)
  status: DeliveryStatus;
  /** Number of attempts so far. @example 1 */
  attempt_count: number;
  /** The former name of `attempt_count`. In a single delivery, `attempts` is the list of its attempts.
   * @example 1
   * @deprecated */
  attempts: number;
  /** Status code of the latest attempt; `null` if it had no answer. @example 200 */
  last_status_code: number | null;
  /** Why the latest attempt had no answer, such as `timeout` (the tag webhooks lists all codes); `null` if it had one.
   */
  @ApiEnum('DeliveryError', DELIVERY_ERRORS)
  last_error: string | null;
  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string;
  /** @example '2026-11-21T01:02:03.460Z' */
  last_attempt_at: string | null;
  /** When the next attempt is due; `null` if there will be none. */
  next_attempt_at: string | null;
  /** @example '2026-11-21T01:02:03.502Z' */
  delivered_at: string | null;

  static from(row: DeliveryRow): DeliveryDto {
    return {
      id: row.id,
      webhook_id: row.webhook_id,
      shop_id: row.shop_id,
      payment_id: row.payment_id,
      event: row.event,
      payment_status: row.payment_status,
      endpoint_id: row.endpoint_id,
      webhook_endpoint: row.webhook_endpoint,
      status: row.status,
      attempt_count: row.attempts,
      attempts: row.attempts,
      last_status_code: row.last_status_code,
      last_error: row.last_error,
      created_at: row.created_at.toISOString(),
      last_attempt_at: iso(row.last_attempt_at),
      next_attempt_at: iso(row.next_attempt_at),
      delivered_at: iso(row.delivered_at),
    };
  }

  /** Returns the DTO for a token that may not read deliveries. The path of an address may contain a secret or personal data. */
  static withoutPath(row: DeliveryRow): DeliveryDto {
    return { ...DeliveryDto.from(row), webhook_endpoint: originOf(row.webhook_endpoint) ?? '' };
  }
}

export class DeliveryAttemptDto {
  /** Number of the attempt, from 1. Manual retries continue the count. @example 1 */
  number: number;
  /** @example '2026-11-21T01:02:03.460Z' */
  started_at: string;
  /** @example 42 */
  duration_ms: number;
  /** @example 200 */
  status_code: number | null;
  /** Why there was no answer, such as `timeout` (the tag webhooks lists all codes); `null` if there was one. */
  @ApiEnum('DeliveryError', DELIVERY_ERRORS)
  error: string | null;
  /** A sentence about `error`; `null`: nothing more is known. @example 'the token endpoint answered 401 (invalid_client)' */
  error_message: string | null;
  /** The first 4 KiB of the answer; `null` if there was none. @example 'ok' */
  response_body: string | null;

  static from(row: DeliveryAttemptRow): DeliveryAttemptDto {
    return { ...row, started_at: row.started_at.toISOString() };
  }
}

/** A delivery with its body and every attempt. */
export class DeliveryDetailDto extends OmitType(DeliveryDto, ['attempts']) {
  /** Oldest first. */
  attempts: DeliveryAttemptDto[];
  /** The exact body of every attempt; empty after the customer was erased. */
  @ApiProperty({ example: BODY_EXAMPLE })
  request_body: string;

  static from({
    delivery,
    attempts,
  }: {
    delivery: DeliveryDetailRow;
    attempts: DeliveryAttemptRow[];
  }): DeliveryDetailDto {
    return {
      ...DeliveryDto.from(delivery),
      attempts: attempts.map((attempt) => DeliveryAttemptDto.from(attempt)),
      request_body: delivery.request_body,
    };
  }
}

export class ListDeliveriesQueryDto extends PageQueryDto {
  /** @example 'failed' */
  @Optional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** @example 4711 */
  @Optional()
  @IsIdInQuery()
  payment_id?: number;
}

/** The filters of `POST /webhooks/redeliver` and of a shop's list. */
export class ListAllDeliveriesQueryDto extends ListDeliveriesQueryDto {
  /** Only deliveries of this shop. If absent: of all shops of the merchant. @example 1 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** Only deliveries to this endpoint, of either kind (`GET /webhooks/endpoints`). @example 7 */
  @Optional()
  @IsIdInQuery()
  endpoint_id?: number;

  /** Only deliveries to exactly this address. If absent: to any address.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;

  /** Only deliveries created at this time or later. @example '2026-11-21T00:00:00Z' */
  @Optional()
  @IsTime()
  from?: string;

  /** Only deliveries created before this time. @example '2026-11-21T06:00:00Z' */
  @Optional()
  @IsTime()
  to?: string;

  /** Throws `validation_failed` when `from` is not before `to`. */
  static toFilter(query: ListAllDeliveriesQueryDto): DeliveryFilter {
    const {
      shop_id: shopId,
      status,
      payment_id: paymentId,
      endpoint_id: endpointId,
      webhook_endpoint: endpoint,
    } = query;
    return { shopId, status, paymentId, endpointId, endpoint, ...spanOf(query) };
  }
}

/** The webhook statistics of the specification. */
export class WebhookStatsDto {
  /** @example 5 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** @example 1250 */
  total_payments: number;
  /** @example 1187 */
  payments_with_webhooks: number;
  /** Percentage with two decimals; 0 without payments. @example 94.96 */
  @ApiDecimal()
  webhook_coverage_percentage: number;
  /** The latest 20 deliveries, newest first. */
  recent_webhooks: DeliveryDto[];
  /** The key of the header `Signature`; `null` for a token without the scope `webhooks:secrets`.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  webhook_secret: string | null;

  static from(stats: WebhookStats): WebhookStatsDto {
    const { payments, paymentsWithWebhooks } = stats;
    return {
      shop_id: stats.shop.id,
      shop_name: stats.shop.name,
      total_payments: payments,
      payments_with_webhooks: paymentsWithWebhooks,
      webhook_coverage_percentage: payments === 0 ? 0 : Math.round((paymentsWithWebhooks / payments) * 10_000) / 100,
      recent_webhooks: stats.recent.map((row) => DeliveryDto.from(row)),
      webhook_secret: stats.secret,
    };
  }
}
