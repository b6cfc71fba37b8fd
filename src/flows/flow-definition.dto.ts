import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsPositive,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CutBeyond, IsAmountBound, IsCountryList, IsCurrencyList } from '../platform/http/field-rules.js';
import { Optional } from '../platform/http/optional.js';
import { type FlowDefinition, type FlowShop, STRATEGY_NAMES, type StrategyName } from './flow-definition.js';

const MAX_SHOPS = 300;

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
  @IsInt()
  @IsPositive()
  @Max(Number.MAX_SAFE_INTEGER)
  shop_id: number;

  /** The lowest number comes first. @example 1 */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  priority?: number = 1;

  /** @example 1 */
  @Optional()
  @IsInt()
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

/** What one version of a flow consists of. */
export class FlowDefinitionDto {
  /** How the flow chooses among the shops that may take a payment. @example "round_robin" */
  @IsIn(STRATEGY_NAMES)
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

  static toDefinition({ strategy, shops }: FlowDefinitionDto): FlowDefinition {
    return { strategy, shops: shops.map((shop) => FlowShopDto.toFlowShop(shop)) };
  }
}
