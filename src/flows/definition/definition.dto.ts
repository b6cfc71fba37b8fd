import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { schemaRef } from '../../openapi/schemas.js';
import {
  CutBeyond,
  IsAmountBound,
  IsCountryList,
  IsCurrencyList,
  IsId,
  IsInteger,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import type { Condition } from './condition.js';
import { withoutNulls } from './condition-errors.js';
import {
  type Assertion,
  CHOICE_NAMES,
  type ChoiceName,
  type FlowDefinition,
  type FlowShop,
  type Rule,
  STRATEGY_NAMES,
  type StrategyName,
} from './definition.js';

const MAX_SHOPS = 300;
const MAX_RULES = 100;
const MAX_ATTEMPTS = 10;
const MAX_ASSERTIONS = 50;
const CONDITION = { allOf: [schemaRef('Condition')] };
const WithoutNulls = (): PropertyDecorator => Transform(({ value }) => withoutNulls(value), { toClassOnly: true });

/** What a request must meet for the shop to take part in it; a condition that is left out takes any. */
export class ShopConditionsDto {
  /** ISO 4217 codes. @example ["EUR", "USD"] */
  @Optional()
  @IsCurrencyList()
  currencies?: string[];

  /** ISO 3166-1 alpha-2 codes; a request without a country does not meet this condition. @example ["DE", "FR"] */
  @Optional()
  @IsCountryList()
  countries?: string[];

  /** The least amount, itself included. @example 1 */
  @Optional()
  @IsAmountBound()
  min_amount?: number;

  /** The greatest amount, itself included. @example 5000 */
  @Optional()
  @IsAmountBound()
  max_amount?: number;
}

export class FlowShopDto {
  /** @example 3 */
  @IsId()
  shop_id: number;

  /** The lowest number comes first. @example 1 */
  @Optional()
  @IsInteger()
  @Min(0)
  @Max(1_000_000)
  priority?: number = 1;

  /** @example 1 */
  @Optional()
  @IsInteger()
  @Min(1)
  @Max(1_000_000)
  weight?: number = 1;

  /** Whether the shop takes part in this flow at all. @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean = true;

  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ShopConditionsDto)
  conditions?: ShopConditionsDto;

  static toFlowShop({ shop_id, priority = 1, weight = 1, enabled = true, conditions = {} }: FlowShopDto): FlowShop {
    return { shop_id, priority, weight, enabled, conditions: { ...conditions } };
  }
}

/** Who takes the payments of a rule. */
export class RuleUseDto {
  /** Shops of the flow; their weights, priorities and conditions apply as ever. @example [3, 5] */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_SHOPS)
  @ArrayUnique()
  @CutBeyond(MAX_SHOPS)
  @IsInt({ each: true })
  @ApiProperty({ type: 'integer', isArray: true, maxItems: MAX_SHOPS })
  shops: number[];

  /** How it is chosen among them. @example "weighted" */
  @IsIn(CHOICE_NAMES)
  @ApiEnum('RuleStrategy', CHOICE_NAMES)
  strategy: ChoiceName;
}

export class RuleDto {
  /** What a payment must meet. */
  @IsObject()
  @WithoutNulls()
  @ApiProperty(CONDITION)
  when: Condition;

  @IsObject()
  @ValidateNested()
  @Type(() => RuleUseDto)
  use: RuleUseDto;

  static toRule({ when, use }: RuleDto): Rule {
    return { when, use: { ...use } };
  }
}

/** What must hold of a flow whatever the payment, the counter, and the shops that are up: one of its claims. */
export class AssertionDto {
  /** Which payments it is about, written as in a rule; `{}`: all. @example { "country": { "equals": "DE" } } */
  @IsObject()
  @WithoutNulls()
  @ApiProperty(CONDITION)
  when: Condition;

  /** They can never go to this shop, which need not be in the flow. @example 3 */
  @Optional()
  @IsId()
  never?: number;

  /**
   * There are at least so many shops that they can go to, each of them when the others are down. It is not about how many
   * of them one payment is tried with: see `at_least_tries`. @example 2
   */
  @Optional()
  @IsInteger()
  @Min(1)
  @Max(MAX_SHOPS)
  at_least?: number;

  /**
   * They are tried with at least so many shops before they fail, while all shops are up and each failure lets another shop
   * try: `max_attempts` is so high, and the rule that decides has so many shops that take the payment. @example 2
   */
  @Optional()
  @IsInteger()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  at_least_tries?: number;

  /** Of a checked definition: it has one of the three. */
  static toAssertion({ when, ...claims }: AssertionDto): Assertion {
    const made = Object.entries(claims).filter(([, value]) => value !== undefined);
    return { when, ...Object.fromEntries(made) } as Assertion;
  }
}

/** What one version of a flow consists of. */
export class FlowDefinitionDto {
  /**
   * How the flow chooses among the shops that may take a payment. `round_robin`: they take turns. `weighted`: each gets
   * exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the lowest number; equals take
   * turns. `sticky`: the same customer goes to the same shop, by weight; payments without a customer as `weighted`.
   * `success_rate`: by recent approval rates. `rules`: the first of `rules` that matches and has a shop for the payment,
   * otherwise `default`.
   * @example "round_robin"
   */
  @IsIn(STRATEGY_NAMES)
  @ApiEnum('Strategy', STRATEGY_NAMES)
  strategy: StrategyName;

  /** 1 to 300 shops, none of them twice. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_SHOPS)
  @CutBeyond(MAX_SHOPS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => FlowShopDto)
  shops: FlowShopDto[];

  /** For the strategy `rules`: at most 100, tried in order. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_RULES)
  @CutBeyond(MAX_RULES)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => RuleDto)
  rules?: RuleDto[];

  /** For the strategy `rules`, which requires it: who takes the payments that no rule has a shop for. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => RuleUseDto)
  default?: RuleUseDto;

  /** How many shops a payment is tried with at most, the first included; 1 when it is left out: no failover. @example 3 */
  @Optional()
  @IsInteger()
  @Min(1)
  @Max(MAX_ATTEMPTS)
  max_attempts?: number;

  /**
   * At most 50; a version that breaks one of them is not activated. They are about the flow alone: whether a shop is
   * disabled as a whole or unhealthy at the moment does not count.
   */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_ASSERTIONS)
  @CutBeyond(MAX_ASSERTIONS)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => AssertionDto)
  assertions?: AssertionDto[];

  static toDefinition({ strategy, shops, ...optional }: FlowDefinitionDto): FlowDefinition {
    return {
      strategy,
      shops: shops.map((shop) => FlowShopDto.toFlowShop(shop)),
      ...FlowDefinitionDto.toOptionalFields(optional),
    };
  }

  /** What a definition need not have, as far as it is given. */
  static toOptionalFields({
    rules,
    default: otherwise,
    max_attempts,
    assertions,
  }: Partial<FlowDefinitionDto>): Partial<FlowDefinition> {
    return {
      ...(rules && { rules: rules.map((rule) => RuleDto.toRule(rule)) }),
      ...(otherwise && { default: { ...otherwise } }),
      ...(max_attempts !== undefined && { max_attempts }),
      ...(assertions && { assertions: assertions.map((assertion) => AssertionDto.toAssertion(assertion)) }),
    };
  }
}
