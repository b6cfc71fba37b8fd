import { IsIn } from 'class-validator';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import {
  choicesOf,
  IsChoices,
  IsIdInQuery,
  IsTime,
  Optional,
  timeOf,
} from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
} from '@payment-orchestrator/provider-kit';
import { type DisputeRow, toDisputeFields } from '../store/dispute.js';

const DISPUTE_ORDERS = ['newest', 'due'] as const;
type DisputeOrder = (typeof DISPUTE_ORDERS)[number];

/** Filters of a list; an absent one excludes nothing. */
export type DisputeFilter = ReturnType<typeof ListDisputesQueryDto.toFilter>;

export class ListDisputesQueryDto extends PageQueryDto {
  /** One or more statuses, separated by commas. @example "open,under_review" */
  @Optional()
  @IsChoices(DISPUTE_STATUSES)
  status?: string;

  /** The shop that was charged. @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;

  /** Only open disputes whose evidence is due before this time. @example "2026-11-23T00:00:00Z" */
  @Optional()
  @IsTime()
  due_before?: string;

  /** Only open disputes whose evidence is due at this time or later. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  due_from?: string;

  /**
   * `newest`: the newest first. `due`: open disputes whose evidence is due come first, overdue ones before all, then the
   * others, the newest first. @example "due"
   */
  @Optional()
  @IsIn(DISPUTE_ORDERS)
  sort?: DisputeOrder = 'newest';

  /** Disputes opened at this time or later. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** Disputes opened before this time. @example "2026-11-22T00:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  static toFilter(query: ListDisputesQueryDto) {
    const { status, shop_id: shopId, due_from: dueFrom, due_before: dueBefore, from, to } = query;
    const due = { dueFrom: timeOf(dueFrom), dueBefore: timeOf(dueBefore) };
    const times = { ...due, from: timeOf(from), to: timeOf(to) };
    return { status: choicesOf<DisputeStatus>(status), shopId, ...times };
  }
}

/** A payer's dispute of a payment, as its provider reports it. */
export class DisputeDto {
  /** @example 42 */
  id: number;
  /** @example 4711 */
  payment_id: number;
  /** The shop that was charged. @example 3 */
  shop_id: number;
  /** The number of the disputed attempt, from 1; the payment may have moved to another shop. @example 1 */
  attempt: number;
  /** @example "sandbox" */
  provider: string;
  /** The provider's id, to find the dispute there. @example "dp_1" */
  provider_dispute_id: string;
  /**
   * `inquiry`: the issuer asks for information, and no money has moved. `chargeback`: the amount was taken back.
   * `pre_arbitration`: the issuer contests the evidence against a chargeback. It only moves in this order.
   * @example "chargeback"
   */
  @ApiEnum('DisputeKind', DISPUTE_KINDS)
  kind: DisputeKind;
  /**
   * `open`: submit evidence at the provider before `evidence_due_by`. `under_review`: it was submitted. `won`: the
   * amount stays with you. `lost` or `accepted`: the amount went back to the payer. @example "open"
   */
  @ApiEnum('DisputeStatus', DISPUTE_STATUSES)
  status: DisputeStatus;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /** The provider's code for the reason. @example "fraudulent" */
  reason_code: string | null;
  /** The card network's code for the reason. @example "10.4" */
  network_reason_code: string | null;
  /** `null`: the provider has reported none. @example "2026-12-01T23:59:59.000Z" */
  evidence_due_by: string | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  opened_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;

  static from(row: DisputeRow): DisputeDto {
    return toDisputeFields(row);
  }
}
