import { IsIn } from 'class-validator';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsIdInQuery, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { answerTimePercentile } from './health/answer-times.js';
import { ENDPOINT_FORMATS, type EndpointFormat } from './secrets/receiver.js';
import {
  AUTH_TYPES,
  CLIENT_AUTHENTICATIONS,
  type ClientAuthentication,
  type EndpointAuth,
} from './auth/endpoint-auth.js';
import {
  ENDPOINT_KINDS,
  ENDPOINT_STATES,
  ENDPOINT_STATUSES,
  type EndpointErrorRow,
  type EndpointHourRow,
  type EndpointKind,
  type EndpointState,
  type EndpointStatus,
  STATE_REASONS,
  type StateReason,
} from './endpoints.queries.js';
import type { Endpoint, EndpointDetail } from './endpoints.service.js';

const iso = (time: Date | null): string | null => time && time.toISOString();

export class ListEndpointsQueryDto extends PageQueryDto {
  /** Only the payments' addresses of this shop, and standing endpoints that get its events. @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** @example 'failing' */
  @Optional()
  @IsIn(ENDPOINT_STATUSES)
  status?: EndpointStatus;

  /** @example 'standing' */
  @Optional()
  @IsIn(ENDPOINT_KINDS)
  kind?: EndpointKind;
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
  /** A sentence about the latest of these attempts, such as the token endpoint's status and error of `auth_failed`; `null`: nothing more is known. @example 'the connection was refused' */
  last_message: string | null;

  static from({ code, attempts, last_at, last_delivery_id, last_message }: EndpointErrorRow): EndpointErrorDto {
    return { code, attempts, last_at: new Date(last_at).toISOString(), last_delivery_id, last_message };
  }
}

/** How the service authenticates to an endpoint, without the secrets. Fields of other types are `null`. */
export class PublicEndpointAuthDto {
  /** @example 'basic' */
  @ApiEnum('EndpointAuthType', AUTH_TYPES)
  type: EndpointAuth['type'];
  /** @example 'orders' */
  username: string | null;
  /** @example 'https://login.merchant.example/token' */
  token_url: string | null;
  /** @example 'webhooks' */
  client_id: string | null;
  /** @example 'events.write' */
  scope: string | null;
  /** @example 'https://hooks.merchant.example' */
  audience: string | null;
  /** @example 'https://hooks.merchant.example' */
  resource: string | null;
  /** @example 'basic' */
  @ApiEnum('ClientAuthentication', CLIENT_AUTHENTICATIONS)
  client_authentication: ClientAuthentication | null;

  static from(auth: EndpointAuth): PublicEndpointAuthDto {
    const { type } = auth;
    const oauth = type === 'oauth2_client_credentials' ? auth : undefined;
    return {
      type,
      username: type === 'basic' ? auth.username : null,
      token_url: oauth?.token_url ?? null,
      client_id: oauth?.client_id ?? null,
      scope: oauth?.scope ?? null,
      audience: oauth?.audience ?? null,
      resource: oauth?.resource ?? null,
      client_authentication: oauth ? (oauth.client_authentication ?? 'basic') : null,
    };
  }
}

/** A webhook endpoint: a standing one of the merchant, or all addresses of a shop's payments with one origin. The fields from `url` to `updated_at` are `null` for the latter. Its counts are separate from the deliveries: the last two seconds may be missing, and counts of a worker that crashed. */
export class EndpointDto {
  /** @example 7 */
  id: number;
  /** `standing`: created with `POST /webhooks/endpoints`. `payment`: named by payments.
   * @example 'payment' */
  @ApiEnum('EndpointKind', ENDPOINT_KINDS)
  kind: EndpointKind;
  /** `null` for a standing endpoint. @example 3 */
  shop_id: number | null;
  /** `null` for a standing endpoint. @example 'Main shop' */
  shop_name: string | null;
  /** Scheme, host and port. All addresses of the shop with this origin are one endpoint. The counts of a standing endpoint are of its present origin.
   * @example 'https://merchant.example' */
  origin: string;
  /** The address of a standing endpoint. @example 'https://merchant.example/webhooks' */
  url: string | null;
  /** @example 'Order service' */
  description: string | null;
  /** The shops whose events a standing endpoint gets; `null`: of all shops, and events of no shop. @example [3, 5] */
  shop_ids: number[] | null;
  /** @example ['payment.status_changed'] */
  event_types: string[] | null;
  /** `json`: the body of the event. `slack`: a message for a chat.
   * @example 'json' */
  @ApiEnum('EndpointFormat', ENDPOINT_FORMATS)
  format: EndpointFormat | null;
  /** Names of the merchant's own headers; the values are never returned. @example ['X-Environment'] */
  header_names: string[] | null;
  /** `null`: none. */
  auth: PublicEndpointAuthDto | null;
  /** Requests per second that the endpoint gets at most; `null`: no limit of its own. @example 50 */
  max_per_second: number | null;
  /** Whether deliveries that failed for good are sent again when the endpoint recovers. @example true */
  redeliver_on_recovery: boolean | null;
  /** `paused` by `POST …/pause`, `disabled` by the service. What arises meanwhile is sent after `POST …/resume`.
   * @example 'active' */
  @ApiEnum('EndpointState', ENDPOINT_STATES)
  state: EndpointState | null;
  /** Why the service disabled it. `gone`: it answered 410. `failing`: it failed for days. Otherwise `null`.
   * @example 'gone' */
  @ApiEnum('EndpointStateReason', STATE_REASONS)
  state_reason: StateReason | null;
  /** @example '2026-11-21T01:02:03.456Z' */
  state_changed_at: string | null;
  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string | null;
  /** @example '2026-11-21T01:02:03.456Z' */
  updated_at: string | null;
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

  static from({ row, headers, auth }: Endpoint): EndpointDto {
    return {
      id: row.id,
      kind: row.kind,
      shop_id: row.shop_id,
      shop_name: row.shop_name,
      origin: row.origin,
      url: row.url,
      description: row.description,
      shop_ids: row.shop_ids,
      event_types: row.event_types,
      format: row.format,
      header_names: headers && Object.keys(headers),
      auth: auth && PublicEndpointAuthDto.from(auth),
      max_per_second: row.max_per_second,
      redeliver_on_recovery: row.redeliver_on_recovery,
      state: row.state,
      state_reason: row.state_reason,
      state_changed_at: iso(row.state_changed_at),
      created_at: iso(row.created_at),
      updated_at: iso(row.updated_at),
      status: row.status,
      failing_since: iso(row.failing_since),
      since: row.since.toISOString(),
      attempts: row.attempts,
      delivered: row.delivered,
      failed: row.failed,
      success_rate: row.attempts === 0 ? null : Math.round((row.delivered / row.attempts) * 10_000) / 100,
      answer_ms_p50: answerTimePercentile(row.answer_times, 0.5),
      answer_ms_p95: answerTimePercentile(row.answer_times, 0.95),
      pending: row.pending,
      oldest_due_at: iso(row.oldest_due_at),
      next_attempt_at: iso(row.next_due_at),
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
  /** The secret of a standing endpoint that signs now; otherwise `null`, and for a token without the scope `webhooks:secrets`.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' */
  secret: string | null;
  /** When the latest secret begins to sign; `null`: it signs already. @example '2026-11-21T02:02:03.456Z' */
  secret_active_from: string | null;
  /** Until when the previous secret signs, too; `null`: it does not sign. @example '2026-11-22T01:02:03.456Z' */
  previous_secret_expires_at: string | null;
  /** Payments of its shops that are `pending` or `processing` and have no `webhook_endpoint`: deleting a standing endpoint before it is 0 loses their changes. `null` for payments' addresses, and while the merchant has 10,000 open payments or more.
   * @example 12 */
  open_payments: number | null;
  /** Hours with at least one attempt, oldest first. */
  hours: EndpointHourDto[];

  static fromDetail({ endpoint, secret, hours, openPayments }: EndpointDetail, withSecret: boolean): EndpointDetailDto {
    return {
      ...EndpointDto.from(endpoint),
      secret: withSecret ? (secret?.secret ?? null) : null,
      secret_active_from: iso(secret?.activeFrom ?? null),
      previous_secret_expires_at: iso(secret?.previousExpiresAt ?? null),
      open_payments: openPayments,
      hours: hours.map((hour) => EndpointHourDto.from(hour)),
    };
  }
}
