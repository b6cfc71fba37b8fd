import { IsIn, Matches } from 'class-validator';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsPositiveAmount, IsTime, Optional, timeOf } from '../../platform/http/validation/field-rules.js';
import { toJsonAmount } from '../../shared/money.js';
import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
} from '@payment-orchestrator/provider-kit';
import type { DisputeChange, NewDispute, SandboxDisputeRow } from '@payment-orchestrator/provider-sandbox';

const CODE = /^[A-Za-z0-9][\w.:/-]{0,99}$/;

export class CreateSandboxCaptureDto {
  /** At most the authorised amount; the rest is released. If omitted: all of it. @example 30.00 */
  @Optional()
  @IsPositiveAmount()
  amount?: number;
}

export class CreateSandboxRefundDto {
  /** At most the captured amount that is left. If omitted: all of it. @example 10.00 */
  @Optional()
  @IsPositiveAmount()
  amount?: number;
}

export class CreateSandboxDisputeDto {
  /** @example "chargeback" */
  @Optional()
  @ApiEnum('DisputeKind', DISPUTE_KINDS)
  @IsIn(DISPUTE_KINDS)
  kind?: DisputeKind = 'chargeback';

  /** At most the captured amount that is not disputed. If omitted: all of it. @example 10.00 */
  @Optional()
  @IsPositiveAmount()
  amount?: number;

  /** @example "fraudulent" */
  @Optional()
  @Matches(CODE)
  reason_code?: string = 'fraudulent';

  /** The card network's code. @example "10.4" */
  @Optional()
  @Matches(CODE)
  network_reason_code?: string;

  /** If omitted: in seven days. @example "2026-12-01T23:59:59Z" */
  @Optional()
  @IsTime()
  evidence_due_by?: string;

  static toDispute(dto: CreateSandboxDisputeDto): NewDispute {
    return {
      kind: dto.kind!,
      amount: dto.amount,
      reasonCode: dto.reason_code!,
      networkReasonCode: dto.network_reason_code,
      evidenceDueBy: timeOf(dto.evidence_due_by),
    };
  }
}

export class ChangeSandboxDisputeDto {
  /** A later kind opens the dispute again. @example "chargeback" */
  @Optional()
  @ApiEnum('DisputeKind', DISPUTE_KINDS)
  @IsIn(DISPUTE_KINDS)
  kind?: DisputeKind;

  /** @example "under_review" */
  @Optional()
  @ApiEnum('DisputeStatus', DISPUTE_STATUSES)
  @IsIn(DISPUTE_STATUSES)
  status?: DisputeStatus;

  /** @example "2026-12-01T23:59:59Z" */
  @Optional()
  @IsTime()
  evidence_due_by?: string;

  static toChange({ kind, status, evidence_due_by: due }: ChangeSandboxDisputeDto): DisputeChange {
    return { kind, status, evidenceDueBy: timeOf(due) };
  }
}

/** A dispute in the sandbox's ledger. `GET /disputes` shows the same dispute as it was reported to this service. */
export class SandboxDisputeDto {
  /** The `provider_dispute_id` of `GET /disputes`. @example "sbd_dashboard_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  id: string;
  /** @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  transaction_id: string;
  /** @example 4711 */
  payment_id: number;
  /** @example 3 */
  shop_id: number;
  /** @example "chargeback" */
  @ApiEnum('DisputeKind', DISPUTE_KINDS)
  kind: DisputeKind;
  /** @example "open" */
  @ApiEnum('DisputeStatus', DISPUTE_STATUSES)
  status: DisputeStatus;
  /** @example 10.00 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /** @example "fraudulent" */
  reason_code: string;
  /** @example "10.4" */
  network_reason_code: string | null;
  /** @example "2026-12-01T23:59:59.000Z" */
  evidence_due_by: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  opened_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;

  static from(row: SandboxDisputeRow): SandboxDisputeDto {
    const { id, transaction_id, payment_id, shop_id, kind, status, currency, reason_code, network_reason_code } = row;
    return {
      ...{ id, transaction_id, payment_id, shop_id, kind, status, currency, reason_code, network_reason_code },
      amount: toJsonAmount(row.amount),
      evidence_due_by: row.evidence_due_by.toISOString(),
      opened_at: row.opened_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}
