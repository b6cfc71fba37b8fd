import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsObject, MaxLength } from 'class-validator';
import { ApiDecimal, IsOneOf } from '../../openapi/api-field.js';
import { schemaRef } from '../../openapi/schemas.js';
import { CAPTURE_MODES, type CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import {
  IsAmount,
  IsCountry,
  IsCurrency,
  IsId,
  IsIntegerIn,
  IsMetadata,
  IsObjectOf,
  IsText,
  Optional,
} from '../../platform/http/validation/field-rules.js';
import { ExplanationDto, RuleDeclinedDto } from './explanation.dto.js';
import { MAX_FEES } from '@payment-orchestrator/routing/facts/fees';
import { factsOf } from '../../shared/payment-method.js';
import { WithoutCardNumbers } from '../../platform/http/validation/without-card-numbers.js';
import { PaymentMethodDto } from '../definition/payment-method.dto.js';
import { FlowDefinitionDto } from '../definition/definition.dto.js';
import type { StrategyName } from '@payment-orchestrator/routing/definition/definition';
import type { SimulatedShare, Simulation, WhatIf } from './simulation.service.js';
import { type Overrides, withoutNulls } from '@payment-orchestrator/routing/simulation/overrides';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import { MAX_COUNTER } from '@payment-orchestrator/routing/simulation/scenario';

const MAX_SEED = 2 ** 32 - 1;

export class SimulateFlowDto {
  /** @example "checkout" */
  @IsText(1, 100)
  flow_name: string;

  /** Same rules as for a payment: above 0, with at most the currency's decimals. @example 100.00 */
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

  /** Only an input of the decision; the customer need not exist. @example 7 */
  @Optional()
  @IsId()
  customer_id?: number;

  /** Free-form, at most 16 KiB as JSON. @example { "order_id": "A-1001" } */
  @Optional()
  @IsMetadata()
  metadata?: Record<string, unknown>;

  /** As for a payment; the tokens may be left out, because they decide nothing. */
  @Optional()
  @WithoutCardNumbers()
  @IsObjectOf(() => PaymentMethodDto)
  payment_method?: PaymentMethodDto;

  /** If omitted: the flow's. A shop whose provider cannot capture later takes no payment with `manual`. @example "automatic" */
  @Optional()
  @IsOneOf('CaptureMode', CAPTURE_MODES)
  capture?: CaptureMode;

  /** Answer only `true` or `false`: whether there is a shop for the payment. @example false */
  @Optional()
  @IsBoolean()
  simple?: boolean = false;

  /** Simulate this many payments of this kind, one after the other. Adds `picks` and `shares`. @example 10 */
  @Optional()
  @IsIntegerIn(1, 1_000)
  count?: number;

  /**
   * Assumed states of shops, by shop id: `enabled` (both the shop itself and in the flow), `weight`, `healthy`, and
   * `fees` instead of the shop's own (`[]`: unknown).
   * @example { "shops": { "3": { "enabled": false }, "5": { "weight": 5, "healthy": true } } }
   */
  @Optional()
  @IsObject()
  @Transform(({ value }) => withoutNulls(value), { toClassOnly: true })
  @ApiProperty({
    type: 'object',
    properties: {
      shops: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: {
            enabled: { type: 'boolean' },
            weight: { type: 'integer', minimum: 1, maximum: 1_000_000 },
            healthy: { type: 'boolean' },
            fees: { type: 'array', items: schemaRef('Fee'), maxItems: MAX_FEES },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  })
  overrides?: Overrides;

  /** The assumed number of payments that the flow has routed. @example 41 */
  @Optional()
  @IsIntegerIn(0, MAX_COUNTER)
  at_counter?: number;

  /** A draft to use instead of the active version; it must be as valid as a stored one. */
  @Optional()
  @IsObjectOf(() => FlowDefinitionDto)
  definition?: FlowDefinitionDto;

  /** The seed of the random numbers of `success_rate`: the same seed gives the same picks. @example 1 */
  @Optional()
  @IsIntegerIn(0, MAX_SEED)
  seed?: number = 1;

  /** Add `explanation`: the reasons for the pick, and against every other shop. @example false */
  @Optional()
  @IsBoolean()
  explain?: boolean = false;

  static toRoutingRequest({
    amount = 100,
    currency = 'USD',
    country,
    customer_id,
    metadata,
    capture,
    payment_method,
  }: SimulateFlowDto): RoutingRequest {
    const paymentMethod = factsOf(payment_method);
    return {
      amount,
      currency,
      country,
      customerId: customer_id,
      metadata,
      ...(capture && { capture }),
      ...(paymentMethod && { paymentMethod }),
    };
  }

  static toWhatIf({ count, overrides, at_counter, definition, seed = 1, explain = false }: SimulateFlowDto): WhatIf {
    return {
      seed,
      explain,
      ...(count !== undefined && { count }),
      ...(overrides !== undefined && { overrides }),
      ...(at_counter !== undefined && { atCounter: at_counter }),
      ...(definition !== undefined && { definition: definitionOf(definition) }),
    };
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
  /** `null`: no shop of the flow takes the payment, or a rule declines it. */
  primary_shop: PrimaryShopDto | null;
  /** Only if a rule declines the payment: its decline. */
  declined?: RuleDeclinedDto;
  /** @example true */
  simulation_mode: true;
  /** The number of payments that the flow has routed; `null` for a strategy without a counter. @example 42 */
  current_counter: number | null;
  /** The counter after the payment: one more, unless the payment is routed without counting or goes to no shop. @example 43 */
  next_counter: number | null;
}

/** One of `count` payments. */
export class SimulatedPickDto {
  /** Before the payment; `null` for a strategy without a counter. @example 42 */
  counter: number | null;
  /** `null`: no shop of the flow takes the payment, or a rule declines it. @example 3 */
  shop_id: number | null;
}

/** The payments that a shop of the flow gets, out of `count`. */
export class SimulatedShareDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** @example 5 */
  picks: number;
  /** `picks` / `count`. @example 0.5 */
  @ApiDecimal()
  share: number;
}

/** The source of the random numbers of a simulation: not random, but equal in every run. */
export class SimulatedDrawsDto {
  /** @example "seeded" */
  source: 'seeded';
  /** @example 1 */
  seed: number;
}

export class FlowSimulationDto {
  /** Whether there is a shop for the payment. @example true */
  success: boolean;
  flow: SimulatedFlowDto;
  result: SimulationResultDto;
  /** @example true */
  simulation: true;
  /** With `count`: the picks in order. */
  picks?: SimulatedPickDto[];
  /** With `count`: every shop of the flow. */
  shares?: SimulatedShareDto[];
  /** Present if the flow's picks depend on random numbers. */
  draws?: SimulatedDrawsDto;
  /** With `explain`. */
  explanation?: ExplanationDto;

  static from(simulation: Simulation): FlowSimulationDto {
    const { flow, definition, shop, declined, counter, nextCounter, seed, picks, shares, explanation } = simulation;
    const { strategy } = definition;
    return {
      success: shop !== undefined,
      flow: { id: flow.id, name: flow.name, strategy },
      result: {
        strategy,
        primary_shop: shop
          ? { shop_id: shop.shop.id, shop_name: shop.shop.name, priority: shop.priority, weight: shop.weight }
          : null,
        ...(declined && { declined }),
        simulation_mode: true,
        current_counter: counter,
        next_counter: nextCounter,
      },
      simulation: true,
      ...(picks && { picks: picks.map(({ counter: before, shopId }) => ({ counter: before, shop_id: shopId })) }),
      ...(shares && { shares: shares.map((share) => toShare(share, picks?.length ?? 0)) }),
      ...(seed !== undefined && { draws: { source: 'seeded', seed } }),
      ...(explanation && { explanation: ExplanationDto.from(explanation) }),
    };
  }
}

const toShare = ({ shop, picks }: SimulatedShare, count: number): SimulatedShareDto => ({
  shop_id: shop.id,
  shop_name: shop.name,
  picks,
  share: picks / count,
});
