import { IsIn } from 'class-validator';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsIdInQuery, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { answerTimePercentile } from './answer-times.js';
import {
  ENDPOINT_STATUSES,
  type EndpointErrorRow,
  type EndpointHourRow,
  type EndpointRow,
  type EndpointStatus,
} from './endpoints.queries.js';

export class ListEndpointsQueryDto extends PageQueryDto {
  /** @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** @example 'failing' */
  @Optional()
  @IsIn(ENDPOINT_STATUSES)
  status?: EndpointStatus;
}

export class EndpointErrorDto {
  /** Why there was no answer, such as `timeout` (the tag webhooks lists all codes), or the status code of the answer.
   * @example 'connect_failed' */
  code: string;
  /** Number of attempts that failed with this code. @example 12 */
  attempts: number;
  /** When the latest of these attempts began. @example '2026-11-21T01:02:03.460Z' */
  last_at: string;
  /** The delivery of the latest of these attempts. @example 90210 */
  last_delivery_id: number;

  static from({ code, attempts, last_at, last_delivery_id }: EndpointErrorRow): EndpointErrorDto {
    return { code, attempts, last_at: new Date(last_at).toISOString(), last_delivery_id };
  }
}

/** A webhook endpoint of a shop. Its counts are separate from the deliveries: the last two seconds may be missing, and counts of a worker that crashed. */
export class EndpointDto {
  /** @example 7 */
  id: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** Scheme, host and port. All addresses of the shop with this origin are one endpoint.
   * @example 'https://merchant.example' */
  origin: string;
  /** `erring`: a delivery failed twice or for good, and no delivery has succeeded since then. `failing`: the same for five minutes; `GET /events` announces it.
   * @example 'healthy' */
  @ApiEnum('EndpointStatus', ENDPOINT_STATUSES)
  status: EndpointStatus;
  /** Start of the failure; `null` for a healthy endpoint. */
  failing_since: string | null;
  /** Start of the counts: the current hour and the 23 hours before it. @example '2026-11-21T02:00:00.000Z' */
  since: string;
  /** @example 1250 */
  attempts: number;
  /** Successful deliveries. @example 1240 */
  delivered: number;
  /** Deliveries that failed for good. @example 2 */
  failed: number;
  /** Percentage of attempts that were answered with 2xx, with two decimals; `null` without attempts. @example 99.2 */
  @ApiDecimal()
  success_rate: number | null;
  /** Median answer time in ms, for answers with any status; `null` without answers. Accurate to 10 %. @example 42 */
  answer_ms_p50: number | null;
  /** @example 180 */
  answer_ms_p95: number | null;
  /** Pending deliveries, counted up to 1,000. @example 3 */
  pending: number;
  /** Due time of the oldest due delivery; `null` if none is due. */
  oldest_due_at: string | null;
  /** When the next attempt is due; `null` if no delivery is pending. */
  next_attempt_at: string | null;
  /** Failures since `since` by code, latest first, at most five. */
  errors: EndpointErrorDto[];

  static from(row: EndpointRow): EndpointDto {
    return {
      id: row.id,
      shop_id: row.shop_id,
      shop_name: row.shop_name,
      origin: row.origin,
      status: row.status,
      failing_since: row.failing_since?.toISOString() ?? null,
      since: row.since.toISOString(),
      attempts: row.attempts,
      delivered: row.delivered,
      failed: row.failed,
      success_rate: row.attempts === 0 ? null : Math.round((row.delivered / row.attempts) * 10_000) / 100,
      answer_ms_p50: answerTimePercentile(row.answer_times, 0.5),
      answer_ms_p95: answerTimePercentile(row.answer_times, 0.95),
      pending: row.pending,
      oldest_due_at: row.oldest_due_at?.toISOString() ?? null,
      next_attempt_at: row.next_due_at?.toISOString() ?? null,
      errors: row.errors.map((error) => EndpointErrorDto.from(error)),
    };
  }
}

export class EndpointHourDto {
  /** @example '2026-11-21T01:00:00.000Z' */
  hour: string;
  /** @example 52 */
  attempts: number;
  /** @example 50 */
  delivered: number;
  /** @example 0 */
  failed: number;
  /** @example 42 */
  answer_ms_p50: number | null;
  /** @example 180 */
  answer_ms_p95: number | null;

  static from({ hour, attempts, delivered, failed, answer_times: times }: EndpointHourRow): EndpointHourDto {
    return {
      hour: hour.toISOString(),
      attempts,
      delivered,
      failed,
      answer_ms_p50: answerTimePercentile(times, 0.5),
      answer_ms_p95: answerTimePercentile(times, 0.95),
    };
  }
}

export class EndpointDetailDto extends EndpointDto {
  /** Hours with at least one attempt, oldest first. */
  hours: EndpointHourDto[];
}

export const toDetail = (endpoint: EndpointRow, hours: EndpointHourRow[]): EndpointDetailDto => ({
  ...EndpointDto.from(endpoint),
  hours: hours.map((hour) => EndpointHourDto.from(hour)),
});
