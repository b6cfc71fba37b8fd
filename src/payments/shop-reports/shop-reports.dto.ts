import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import type { DeclineParty } from '../../providers/decline-code.js';
import { COOL_DOWN_MS, FAULT_THRESHOLD, HEALTH_WINDOW_MINUTES, MIN_OUTCOMES } from '../../shops/shop-health.js';
import { ShopHealthDto, ShopOutcomesDto } from '../../shops/shops.dto.js';
import type { ShopReport } from './shop-reports.service.js';

/** When a shop is left out of decisions: at least this share of its outcomes are faults, out of at least so many. */
export class ShopHealthRuleDto {
  /** How far back faults count, the present minute included.
   * @example 5 */
  window_minutes: number;
  /** @example 10 */
  min_outcomes: number;
  /** Of all outcomes of the window.
   * @example 0.5 */
  @ApiDecimal()
  fault_share: number;
  /** For so long after a fault that counted it gets no payments; then it is tried with a trickle.
   * @example 60 */
  cool_down_seconds: number;
}

export class ShopMinuteDto extends ShopOutcomesDto {
  /** When the minute began.
   * @example '2026-11-21T01:02:00.000Z' */
  at: string;
}

export class ShopHourDto extends ShopOutcomesDto {
  /** Approved of all; `null` without any. What strategies that go by approvals decide by.
   * @example 0.92 */
  @ApiDecimal()
  approval_rate: number | null;
}

export class DeclineCodeDto {
  /** One vocabulary for all providers; what it does not have is the provider's own word.
   * @example 'insufficient_funds' */
  code: string;
  /** Whose doing it is: the payer's card or account, the shop and its provider, the issuer's decision, or the shop's
   * configuration: it is asked for payment methods that its account at the provider does not have.
   * @example 'payer' */
  @ApiEnum('DeclineParty', ['payer', 'shop', 'issuer', 'configuration'])
  party: DeclineParty;
  /** In the last 24 hours.
   * @example 3 */
  last_day: number;
  /** In the last 7 days.
   * @example 17 */
  last_week: number;
}

export class ConfigurationFaultsDto {
  /** In the last 24 hours.
   * @example 0 */
  last_day: number;
  /** In the last 7 days.
   * @example 0 */
  last_week: number;
}

export class ShopDeclinesDto {
  /** From when on they are counted: 7 days ago, or later for a shop with very many.
   * @example '2026-11-14T01:02:03.456Z' */
  since: string;
  /** Those that count against the shop's configuration (`unknown_token`): the flows that name it, or its credentials. */
  configuration_faults: ConfigurationFaultsDto;
  /** The most frequent of them, at most 50. */
  codes: DeclineCodeDto[];
}

export class ShopReportDto {
  health: ShopHealthDto;
  /** Until when flows leave it out, unless another fault comes; `null` when they do not.
   * @example '2026-11-21T01:03:03.456Z' */
  unhealthy_until: string | null;
  health_rule: ShopHealthRuleDto;
  /** All of `minutes` together. */
  last_hour: ShopHourDto;
  /** Of the last 60 minutes each, the present one last. */
  minutes: ShopMinuteDto[];
  declines: ShopDeclinesDto;

  static from({ health, unhealthyUntil, total, minutes, declines }: ShopReport): ShopReportDto {
    const sum = total.approved + total.declined + total.failed;
    return {
      health: ShopHealthDto.from(health),
      unhealthy_until: unhealthyUntil?.toISOString() ?? null,
      health_rule: RULE,
      last_hour: { ...total, approval_rate: sum === 0 ? null : total.approved / sum },
      minutes: minutes.map(({ minute, ...counts }) => ({ at: minute.toISOString(), ...counts })),
      declines: {
        since: declines.since.toISOString(),
        configuration_faults: configurationFaultsOf(declines.codes),
        codes: declines.codes.map(({ code, party, lastDay, lastWeek }) => {
          return { code, party, last_day: lastDay, last_week: lastWeek };
        }),
      },
    };
  }
}

function configurationFaultsOf(codes: ShopReport['declines']['codes']): ConfigurationFaultsDto {
  const faults = codes.filter(({ party }) => party === 'configuration');
  return {
    last_day: faults.reduce((sum, { lastDay }) => sum + lastDay, 0),
    last_week: faults.reduce((sum, { lastWeek }) => sum + lastWeek, 0),
  };
}

const RULE: ShopHealthRuleDto = {
  window_minutes: HEALTH_WINDOW_MINUTES,
  min_outcomes: MIN_OUTCOMES,
  fault_share: FAULT_THRESHOLD,
  cool_down_seconds: COOL_DOWN_MS / 1_000,
};
