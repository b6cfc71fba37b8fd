import { IsBoolean, IsIn } from 'class-validator';
import type { Names } from '../../audit/actor-names.service.js';
import { RequesterDto } from '../../audit/actor.dto.js';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { IsAmount, IsText, Optional } from '../../platform/http/validation/field-rules.js';
import { toJsonAmount } from '../../shared/money.js';
import { SETTLE_OUTCOMES, type SettleOutcome } from '../money/state/settlement.js';
import {
  OPERATION_CAUSES,
  OPERATION_KINDS,
  OPERATION_STATES,
  type OperationCause,
  type OperationKind,
  type OperationRow,
  type OperationState,
} from '../money/state/operation.js';

/** A request to a provider for a payment, and its state. */
export class PaymentOperationDto {
  /** @example 8151 */
  id: number;
  /** `charge`, `capture` of an authorisation, or the reversal: `void` before the capture, `refund` after it. @example "charge" */
  @ApiEnum('OperationKind', OPERATION_KINDS)
  kind: OperationKind;
  /** Why it was requested. @example "payment" */
  @ApiEnum('OperationCause', OPERATION_CAUSES)
  cause: OperationCause;
  /** The number of the attempt, from 1. @example 1 */
  attempt: number;
  /** @example 3 */
  shop_id: number;
  /** @example "sandbox" */
  provider: string;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /**
   * `open`: recorded, perhaps under way. `unknown`: called, without an answer. `pending`: the provider reports the
   * outcome later. `confirmed`: done. `refused`: certainly not done. @example "confirmed"
   */
  @ApiEnum('OperationState', OPERATION_STATES)
  state: OperationState;
  /** Calls of recovery for it, look-ups included, in addition to the first call of a charge. @example 1 */
  tries: number;
  /** Time of the next call; `null`: none, because it is closed, or because a person must act. @example null */
  next_try_at: string | null;
  /** Seconds since the request. @example 12 */
  age: number;
  /** The provider's last answer, as a code; `no_answer`: no readable answer in time. @example "approved" */
  last_answer: string | null;
  /** Why it was refused, or a note for a person. @example null */
  reason: string | null;
  /**
   * Our reference, which the provider received: find the operation there by it.
   * @example "3f0e9a52-6d1c-4c8e-9a57-0d4b5c7f2e11"
   */
  reference: string;
  /** The provider's id of the transaction. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  provider_transaction_id: string | null;
  /** The provider's id of a void or refund. @example null */
  provider_operation_id: string | null;
  /** The client or person that asked for it; `null`: the service, or the payment itself. */
  requested_by: RequesterDto | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;

  static from(row: OperationRow, names: Names): PaymentOperationDto {
    return {
      id: row.id,
      kind: row.kind,
      cause: row.cause,
      attempt: row.attempt,
      shop_id: row.shop_id,
      provider: row.provider,
      amount: toJsonAmount(row.amount),
      currency: row.currency,
      state: row.state,
      tries: row.tries,
      next_try_at: row.next_try_at?.toISOString() ?? null,
      age: Math.max(0, Math.floor(row.age_ms / 1_000)),
      last_answer: row.last_answer,
      reason: row.reason,
      reference: row.reference,
      provider_transaction_id: row.provider_transaction_id,
      provider_operation_id: row.provider_operation_id,
      requested_by: RequesterDto.from(row.requested_by, names),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}

export class SettleOperationDto {
  /**
   * The outcome that you found at the provider. `captured`: the payer was charged. `not_captured`: the payer was not charged by this
   * operation. `voided`: nothing was charged, and nothing can be. `refunded`: the payer got the money back. `not_refunded`:
   * the payer did not get this refund. @example "captured"
   */
  @ApiEnum('SettleOutcome', SETTLE_OUTCOMES)
  @IsIn(SETTLE_OUTCOMES)
  outcome: SettleOutcome;

  /** The provider's id: of the transaction for a charge, otherwise of the capture, void or refund. @example "tx_1001" */
  @Optional()
  @IsText(1, 200)
  provider_transaction_id?: string;

  /**
   * With `captured` and `refunded`: the amount that was captured, in the payment's currency; if omitted, the operation's
   * amount. Never more than was authorised or asked. A refund takes its own amount only. @example 49.90
   */
  @Optional()
  @IsAmount()
  amount?: number;

  /** Why, for the audit log and the operation: where you looked, and whom you asked. @example "The dashboard shows the charge as paid" */
  @IsText(1, 400)
  reason: string;

  /** `true`: settle although the provider reports another outcome, or with more than the operation's amount. @example false */
  @Optional()
  @IsBoolean()
  confirm?: boolean;
}
