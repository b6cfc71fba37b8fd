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
  /** Why there was no answer, such as `timeout` (all codes at the tag webhooks), or the status of the answer.
   * @example 'connect_failed' */
  code: string;
  /** How many attempts failed so.
   * @example 12 */
  attempts: number;
  /** When the latest of them began.
   * @example '2026-11-21T01:02:03.460Z' */
  last_at: string;
  /** The delivery that the latest of them was for.
   * @example 90210 */
  last_delivery_id: number;

  static from({ code, attempts, last_at, last_delivery_id }: EndpointErrorRow): EndpointErrorDto {
    return { code, attempts, last_at: new Date(last_at).toISOString(), last_delivery_id };
  }
}

/** Counts are kept beside the deliveries: of the last two seconds they may be missing, and of a worker that crashed. */
export class EndpointDto {
  /** @example 7 */
  id: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** Scheme, host and port; all addresses of a shop there are one endpoint.
   * @example 'https://merchant.example' */
  origin: string;
  /** `erring`: a delivery failed twice, or for good, and none has arrived since; `failing`: so for five minutes, of which `GET /events` tells.
   * @example 'healthy' */
  @ApiEnum('EndpointStatus', ENDPOINT_STATUSES)
  status: EndpointStatus;
  /** Since when nothing has arrived; `null` for a healthy one. */
  failing_since: string | null;
  /** From when on attempts are counted: the present hour and the 23 before.
   * @example '2026-11-21T02:00:00.000Z' */
  since: string;
  /** @example 1250 */
  attempts: number;
  /** Deliveries that arrived.
   * @example 1240 */
  delivered: number;
  /** Deliveries that failed for good.
   * @example 2 */
  failed: number;
  /** Of all attempts those answered with 2xx, in percent with two decimals; `null` without attempts.
   * @example 99.2 */
  @ApiDecimal()
  success_rate: number | null;
  /** Half of the answers came within so many ms, whatever their status; `null` without answers. Right within a tenth.
   * @example 42 */
  answer_ms_p50: number | null;
  /** @example 180 */
  answer_ms_p95: number | null;
  /** Deliveries that wait for an attempt; counted up to 1,000.
   * @example 3 */
  pending: number;
  /** Since when the one that should have been sent first has been due; `null` when none is due. */
  oldest_due_at: string | null;
  /** When the next attempt is due; `null` when none waits. */
  next_attempt_at: string | null;
  /** In what ways attempts failed since `since`, latest first, five at most. */
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
  /** Hours in which something was sent, oldest first. */
  hours: EndpointHourDto[];
}

export const toDetail = (endpoint: EndpointRow, hours: EndpointHourRow[]): EndpointDetailDto => ({
  ...EndpointDto.from(endpoint),
  hours: hours.map((hour) => EndpointHourDto.from(hour)),
});
