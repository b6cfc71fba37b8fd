import { IsString, Matches } from 'class-validator';
import { IsText, Optional } from '../../platform/http/validation/field-rules.js';
import { DECLINE_CODE, MAX_DECLINE_MESSAGE } from '@payment-orchestrator/routing/definition/shape-errors';
import type { RuleDecline } from '@payment-orchestrator/routing/definition/definition';

/** The decline of a payment by a rule. */
export class RuleDeclineDto implements RuleDecline {
  /** Your own code; it appears where a shop's decline code would. @example "blocked_country" */
  @IsString()
  @Matches(DECLINE_CODE)
  code: string;

  /** For people. @example "We do not sell to this country." */
  @Optional()
  @IsText(1, MAX_DECLINE_MESSAGE)
  message?: string;
}
