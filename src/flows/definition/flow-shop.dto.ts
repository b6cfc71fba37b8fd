import { IsBoolean } from 'class-validator';
import {
  IsAmountBound,
  IsCountryList,
  IsCurrencyList,
  IsId,
  IsIntegerIn,
  IsObjectOf,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { MAX_WEIGHT } from '@payment-orchestrator/routing/definition/shape-errors';

/** The conditions that a payment must meet to go to the shop; an omitted condition matches every payment. */
export class ShopConditionsDto {
  /** ISO 4217 codes. @example ["EUR", "USD"] */
  @Optional()
  @IsCurrencyList()
  currencies?: string[];

  /** ISO 3166-1 alpha-2 codes; a payment without a country does not meet this condition. @example ["DE", "FR"] */
  @Optional()
  @IsCountryList()
  countries?: string[];

  /** The minimum amount, inclusive. @example 1 */
  @Optional()
  @IsAmountBound()
  min_amount?: number;

  /** The maximum amount, inclusive. @example 5000 */
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
  @IsIntegerIn(0, MAX_WEIGHT)
  priority?: number = 1;

  /** @example 1 */
  @Optional()
  @IsIntegerIn(1, MAX_WEIGHT)
  weight?: number = 1;

  /** Whether the flow uses the shop. @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean = true;

  @Optional()
  @IsObjectOf(() => ShopConditionsDto)
  conditions?: ShopConditionsDto;
}
