import { IsBoolean, IsIn } from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { IsId, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { invalidField } from '../../shared/problem.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { RedeliveryRow } from './redelivery-jobs.queries.js';
import type { FinishedStatus, RedeliveryFilter, ReplayFilter } from './redelivery-jobs.service.js';

const FINISHED_STATUSES = ['delivered', 'failed'] as const satisfies FinishedStatus[];

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

/** What is absent bounds nothing. Throws `validation_failed` when `from` is not before `to`. */
export function spanOf(dto: { from?: string; to?: string }): { from: Date | null; to: Date | null } {
  const [from, to] = [timeOf(dto.from), timeOf(dto.to)];
  if (from && to && !(from < to)) throw invalidField('to', 'must be later than from');
  return { from, to };
}

export class RetryDeliveryDto {
  /** Where this delivery goes from now on; absent: where it went. Its payment's later webhooks go where they went.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;
}

export class RedeliverDto {
  /** Of this shop; absent: of all the merchant's shops.
   * @example 1 */
  @Optional()
  @IsId()
  shop_id?: number;

  /** Those that ended like this. What is pending is under way already.
   * @example 'failed' */
  @Optional()
  @IsIn(FINISHED_STATUSES)
  @ApiEnum('FinishedDeliveryStatus', FINISHED_STATUSES)
  status?: FinishedStatus = 'failed';

  /** Those to exactly this address; absent: to any.
   * @example 'https://merchant.example/webhooks' */
  @Optional()
  @IsWebhookEndpoint()
  webhook_endpoint?: string;

  /** Deliveries created from this moment on.
   * @example '2026-11-21T00:00:00Z' */
  @Optional()
  @IsTime()
  from?: string;

  /** And before this moment.
   * @example '2026-11-21T06:00:00Z' */
  @Optional()
  @IsTime()
  to?: string;

  /** Counts them, and does nothing.
   * @example true */
  @Optional()
  @IsBoolean()
  dry_run?: boolean = false;

  /** Throws `validation_failed` when `from` is not before `to`. */
  static toFilter(dto: RedeliverDto): RedeliveryFilter {
    const { from, to } = spanOf(dto);
    const { shop_id: shopId = null, status = 'failed', webhook_endpoint: endpoint = null } = dto;
    return { shopId, statuses: [status], endpoint, from, to };
  }
}

export class ReplayDto {
  /** Deliveries created from this moment on.
   * @example '2026-11-21T00:00:00Z' */
  @IsTime()
  from: string;

  /** And before this moment.
   * @example '2026-11-21T06:00:00Z' */
  @IsTime()
  to: string;

  /** Only those that ended like this; both when absent. What is pending is under way already.
   * @example 'failed' */
  @Optional()
  @IsIn(FINISHED_STATUSES)
  @ApiEnum('FinishedDeliveryStatus', FINISHED_STATUSES)
  status?: FinishedStatus;

  /** Throws `validation_failed` when `from` is not before `to`. */
  static toFilter(shopId: number, dto: ReplayDto): ReplayFilter {
    const { from, to } = spanOf(dto) as { from: Date; to: Date };
    return { shopId, statuses: dto.status === undefined ? FINISHED_STATUSES : [dto.status], endpoint: null, from, to };
  }
}

export class RedeliveredDto {
  /** How many deliveries get a fresh run.
   * @example 17 */
  count: number;
}

/** A request for redelivery that is being carried out. */
export class RedeliveryDto {
  /** `null`: of several shops.
   * @example 1 */
  shop_id: number | null;
  /** @example 'failed' */
  @ApiEnum('FinishedDeliveryStatus', FINISHED_STATUSES)
  status: string;
  /** `null`: to any address.
   * @example 'https://merchant.example/webhooks' */
  webhook_endpoint: string | null;
  /** @example '2026-11-21T00:00:00Z' */
  from: string | null;
  /** @example '2026-11-21T06:00:00Z' */
  to: string | null;
  /** @example '2026-11-21T06:30:00.000Z' */
  requested_at: string;
  /** How many are back in the queue so far, of the shops that have not been gone through.
   * @example 17 */
  redelivered: number;

  static from({ from, to, requested_at: requestedAt, ...row }: RedeliveryRow): RedeliveryDto {
    const iso = (time: Date | null): string | null => time && time.toISOString();
    return { ...row, from: iso(from), to: iso(to), requested_at: requestedAt.toISOString() };
  }
}
