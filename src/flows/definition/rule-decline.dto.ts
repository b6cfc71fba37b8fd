import { IsString, Matches } from 'class-validator';
import { IsText, Optional } from '../../platform/http/validation/field-rules.js';
import type { RuleDecline } from '@payment-orchestrator/routing/definition/definition';

/** In `snake_case`, as the decline codes of providers. */
const CODE = /^[a-z][a-z0-9_]{0,49}$/;

/** The decline of a payment by a rule. */
export class RuleDeclineDto implements RuleDecline {
  /** Your own code; it appears where a shop's decline code would. @example "blocked_country" */
  @IsString()
  @Matches(CODE)
  code: string;

  /** For people. @example "We do not sell to this country." */
  @Optional()
  @IsText(1, 200)
  message?: string;
}
