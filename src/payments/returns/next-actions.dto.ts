import { IsMetadata } from '../../platform/http/validation/field-rules.js';
import { WithoutCardNumbers } from '../../platform/http/validation/without-card-numbers.js';

export class CompleteNextActionDto {
  /**
   * The answer of the provider's script, in the provider's own format, at most 16 KiB as JSON. It is handed to the provider
   * and not stored. @example { "result": "approved" }
   */
  @WithoutCardNumbers()
  @IsMetadata()
  data: Record<string, unknown>;
}
