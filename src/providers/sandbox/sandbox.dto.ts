import { ApiDecimal, ApiEnum, valuesOf } from '../../openapi/api-field.js';
import { IsIdInQuery, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { toJsonAmount } from '../../shared/money.js';
import type { SandboxStatus, SandboxTransaction } from '@payment-orchestrator/provider-sandbox';

export class ListSandboxTransactionsQueryDto extends PageQueryDto {
  /** Only transactions of this payment. @example 4711 */
  @Optional()
  @IsIdInQuery()
  payment_id?: number;

  /** Only transactions of this shop. @example 3 */
  @Optional()
  @IsIdInQuery()
  shop_id?: number;
}

/** The sandbox's transaction of an attempt to pay. */
export class SandboxTransactionDto {
  /** The provider's id of the transaction. @example "sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  id: string;
  /** Our reference, one for each attempt. @example "0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11" */
  reference: string;
  /** @example 4711 */
  payment_id: number;
  /** @example 3 */
  shop_id: number;
  /** @example "captured" */
  @ApiEnum(
    'SandboxTransactionStatus',
    valuesOf<SandboxStatus>({
      open: true,
      authorized: true,
      voided: true,
      declined: true,
      captured: true,
      refunded: true,
    }),
  )
  status: SandboxStatus;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example 49.90 */
  @ApiDecimal()
  captured_amount: number;
  /** The sum of refunds that are done. @example 0 */
  @ApiDecimal()
  refunded_amount: number;
  /** When the authorisation of a manual charge ends; `null`: the charge captures. @example null */
  capture_before: string | null;
  /** @example "EUR" */
  currency: string;
  /**
   * Key of the charge; `null` for a void that came before any charge, which is then declined.
   * @example "5f0f7c34-7a4b-4b57-9a55-1f5b8d7c2a10"
   */
  idempotency_key: string | null;
  /** Number of calls of the charge, repeats included. @example 1 */
  calls: number;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.789Z" */
  updated_at: string;

  static from(row: SandboxTransaction): SandboxTransactionDto {
    return {
      id: row.transaction_id,
      reference: row.reference,
      payment_id: row.payment_id,
      shop_id: row.shop_id,
      status: row.status,
      amount: toJsonAmount(row.amount),
      captured_amount: toJsonAmount(row.captured_amount),
      refunded_amount: toJsonAmount(row.refunded_amount),
      capture_before: row.capture_before?.toISOString() ?? null,
      currency: row.currency,
      idempotency_key: row.idempotency_key,
      calls: row.calls,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }
}
