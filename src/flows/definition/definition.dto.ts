import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsInt, IsObject } from 'class-validator';
import { IsOneOf } from '../../openapi/api-field.js';
import { schemaRef } from '../../openapi/schemas.js';
import {
  CutBeyond,
  IsId,
  IsIntegerIn,
  IsListOf,
  IsObjectOf,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { CAPTURE_MODES, type CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import type { Condition } from '@payment-orchestrator/routing/definition/condition';
import { withoutNulls } from '@payment-orchestrator/routing/definition/condition-errors';
import { FlowShopDto } from './flow-shop.dto.js';
import { NamedAccountsDto } from './payment-method.dto.js';
import { RuleDeclineDto } from './rule-decline.dto.js';
import { SuccessRateDto } from './success-rate.dto.js';
import {
  CHOICE_NAMES,
  type ChoiceName,
  RULE_OTHERWISE,
  STRATEGY_NAMES,
  type StrategyName,
} from '@payment-orchestrator/routing/definition/definition';
import {
  MAX_ASSERTIONS,
  MAX_ATTEMPTS,
  MAX_RULE_NAME,
  MAX_RULES,
  MAX_SHOPS,
} from '@payment-orchestrator/routing/definition/shape-errors';

export const CONDITION = { allOf: [schemaRef('Condition')] };
export const WithoutNulls = (): PropertyDecorator =>
  Transform(({ value }) => withoutNulls(value), { toClassOnly: true });

/** The shops that get the payments of a rule, and the strategy that chooses among them. */
export class RuleUseDto {
  /** Shops of the flow; their weights, priorities and conditions apply as usual. @example [3, 5] */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_SHOPS)
  @ArrayUnique()
  @CutBeyond(MAX_SHOPS)
  @IsInt({ each: true })
  @ApiProperty({ type: 'integer', isArray: true, maxItems: MAX_SHOPS })
  shops: number[];

  /** The strategy that chooses among them. @example "weighted" */
  @IsOneOf('RuleStrategy', CHOICE_NAMES)
  strategy: ChoiceName;

  /** Options of the strategy `success_rate`; refused with other strategies. */
  @Optional()
  @IsObjectOf(() => SuccessRateDto)
  success_rate?: SuccessRateDto;
}

/** Decides payments that meet a condition. Has exactly one of `use` and `decline`. */
export class RuleDto {
  /** For people; unique in the flow. A new name keeps the counts of the rule. @example "Maestro from Germany" */
  @Optional()
  @IsText(1, MAX_RULE_NAME)
  name?: string;

  /** The condition that a payment must meet. */
  @IsObject()
  @WithoutNulls()
  @ApiProperty(CONDITION)
  when: Condition;

  /** The shops that get the payments. Required without `decline`. */
  @Optional()
  @IsObjectOf(() => RuleUseDto)
  use?: RuleUseDto;

  /**
   * The effect if none of the shops in `use` may take a payment. `next`: the next rule that matches is tried, at last
   * `default`. `refuse`: no later rule is tried, and without a shop `POST /payments` answers 409 `no_available_shop`. Only
   * with `use`. If omitted: `next`. @example "refuse"
   */
  @Optional()
  @IsOneOf('RuleOtherwise', RULE_OTHERWISE)
  otherwise?: (typeof RULE_OTHERWISE)[number];

  /** Declines the payments instead: they become `failed`, and no shop is asked. */
  @Optional()
  @IsObjectOf(() => RuleDeclineDto)
  decline?: RuleDeclineDto;
}

/** A requirement that the flow must meet for every payment and every counter, regardless of which shops are up. Has one of the three fields besides `when`. */
export class AssertionDto {
  /** The payments that the assertion applies to, written as in a rule; `{}`: all. @example { "country": { "equals": "DE" } } */
  @IsObject()
  @WithoutNulls()
  @ApiProperty(CONDITION)
  when: Condition;

  /**
   * The payments name exactly these accounts, so they go only to shops of these accounts. If omitted: payments that name
   * no accounts.
   */
  @Optional()
  @IsObjectOf(() => NamedAccountsDto)
  payment_method?: NamedAccountsDto;

  /** The payments never go to this shop, which need not be in the flow. @example 3 */
  @Optional()
  @IsId()
  never?: number;

  /**
   * The payments have at least this many shops that they can go to, each of them if the others are down. The number of
   * shops that one payment is tried with is a different matter: see `at_least_tries`. @example 2
   */
  @Optional()
  @IsIntegerIn(1, MAX_SHOPS)
  at_least?: number;

  /**
   * The payments are tried with at least this many shops before they fail, if all shops are up and every failure allows
   * another try. This requires a `max_attempts` of at least this number, and as many shops for the payment in the rule
   * that decides. @example 2
   */
  @Optional()
  @IsIntegerIn(1, MAX_ATTEMPTS)
  at_least_tries?: number;
}

/** The content of one version of a flow. */
export class FlowDefinitionDto {
  /**
   * How the flow chooses among the shops that may take a payment. `round_robin`: one shop after the other. `weighted`:
   * each gets exactly its weight in every cycle of sum(weights) payments, evenly spread. `priority`: the shop with the
   * lowest number; shops with equal numbers alternate. `sticky`: the same customer goes to the same shop, by weight;
   * payments without a customer as `weighted`. `success_rate`: by recent approval rates. `lowest_cost`: the shop with the
   * lowest fee for the payment; among equal fees by priority, shops without a known fee last. `rules`: the first of
   * `rules` that matches and has a shop for the payment, declines or refuses it, otherwise `default`.
   * @example "round_robin"
   */
  @IsOneOf('Strategy', STRATEGY_NAMES)
  strategy: StrategyName;

  /** 1 to 300 shops, without duplicates. */
  @IsListOf(() => FlowShopDto, MAX_SHOPS)
  @ArrayNotEmpty()
  shops: FlowShopDto[];

  /** For the strategy `rules`: at most 100, tried in order. */
  @Optional()
  @IsListOf(() => RuleDto, MAX_RULES)
  rules?: RuleDto[];

  /** For the strategy `rules`, which requires it: the shops for payments that no rule has a shop for, declines or refuses. */
  @Optional()
  @IsObjectOf(() => RuleUseDto)
  default?: RuleUseDto;

  /** Options of the strategy `success_rate`; refused with other strategies. */
  @Optional()
  @IsObjectOf(() => SuccessRateDto)
  success_rate?: SuccessRateDto;

  /** The maximum number of shops that a payment is tried with, including the first; default 1: no failover. @example 3 */
  @Optional()
  @IsIntegerIn(1, MAX_ATTEMPTS)
  max_attempts?: number;

  /**
   * When payments are captured whose request has no `capture`: with the charge, or by `POST /payments/{id}/capture`. If
   * omitted: `automatic`. @example "automatic"
   */
  @Optional()
  @IsOneOf('CaptureMode', CAPTURE_MODES)
  capture?: CaptureMode;

  /**
   * At most 50; a version that breaks one of them is not activated. Assertions are checked for the flow only: shops
   * that are disabled as a whole or unhealthy do not matter.
   */
  @Optional()
  @IsListOf(() => AssertionDto, MAX_ASSERTIONS)
  assertions?: AssertionDto[];
}
