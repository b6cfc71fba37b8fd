import { Type } from 'class-transformer';
import { IsObject, IsPositive, Max, Min, ValidateNested } from 'class-validator';
import { ApiDecimal } from '../../openapi/api-field.js';
import { IsInteger, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { invalidField } from '../../shared/problem.js';
import { ExplanationDto } from '../simulation/explanation.dto.js';
import { FlowDefinitionDto } from '../definition/definition.dto.js';
import type { StrategyName } from '../definition/definition.js';
import type { Difference, Inputs, Move } from './backtest.js';
import type { BacktestRequest, BacktestResult } from './backtest.service.js';
import { ApprovalEstimateDto } from './approval.dto.js';
import { drawsAtRandom, hasCounter } from '../routing/strategies/strategies.js';

const MAX_PAYMENTS = 100_000;
const MAX_VERSION = 2 ** 31 - 1;
const MAX_SEED = 2 ** 32 - 1;
/** A flow of 300 shops that takes turns can move payments between every two of them. */
const MAX_MOVES = 1_000;

/** `definition` or `version`. */
export class ReplayFlowDto {
  /** A draft, checked as one that is to be stored. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => FlowDefinitionDto)
  definition?: FlowDefinitionDto;

  /** A stored version, active or not. @example 2 */
  @Optional()
  @IsInteger()
  @IsPositive()
  @Max(MAX_VERSION)
  version?: number;

  /** Payments created from this moment on; all when it is left out. @example "2026-11-20T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** And before this moment. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  /** At most so many; of more payments, the newest. @example 100000 */
  @Optional()
  @IsInteger()
  @Min(1)
  @Max(MAX_PAYMENTS)
  limit?: number = MAX_PAYMENTS;

  /** Of the random numbers for payments that had none: the same seed, the same result. @example 1 */
  @Optional()
  @IsInteger()
  @Min(0)
  @Max(MAX_SEED)
  seed?: number = 1;

  /** Throws `validation_failed` unless there is either a definition or a version, and when `from` is not before `to`. */
  static toRequest({ definition, version, from, to, limit = MAX_PAYMENTS, seed = 1 }: ReplayFlowDto): BacktestRequest {
    const draft = definition ? FlowDefinitionDto.toDefinition(definition) : version;
    if (draft === undefined) throw invalidField('definition', 'is required, unless there is a version');
    if (definition && version !== undefined) throw invalidField('version', 'cannot be given together with definition');
    const range = {
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    };
    if (range.from && range.to && range.from >= range.to) throw invalidField('to', 'must be later than from');
    return { draft, ...range, limit, seed };
  }
}

export class ReplayedFlowDto {
  /** @example 12 */
  id: number;
  /** @example "checkout" */
  name: string;
  /** `null`: a draft that is not stored. @example 2 */
  version: number | null;
  /** @example "weighted" */
  strategy: StrategyName;
}

export class ShareDto {
  /** @example 600 */
  payments: number;
  /** Of all the payments that were replayed. @example 0.6 */
  @ApiDecimal()
  share: number;
}

export class ReplayedShopDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** What the payments' own decisions picked, whatever shop took them in the end. */
  before: ShareDto;
  /** What the draft picks. */
  after: ShareDto;
}

/** How many payments change from one shop to another. */
export class MoveDto {
  /** @example 3 */
  from_shop_id: number;
  /** `null`: no shop takes them. @example 5 */
  to_shop_id: number | null;
  /** @example 120 */
  payments: number;

  static from({ from, to, payments }: Move): MoveDto {
    return { from_shop_id: from, to_shop_id: to, payments };
  }
}

/** A payment that would have gone elsewhere. */
export class DifferenceDto {
  /** @example 4711 */
  payment_id: number;
  /** @example "2026-11-20T01:02:03.456Z" */
  created_at: string;
  /** @example 49.90 */
  @ApiDecimal()
  amount: number;
  /** @example "EUR" */
  currency: string;
  /** @example "DE" */
  country: string | null;
  /** @example 3 */
  from_shop_id: number;
  /** `null`: no shop takes it. @example 5 */
  to_shop_id: number | null;
  /** Why the draft decides so; `GET /payments/{id}/decision` tells why it was decided otherwise. */
  explanation: ExplanationDto;

  static from({ payment, shopId, explanation }: Difference): DifferenceDto {
    return {
      payment_id: payment.id,
      created_at: payment.createdAt.toISOString(),
      amount: payment.request.amount,
      currency: payment.request.currency,
      country: payment.request.country ?? null,
      from_shop_id: payment.picked,
      to_shop_id: shopId,
      explanation: ExplanationDto.from(explanation),
    };
  }
}

/** How the draft's decisions came by their counters. */
export class ReplayCounterDto {
  /** So many kept the counter that their own decision had. @example 990 */
  recorded: number;
  /** So many had none, and counted 0, 1, 2 … among themselves, in the order of their creation. @example 10 */
  from_zero: number;

  static from({ recorded, made }: Inputs): ReplayCounterDto {
    return { recorded, from_zero: made };
  }
}

/** How the draft's decisions came by their random numbers. */
export class ReplayDrawsDto {
  /** So many kept the one that their own decision had. @example 990 */
  recorded: number;
  /** So many had none, and took the next one of a generator. @example 10 */
  seeded: number;
  /** What the generator started from. @example 1 */
  seed: number;
}

/** What would have become of past payments. */
export class ReplayResultDto {
  flow: ReplayedFlowDto;
  /** How many payments were replayed. @example 1000 */
  payments: number;
  /** The range holds more payments than `limit`; the oldest ones were left out. @example false */
  truncated: boolean;
  /** Of the payments replayed. @example "2026-11-20T00:00:01.234Z" */
  first_created_at: string | null;
  /** @example "2026-11-20T23:59:58.765Z" */
  last_created_at: string | null;
  /** Shops of the draft and of the past, by id. */
  shops: ReplayedShopDto[];
  /** How many payments go to another shop, or to none. @example 120 */
  changed: number;
  /** How many of them to none. @example 0 */
  without_shop: number;
  /** From where to where, most payments first: at most 1000. */
  moves: MoveDto[];
  /** The first 20, in the order of creation. */
  differences: DifferenceDto[];
  /** What the draft would have earned, as far as the past can tell. */
  approval: ApprovalEstimateDto;
  /** `null`: the draft needs none. */
  counter: ReplayCounterDto | null;
  /** `null`: the draft needs none. */
  draws: ReplayDrawsDto | null;

  static from(result: BacktestResult): ReplayResultDto {
    const { flow, version, definition, backtest, seed, first, last, isCut } = result;
    return {
      flow: { id: flow.id, name: flow.name, version, strategy: definition.strategy },
      payments: backtest.payments,
      truncated: isCut,
      first_created_at: first?.toISOString() ?? null,
      last_created_at: last?.toISOString() ?? null,
      shops: toShops(result),
      changed: backtest.changed,
      without_shop: backtest.withoutShop,
      moves: backtest
        .moves()
        .slice(0, MAX_MOVES)
        .map((move) => MoveDto.from(move)),
      differences: backtest.differences.map((difference) => DifferenceDto.from(difference)),
      approval: ApprovalEstimateDto.from(backtest.approval),
      counter: hasCounter(definition) ? ReplayCounterDto.from(backtest.counters) : null,
      draws: drawsAtRandom(definition)
        ? { recorded: backtest.draws.recorded, seeded: backtest.draws.made, seed }
        : null,
    };
  }
}

function toShops({ backtest, definition, shops }: BacktestResult): ReplayedShopDto[] {
  const ids = new Set([...definition.shops.map((shop) => shop.shop_id), ...backtest.before.keys()]);
  const shareIn = (counts: ReadonlyMap<number, number>, id: number): ShareDto => {
    const payments = counts.get(id) ?? 0;
    return { payments, share: backtest.payments === 0 ? 0 : payments / backtest.payments };
  };
  return [...ids]
    .sort((one, other) => one - other)
    .map((id) => ({
      shop_id: id,
      shop_name: shops.get(id)!.name,
      before: shareIn(backtest.before, id),
      after: shareIn(backtest.after, id),
    }));
}
