import { ApiProperty } from '@nestjs/swagger';
import { ApiAny, ENUM_NAME } from '../../openapi/api-field.js';
import { schemaRef } from '../../openapi/schemas.js';
import type { Change } from '@payment-orchestrator/routing/simulation/scenario';
import { type TestName, TEST_NAMES } from '@payment-orchestrator/routing/decision/decision-trace';
import { type Reasoning } from '@payment-orchestrator/routing/strategies/strategy';
import { RolloutChoiceDto } from '../routing/rollout-choice.dto.js';
import type { Declined, Explanation, ExplainedShop } from '@payment-orchestrator/routing/simulation/explanation';
import type { StrategyName } from '@payment-orchestrator/routing/definition/definition';

const TEST_RESULTS = { type: 'string' as const, enum: ['passed', 'failed'], [ENUM_NAME]: 'TestResult' };

/** A change of one field of the simulation. */
export class ChangeDto {
  /**
   * The field of `POST /flows/simulate`; a field inside `definition` changes the flow itself. @example
   * "overrides.shops.3.enabled"
   */
  field: string;
  /** Any JSON value; `null`: the field is absent or `null`, which is possible in metadata. @example false */
  @ApiAny({ example: false })
  from: unknown;
  /** Any JSON value; `null`: omit the field. @example true */
  @ApiAny({ example: true })
  to: unknown;

  static from({ field, from, to }: Change): ChangeDto {
    return { field, from: from ?? null, to: to ?? null };
  }
}

/** A shop of the flow in a decision. */
export class ExplainedShopDto {
  /** @example 3 */
  shop_id: number;
  /** @example false */
  picked: boolean;
  /**
   * The result of each test that a shop must pass; `rule`, only in flows with rules: whether the deciding rule names
   * the shop; `no_payment_method`, only for payments that name accounts: whether they name the shop's; and
   * `capability_missing`, only for payments with manual capture, or of a currency or `payment_method.type` that a
   * provider of the flow does not accept: whether the shop's provider can do all of it.
   * @example { "disabled": "passed", "currency": "failed", "country": "passed", "min_amount": "passed", "max_amount": "passed", "unhealthy": "passed" }
   */
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(TEST_NAMES.map((name) => [name, TEST_RESULTS])),
    additionalProperties: false,
  })
  tests: Partial<Record<TestName, 'passed' | 'failed'>>;
  /**
   * Only in simulations, for a shop that is not picked: the smallest single change that would have picked it; `null` if
   * none was found. Changes are ordered by kind, then by distance. For an excluded shop: enable it, or make it healthy;
   * then another request (the nearest `amount`, then `currency`, `country`, `payment_method` with one more option or another fact,
   * `metadata`, `customer_id`); then its conditions, its priority or the rule in the flow. For a shop that may take the payment: its next pick
   * (`at_counter`) or the smallest weight, then its settings, then disabling the picked shop, then another request,
   * then lower `fees`.
   */
  smallest_change?: ChangeDto | null;

  static from({ smallest_change: change, ...shop }: ExplainedShop): ExplainedShopDto {
    return { ...shop, ...(change !== undefined && { smallest_change: change && ChangeDto.from(change) }) };
  }
}

/** A recovering shop gets one in ten of its picks. */
export class ProbedShopDto {
  /** @example 3 */
  shop_id: number;
  /** Whether the shop got the payment. @example false */
  let_through: boolean;
}

/** The decline of a payment by a rule: no shop is asked. */
export class RuleDeclinedDto implements Declined {
  /** @example "blocked_country" */
  code: string;
  /** @example "We do not sell to this country." */
  message: string | null;
}

/** The reasons why a payment goes to its shop, or why a rule declines it. */
export class ExplanationDto {
  /** `null`: a draft. @example 1 */
  flow_version: number | null;
  /** `null`: no rollout chose the version. */
  rollout: RolloutChoiceDto | null;
  /** @example "weighted" */
  strategy: StrategyName;
  /** The index of the deciding rule, or `default`; `null`: the flow has no rules, or no rule decides. */
  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string', enum: ['default'] }], nullable: true, example: 0 })
  rule: number | 'default' | null;
  /**
   * The rules before it that match, but none of whose shops takes the payment, so that the next one was tried. Empty in
   * decisions of earlier releases. @example [0]
   */
  @ApiProperty({ type: 'integer', isArray: true })
  passed_over: number[];
  /** Whether the deciding rule refuses the payment: none of its shops takes it, and it says `otherwise: refuse`. @example false */
  refused: boolean;
  /** The decline of the deciding rule; `null`: it does not decline the payment. */
  declined: RuleDeclinedDto | null;
  /** Every shop of the flow, by priority, then id. */
  shops: ExplainedShopDto[];
  /**
   * `null`: no shop takes the payment, or it is declined or refused.
   * @example { "by": "weighted", "counter": 42, "cycle_position": 2, "cycle_length": 10 }
   */
  @ApiProperty({ allOf: [schemaRef('Reasoning')], nullable: true })
  reasoning: Reasoning | null;
  /** Shop ids in the order in which they would be tried after the pick. @example [5, 7] */
  fallbacks: number[];
  /** Whether no shop was healthy, so that the pick is the shop with the lowest failure rate. @example false */
  least_bad: boolean;
  /** A recovering shop that was picked first; `null`: none. */
  probed: ProbedShopDto | null;

  static from({ shops, ...explanation }: Explanation): ExplanationDto {
    return { ...explanation, shops: shops.map((shop) => ExplainedShopDto.from(shop)) };
  }
}
