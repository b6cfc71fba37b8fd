import { IsBoolean, IsIn } from 'class-validator';
import { ApiEnum } from '../../platform/http/openapi/api-field.js';
import { IsId, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { invalidField } from '../../shared/problem.js';
import { IsWebhookEndpoint } from '../outbox/is-webhook-endpoint.js';
import type { FinishedStatus, RedeliveryRequest } from './redelivery.service.js';
import type { RedeliveryFilter } from './redelivery-jobs.service.js';

const FINISHED_STATUSES = ['delivered', 'failed'] as const satisfies FinishedStatus[];

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

/** Throws `validation_failed` when `from` is not before `to`. */
function requireSpan(from: Date | null, to: Date | null): void {
  if (from && to && !(from < to)) throw invalidField('to', 'must be later than from');
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
    const [from, to] = [timeOf(dto.from), timeOf(dto.to)];
    requireSpan(from, to);
    const { shop_id: shopId = null, status = 'failed', webhook_endpoint: endpoint = null } = dto;
    return { shopId, status, endpoint, from, to };
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
  static toRequest(dto: ReplayDto): RedeliveryRequest {
    const [from, to] = [new Date(dto.from), new Date(dto.to)];
    requireSpan(from, to);
    return { from, to, statuses: dto.status === undefined ? FINISHED_STATUSES : [dto.status] };
  }
}

export class RedeliveredDto {
  /** How many deliveries start a fresh run.
   * @example 17 */
  count: number;
}
