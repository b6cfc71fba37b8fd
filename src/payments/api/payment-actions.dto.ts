import { WithoutCardNumbers } from '../../platform/http/validation/without-card-numbers.js';
import { IsMetadata, IsPositiveAmount, Optional } from '../../platform/http/validation/field-rules.js';

export class CapturePaymentDto {
  /** At most the authorised amount; the rest is released. If omitted: all of it. @example 30.00 */
  @Optional()
  @IsPositiveAmount()
  amount?: number;
}

export class UpdatePaymentDto {
  /** Free-form, at most 16 KiB as JSON; replaces all of the metadata. @example { "order_id": "A-1001" } */
  @IsMetadata()
  metadata: Record<string, unknown>;
}

export class CompleteNextActionDto {
  /**
   * The answer of the provider's script, in the provider's own format, at most 16 KiB as JSON. It is handed to the provider
   * and not stored. @example { "result": "approved" }
   */
  @WithoutCardNumbers()
  @IsMetadata()
  data: Record<string, unknown>;
}
