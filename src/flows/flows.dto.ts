import { PartialType } from '@nestjs/swagger';
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
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CutBeyond, IsAmountBound, IsCountryList, IsCurrencyList } from '../platform/http/field-rules.js';
import { Optional } from '../platform/http/optional.js';
import { type FlowDefinition, type FlowShop, STRATEGY_NAMES, type StrategyName } from './flow-definition.js';
import type { Flow, FlowChanges } from './flows.service.js';

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

export class CreateFlowDto {
  /** Unique among the merchant's flows. @example "checkout" */
  @IsString()
  @Length(1, 100)
  @Matches(/^\S(.*\S)?$/u, { message: '$property must not begin or end with white space' })
  @Matches(/^\P{Cc}*$/u, { message: '$property must not contain control characters' })
  name: string;

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

  static toDefinition({ strategy, shops }: CreateFlowDto): FlowDefinition {
    return { strategy, shops: shops.map((shop) => FlowShopDto.toFlowShop(shop)) };
  }
}

/** What is left out stays as it is; `shops` are replaced as a whole. */
export class UpdateFlowDto extends PartialType(CreateFlowDto, { skipNullProperties: false }) {
  static toChanges({ name, strategy, shops }: UpdateFlowDto): FlowChanges {
    return {
      ...(name !== undefined && { name }),
      ...(strategy !== undefined && { strategy }),
      ...(shops !== undefined && { shops: shops.map((shop) => FlowShopDto.toFlowShop(shop)) }),
    };
  }
}

/** A shop's membership in a flow. */
export class FlowMemberDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** @example 1 */
  priority: number;
  /** @example 1 */
  weight: number;
  /** Whether it is enabled in this flow; a shop may be disabled as a whole besides. @example true */
  enabled: boolean;
  conditions: ShopConditionsDto;
}

export class FlowDto {
  /** @example 12 */
  id: number;
  /** @example "checkout" */
  name: string;
  /** @example "round_robin" */
  strategy: StrategyName;
  /** The active version; each change of strategy or shops makes the next. @example 1 */
  version: number;
  /** How many payments the flow has routed; `null` for a strategy without a counter. @example 42 */
  counter: number | null;
  shops: FlowMemberDto[];
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  updated_at: string;

  static from({ id, name, version, counter, definition, shops, created_at, updated_at }: Flow): FlowDto {
    return {
      id,
      name,
      strategy: definition.strategy,
      version,
      counter,
      shops: definition.shops.map((member) => toMember(member, shops.get(member.shop_id)!.name)),
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    };
  }
}

const toMember = ({ shop_id, priority, weight, enabled, conditions }: FlowShop, shopName: string): FlowMemberDto => ({
  shop_id,
  shop_name: shopName,
  priority,
  weight,
  enabled,
  conditions,
});
