import { IsBoolean } from 'class-validator';
import { ApiEnum, IsOneOf } from '../../openapi/api-field.js';
import { IsId, IsTime, Optional, timeOf } from '../../platform/http/validation/field-rules.js';
import { invalidField } from '../../shared/problem.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { RedeliveryRow } from './redelivery-jobs.queries.js';
import type { DeliveryStatus } from './delivery-views.queries.js';
import type { FinishedStatus, RedeliveryFilter, ReplayFilter } from './redelivery-jobs.service.js';

const FINISHED_STATUSES = ['delivered', 'failed'] as const satisfies FinishedStatus[];
const REDELIVERABLE = ['failed', 'delivered', 'pending'] as const satisfies DeliveryStatus[];

/** Parses a time range; an absent end is open. Throws `validation_failed` if `from` is not before `to`. */
export function spanOf(dto: { from?: string; to?: string }): { from: Date | null; to: Date | null } {
  const [from, to] = [timeOf(dto.from) ?? null, timeOf(dto.to) ?? null];
  if (from && to && !(from < to)) throw invalidField('to', 'must be later than from');
  return { from, to };
}

export class RetryDeliveryDto {
  /** New address of this delivery. If absent, the address stays. Other webhooks of the payment keep their address. Refused for a delivery to a standing endpoint.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;
}

export class RedeliverDto {
  /** Only deliveries of this shop. If absent: of all shops of the merchant. @example 1 */
  @Optional()
  @IsId()
  shop_id?: number;

  /** Only deliveries of this endpoint, of either kind. Not together with `shop_id`. @example 5 */
  @Optional()
  @IsId()
  endpoint_id?: number;

  /** Status of the deliveries. `pending` needs `endpoint_id`: retries that wait are sent now.
   * @example 'failed' */
  @Optional()
  @IsOneOf('RedeliverableStatus', REDELIVERABLE)
  status?: DeliveryStatus = 'failed';

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

  /** Only counts the deliveries. @example true */
  @Optional()
  @IsBoolean()
  dry_run?: boolean = false;

  /** Throws `validation_failed` if `from` is not before `to`. */
  static toFilter(dto: RedeliverDto): RedeliveryFilter {
    const { from, to } = spanOf(dto);
    const { shop_id: shopId = null, endpoint_id: endpointId = null, status = 'failed' } = dto;
    const { webhook_endpoint: endpoint = null } = dto;
    if (endpointId !== null && shopId !== null) throw invalidField('shop_id', 'must be absent with endpoint_id');
    if (endpointId === null && status === 'pending') throw invalidField('endpoint_id', 'must be present for pending');
    if (endpoint !== null && status === 'pending') throw invalidField('webhook_endpoint', 'must be absent for pending');
    return { shopId, endpointId, statuses: [status], endpoint, from, to };
  }
}

export class ReplayDto {
  /** Only deliveries created at this time or later. @example '2026-11-21T00:00:00Z' */
  @IsTime()
  from: string;

  /** Only deliveries created before this time. @example '2026-11-21T06:00:00Z' */
  @IsTime()
  to: string;

  /** Final status of the deliveries. If absent: both. Pending ones are not included, because the service sends them anyway.
   * @example 'failed' */
  @Optional()
  @IsOneOf('FinishedDeliveryStatus', FINISHED_STATUSES)
  status?: FinishedStatus;

  /** Throws `validation_failed` if `from` is not before `to`. */
  static toFilter(shopId: number, dto: ReplayDto): ReplayFilter {
    const { from, to } = spanOf(dto) as { from: Date; to: Date };
    return {
      shopId,
      endpointId: null,
      statuses: dto.status === undefined ? FINISHED_STATUSES : [dto.status],
      endpoint: null,
      from,
      to,
    };
  }
}

export class RedeliveredDto {
  /** Number of deliveries that get a new run of the schedule. @example 17 */
  count: number;
}

/** A running request for redelivery. */
export class RedeliveryDto {
  /** `null`: several shops, or one endpoint. @example 1 */
  shop_id: number | null;
  /** `null`: endpoints of shops. @example 5 */
  endpoint_id: number | null;
  /** @example 'failed' */
  @ApiEnum('RedeliverableStatus', REDELIVERABLE)
  status: string;
  /** `null`: any address. @example 'https://merchant.example/webhooks' */
  webhook_endpoint: string | null;
  /** @example '2026-11-21T00:00:00Z' */
  from: string | null;
  /** @example '2026-11-21T06:00:00Z' */
  to: string | null;
  /** @example '2026-11-21T06:30:00.000Z' */
  requested_at: string;
  /** Deliveries that are back in the queue, of the shops that are not finished. @example 17 */
  redelivered: number;

  static from({ from, to, requested_at: requestedAt, ...row }: RedeliveryRow): RedeliveryDto {
    const iso = (time: Date | null): string | null => time && time.toISOString();
    return { ...row, from: iso(from), to: iso(to), requested_at: requestedAt.toISOString() };
  }
}
