import { ApiEnum } from '../../openapi/api-field.js';
import { IsBoolean, IsIn } from 'class-validator';
import { IsAmount, IsText, Optional } from '../../platform/http/validation/field-rules.js';
import { SETTLE_OUTCOMES, type SettleOutcome } from '../money/state/settlement.js';

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
