import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { IsPositive, Max } from 'class-validator';
import { ApiDecimal } from '../../openapi/api-field.js';
import { IsInteger, IsIntegerIn, IsObjectOf, IsTime, Optional } from '../../platform/http/validation/field-rules.js';
import { invalidField } from '../../shared/problem.js';
import { ExplanationDto } from '../simulation/explanation.dto.js';
import { FlowDefinitionDto } from '../definition/definition.dto.js';
import type { StrategyName } from '@payment-orchestrator/routing/definition/definition';
import type { Cost } from '@payment-orchestrator/routing/backtest/cost-sums';
import type { Difference, Inputs, Move } from '@payment-orchestrator/routing/backtest/backtest';
import type { BacktestRequest, BacktestResult } from './backtest.service.js';
import { ApprovalEstimateDto } from './approval.dto.js';
import { drawsAtRandom, hasCounter } from '@payment-orchestrator/routing/strategies/strategies';

const MAX_PAYMENTS = 100_000;
const MAX_VERSION = 2 ** 31 - 1;
const MAX_SEED = 2 ** 32 - 1;
/** The maximum number of moves in an answer: a round-robin flow of 300 shops can move payments between any two of them. */
const MAX_MOVES = 1_000;

/** Requires `definition` or `version`. */
export class ReplayFlowDto {
  /** A draft; it must be as valid as a stored one. */
  @Optional()
  @IsObjectOf(() => FlowDefinitionDto)
  definition?: FlowDefinitionDto;

  /** A stored version, active or not. @example 2 */
  @Optional()
  @IsInteger()
  @IsPositive()
  @Max(MAX_VERSION)
  version?: number;

  /** Payments created at this time or later; default: all. @example "2026-11-20T00:00:00Z" */
  @Optional()
  @IsTime()
  from?: string;

  /** Payments created before this time. @example "2026-11-21T00:00:00Z" */
  @Optional()
  @IsTime()
  to?: string;

  /** The maximum number of payments; if there are more, the newest are used. @example 100000 */
  @Optional()
  @IsIntegerIn(1, MAX_PAYMENTS)
  limit?: number = MAX_PAYMENTS;

  /** The seed of the random numbers for payments without a recorded one: the same seed gives the same result. @example 1 */
  @Optional()
  @IsIntegerIn(0, MAX_SEED)
  seed?: number = 1;

  /** Throws `validation_failed` unless there is either a definition or a version, or if `from` is not before `to`. */
  static toRequest({ definition, version, from, to, limit = MAX_PAYMENTS, seed = 1 }: ReplayFlowDto): BacktestRequest {
    const draft = definition ? definitionOf(definition) : version;
    if (draft === undefined) throw invalidField('definition', 'is required without version');
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
  /** The share of all payments. @example 0.6 */
  @ApiDecimal()
  share: number;
}

export class ReplayedShopDto {
  /** @example 3 */
  shop_id: number;
  /** @example "Berlin" */
  shop_name: string;
  /** The picks of the payments' own decisions, before any failover. */
  before: ShareDto;
  /** The picks of the draft. */
  after: ShareDto;
}

/** The number of payments that change from one shop to another. */
export class MoveDto {
  /** `null`: a rule declined them. @example 3 */
  from_shop_id: number | null;
  /** `null`: no shop takes them, or a rule declines them. @example 5 */
  to_shop_id: number | null;
  /** Whether a rule of the draft declines them. @example false */
  declined: boolean;
  /** @example 120 */
  payments: number;

  static from({ from, to, isDeclined, payments }: Move): MoveDto {
    return { from_shop_id: from, to_shop_id: to, declined: isDeclined, payments };
  }
}

/** A payment that would have gone to another shop. */
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
  /** `null`: a rule declined it. @example 3 */
  from_shop_id: number | null;
  /** `null`: no shop takes it, or a rule declines it. @example 5 */
  to_shop_id: number | null;
  /** The reasons of the draft's decision; `GET /payments/{id}/decision` has those of the original one. */
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

/**
 * The fees of the payments in one currency by the shops' fees of now, as if the first shop charged every payment. The
 * payments in the sums are those whose fees are known before and after.
 */
export class CostDto {
  /** @example "EUR" */
  currency: string;
  /** The payments in the sums. @example 980 */
  payments: number;
  /** At the shops that the past decisions picked. @example 1234.56 */
  @ApiDecimal()
  before: number;
  /** At the shops that the draft picks. @example 1180.2 */
  @ApiDecimal()
  after: number;
  /** `after` minus `before`. @example -54.36 */
  @ApiDecimal()
  difference: number;
  /** Payments in neither sum: a fee is unknown, or they go to no shop before or after. @example 20 */
  without_fees: number;

  static from({ withoutFees, ...cost }: Cost): CostDto {
    return { ...cost, without_fees: withoutFees };
  }
}

/** Payments that a rule declines, which go to no shop. */
export class ReplayDeclinesDto {
  /** By the payments' own decisions. @example 0 */
  before: number;
  /** By the draft. @example 15 */
  after: number;
}

/** The sources of the counters in the draft's decisions. */
export class ReplayCounterDto {
  /** Payments that kept the counter of their own decision. @example 990 */
  recorded: number;
  /** Payments without a counter: they are counted 0, 1, 2 … in the order of their creation. @example 10 */
  from_zero: number;

  static from({ recorded, made }: Inputs): ReplayCounterDto {
    return { recorded, from_zero: made };
  }
}

/** The sources of the random numbers in the draft's decisions. */
export class ReplayDrawsDto {
  /** Payments that kept the random number of their own decision. @example 990 */
  recorded: number;
  /** Payments without one: they use the next number of a generator. @example 10 */
  seeded: number;
  /** The seed of the generator. @example 1 */
  seed: number;
}

/** An assertion of the draft that does not hold, or that takes too long to check. */
export class AssertionViolationDto {
  /** @example "assertions[0]" */
  field: string;
  /** @example "must never go to shop 3, but {\"amount\":5,\"currency\":\"USD\"} can" */
  message: string;
}

/** The results of past payments under the draft. */
export class ReplayResultDto {
  flow: ReplayedFlowDto;
  /** The number of payments. @example 1000 */
  payments: number;
  /** Whether the range has more payments than `limit`; the oldest ones were omitted. @example false */
  truncated: boolean;
  /** The creation time of the first payment. @example "2026-11-20T00:00:01.234Z" */
  first_created_at: string | null;
  /** @example "2026-11-20T23:59:58.765Z" */
  last_created_at: string | null;
  /** Shops of the draft and of the past decisions, by id. */
  shops: ReplayedShopDto[];
  /** The number of payments that go to another shop, or to none. @example 120 */
  changed: number;
  /** The number of payments that the draft has no shop for. @example 0 */
  without_shop: number;
  /** The payments that rules decline; they are not part of `without_shop`. */
  declined: ReplayDeclinesDto;
  /** The moves between shops, or from and to none, most payments first: at most 1000. */
  moves: MoveDto[];
  /** The first 20 changed payments, in the order of creation. */
  differences: DifferenceDto[];
  /** The assertions of the draft that would refuse its activation, each with an example request; empty: all hold. */
  violations: AssertionViolationDto[];
  /** The estimated approval rate of the draft. */
  approval: ApprovalEstimateDto;
  /** The fees before and after by currency, most payments first. */
  costs: CostDto[];
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
      declined: { ...backtest.declined },
      moves: backtest
        .moves()
        .slice(0, MAX_MOVES)
        .map((move) => MoveDto.from(move)),
      differences: backtest.differences.map((difference) => DifferenceDto.from(difference)),
      violations: result.violations.map(({ field, message }) => ({ field, message })),
      approval: ApprovalEstimateDto.from(backtest.approval),
      costs: backtest.costs.costs((id) => result.shops.get(id)?.fees).map((cost) => CostDto.from(cost)),
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
