import { IsBoolean, IsInt, IsPositive, IsString, Length, Max, MaxLength } from 'class-validator';
import { IsAmount, IsCountry, IsCurrency, IsMetadata } from '../platform/http/field-rules.js';
import { Optional } from '../platform/http/optional.js';
import type { StrategyName } from './flow-definition.js';
import type { Simulation } from './flow-simulation.service.js';
import type { RoutingRequest } from './routing.js';
import { hasCounter } from './strategies/strategies.js';

export class SimulateFlowDto {
  /** @example "checkout" */
  @IsString()
  @Length(1, 100)
  flow_name: string;

  /** As for a payment: above 0, with at most the currency's decimals. @example 100.00 */
  @Optional()
  @IsAmount()
  amount?: number = 100;

  /** ISO 4217. @example "USD" */
  @Optional()
  @IsCurrency()
  @MaxLength(3)
  currency?: string = 'USD';

  /** ISO 3166-1 alpha-2. @example "DE" */
  @Optional()
  @IsCountry()
  @MaxLength(2)
  country?: string;

  /** Only an input of the decision: it need not exist. @example 7 */
  @Optional()
  @IsInt()
  @IsPositive()
  @Max(Number.MAX_SAFE_INTEGER)
  customer_id?: number;

  /** Free-form, at most 16 KiB as JSON. @example { "order_id": "A-1001" } */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  /** Answer with `true` or `false` alone: whether there is a shop for the payment. @example false */
  @Optional()
  @IsBoolean()
  simple?: boolean = false;

  static toRoutingRequest({
    amount = 100,
    currency = 'USD',
    country,
    customer_id,
    metadata,
  }: SimulateFlowDto): RoutingRequest {
    return { amount, currency, country, customerId: customer_id, metadata };
  }
}

export class SimulatedFlowDto {
  /** @example 12 */
  id: number;
  /** @example "checkout" */
  name: string;
  /** @example "round_robin" */
  strategy: StrategyName;
}

/** The shop that a payment would go to. */
export class PrimaryShopDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** @example 1 */
  priority: number;
  /** @example 1 */
  weight: number;
}

export class SimulationResultDto {
  /** @example "round_robin" */
  strategy: StrategyName;
  /** `null`: no shop of the flow takes the payment. */
  primary_shop: PrimaryShopDto | null;
  /** @example true */
  simulation_mode: true;
  /** How many payments the flow has routed; `null` for a strategy without a counter. @example 42 */
  current_counter: number | null;
  /** The counter after the next payment that the flow routes. @example 43 */
  next_counter: number | null;
}

export class FlowSimulationDto {
  /** Whether there is a shop for the payment. @example true */
  success: boolean;
  flow: SimulatedFlowDto;
  result: SimulationResultDto;
  /** @example true */
  simulation: true;

  static from({ flow, decision: { shop } }: Simulation): FlowSimulationDto {
    const { id, name } = flow;
    const { strategy } = flow.definition;
    const counter = hasCounter(flow.definition) ? flow.counter : null;
    return {
      success: shop !== undefined,
      flow: { id, name, strategy },
      result: {
        strategy,
        primary_shop: shop
          ? { shop_id: shop.shop.id, shop_name: shop.shop.name, priority: shop.priority, weight: shop.weight }
          : null,
        simulation_mode: true,
        current_counter: counter,
        next_counter: counter === null ? null : counter + 1,
      },
      simulation: true,
    };
  }
}
