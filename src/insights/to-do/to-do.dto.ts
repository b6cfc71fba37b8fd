import type { Scope } from '../../access/scopes.js';
import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { toJsonAmount } from '../../shared/money.js';
import type { ToDo } from './to-do.service.js';
import { TO_DO_KINDS, type ToDoKind } from './to-do-kinds.js';
import { SCOPES_OF, type ToDoLine } from './to-do.js';

export class ToDoAmountDto {
  /** @example 'EUR' */
  currency: string;
  /** @example 1249.50 */
  @ApiDecimal()
  amount: number;
}

export class ToDoShopDto {
  /** @example 3 */
  id: number;
  /** @example 'Berlin' */
  name: string;
}

/** An approval rate that is lower than the day before, beyond chance. Rates are from 0 to 1. */
export class FallenRateDto {
  /** `null`: unknown. @example 'visa' */
  card_scheme: string | null;
  /** When it fell. @example 0.71 */
  @ApiDecimal()
  approval_rate: number;
  /** The rate of the 24 hours before. @example 0.92 */
  @ApiDecimal()
  approval_rate_before: number;
  /** Attempts in the 24 hours until it fell. @example 240 */
  attempts: number;
}

/** A version of a flow. */
export class ToDoFlowDto {
  /** @example 2 */
  id: number;
  /** @example 'checkout' */
  name: string;
  /** The version that waits for an approval. @example 5 */
  version: number;
}

/** A page of the console. */
export class ConsoleLinkDto {
  /** Below `/console`. @example '/payments' */
  path: string;
  /** Its filter; the list of the API takes the same. @example { "lapses_before": "2026-11-22T01:02:03.456Z" } */
  query: Record<string, string>;
}

export class ToDoLineDto {
  /**
   * `evidence_overdue`, `evidence_due`: open disputes whose evidence is overdue, or due within seven days. `lapses_in_24_hours`,
   * `lapses_in_3_days`: authorised payments that lapse within a day, or within the two days after, without a capture.
   * `operations_to_settle`: only a person can find their outcome. `alarms`: notifications of providers that need a person.
   * `shop_down`: a shop whose payments fail by its own fault. `approvals_fell`: a shop approves fewer payments of a card scheme, beyond
   * chance. `endpoints_failing`: endpoints that have received nothing for five minutes. `approval_waiting`: a version of a flow that you may
   * approve.
   * @example 'lapses_in_24_hours'
   */
  @ApiEnum('ToDoKind', TO_DO_KINDS)
  kind: ToDoKind;
  /** Counted up to 10,000. @example 12 */
  count: number;
  /** Since when the oldest waits; `null`: it has only a deadline. @example null */
  since: string | null;
  /** The earliest deadline; `null`: none. @example '2026-11-21T18:00:00.000Z' */
  until: string | null;
  /** The money at stake, by currency; empty: none. */
  amounts: ToDoAmountDto[];
  /** The shop that it is about; `null`: several, or none. */
  shop: ToDoShopDto | null;
  /** Only of `approvals_fell`. */
  approvals: FallenRateDto | null;
  /** Only of `approval_waiting`. */
  flow: ToDoFlowDto | null;
  link: ConsoleLinkDto;

  static from({ kind, count, since, until, amounts, shop, approvals, flow, link }: ToDoLine): ToDoLineDto {
    return {
      ...{ kind, count, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null },
      amounts: amounts.map(({ currency, amount }) => ({ currency, amount: toJsonAmount(amount) })),
      shop,
      approvals: approvals && {
        ...{ card_scheme: approvals.scheme || null, approval_rate: approvals.rate },
        ...{ approval_rate_before: approvals.rateBefore, attempts: approvals.attempts },
      },
      flow,
      link,
    };
  }
}

export class LeftOutDto {
  /** @example 'shop_down' */
  @ApiEnum('ToDoKind', TO_DO_KINDS)
  kind: ToDoKind;
  /** The scope that shows it. @example 'shops:read' */
  scope: string;
}

export class ToDoDto {
  /** The time of the data; at most two seconds ago. @example '2026-11-21T01:02:03.456Z' */
  at: string;
  /** By deadline: overdue, without a deadline, due later. Empty: nothing waits. */
  lines: ToDoLineDto[];
  /** Kinds that the caller may not see. */
  left_out: LeftOutDto[];

  static from({ at, lines }: ToDo, scopes: readonly Scope[]): ToDoDto {
    const leftOut = TO_DO_KINDS.flatMap((kind) => {
      const scope = SCOPES_OF[kind];
      return scope === undefined || scopes.includes(scope) ? [] : [{ kind, scope }];
    });
    const isSeen = ({ kind }: ToDoLine): boolean => leftOut.every((each) => each.kind !== kind);
    return {
      at: at.toISOString(),
      lines: lines.filter(isSeen).map((line) => ToDoLineDto.from(line)),
      left_out: leftOut,
    };
  }
}
