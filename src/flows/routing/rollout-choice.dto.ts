import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { ROLLOUT_KEYS, type RolloutChoice, type RolloutKey } from '@payment-orchestrator/routing/decision/rollout';

/**
 * How a rollout chose the version of a payment: `version`, the candidate, if `bucket` < `percent` × 100; otherwise the
 * active version.
 */
export class RolloutChoiceDto implements RolloutChoice {
  /** @example 4 */
  id: number;
  /** The candidate. @example 2 */
  version: number;
  /** From 1; each change of the percent begins the next one. @example 1 */
  stage: number;
  /** 0 … 9999: a hash of the customer, or a random number. @example 731 */
  bucket: number;
  /** The candidate's share of the payments. @example 10 */
  @ApiDecimal()
  percent: number;
  /** @example "customer" */
  @ApiEnum('RolloutKey', ROLLOUT_KEYS)
  key: RolloutKey;
}
