import { ApiProperty } from '@nestjs/swagger';
import { ApiEnum } from '../../openapi/api-field.js';
import type { RuleFacts, RuleWarning, RuleWarningCode } from './rule-report.js';
import type { FlowRules } from './rules.service.js';

const CODES: RuleWarningCode[] = ['never_hit', 'unknown_metadata', 'unknown_value'];

/** One test of a rule's condition. */
export class RuleConditionDto {
  /** @example "metadata.tier" */
  field: string;
  /** The looked-at payments that pass the test. @example 240 */
  met: number;
}

/** A sign that a rule may be dead. */
export class RuleWarningDto implements RuleWarning {
  /**
   * `never_hit`: it decided none of the counted payments, although its version is active for a day or has had a hundred
   * payments. `unknown_metadata`: no looked-at payment had this metadata, and the rule is not for its absence.
   * `unknown_value`: none had a value that the rule names. @example "unknown_metadata"
   */
  @ApiEnum('RuleWarningCode', CODES)
  code: RuleWarningCode;
  /** `null`: it is about the whole rule. @example "metadata.tier" */
  field: string | null;
  /** @example "none of the last 1000 payments had metadata.tier" */
  message: string;
}

export class RuleFactsDto {
  /** The index of the rule, or `default`. */
  @ApiProperty({
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', enum: ['default'] },
    ],
    example: 0,
  })
  rule: number | 'default';
  /** The counted payments of the last 24 hours that it decided, in any version that has the same rule. @example 12 */
  hits_24h: number;
  /** The same of the last 30 days. @example 340 */
  hits_30d: number;
  /** The tests of its condition, in their order. */
  conditions: RuleConditionDto[];
  warnings: RuleWarningDto[];

  static from({ rule, hits24h, hits30d, conditions, warnings }: RuleFacts): RuleFactsDto {
    return { rule, hits_24h: hits24h, hits_30d: hits30d, conditions, warnings };
  }
}

/** How the rules of a flow's active version are used. */
export class FlowRulesDto {
  /** @example 3 */
  version: number;
  /** The newest payments of the flow, at most 1000, which `conditions` and warnings about fields are from. @example 1000 */
  payments_checked: number;
  /** The newest payments of the last 30 days, at most 10,000, which hits are counted from. @example 3400 */
  payments_counted: number;
  /** Whether there are more payments in the last 30 days than are counted. */
  is_truncated: boolean;
  /** In order, then the default; empty for a flow without rules. */
  rules: RuleFactsDto[];

  static from({ version, paymentsChecked, paymentsCounted, isTruncated, rules }: FlowRules): FlowRulesDto {
    return {
      version,
      payments_checked: paymentsChecked,
      payments_counted: paymentsCounted,
      is_truncated: isTruncated,
      rules: rules.map((facts) => RuleFactsDto.from(facts)),
    };
  }
}
