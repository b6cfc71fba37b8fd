import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import type { DeclineParty } from '@payment-orchestrator/provider-kit';
import { COOL_DOWN_MS, FAULT_THRESHOLD, HEALTH_WINDOW_MINUTES, MIN_OUTCOMES } from '../../shops/shop-health.js';
import { ShopHealthDto, ShopOutcomesDto } from '../../shops/api/shops.dto.js';
import type { ShopReport } from './shop-reports.service.js';

/**
 * The rule that excludes a shop from decisions: at least this share of its outcomes are faults, with at least this many
 * outcomes.
 */
export class ShopHealthRuleDto {
  /** Length of the window in which faults count, with the current minute. @example 5 */
  window_minutes: number;
  /** @example 10 */
  min_outcomes: number;
  /** Share of all outcomes of the window. @example 0.5 */
  @ApiDecimal()
  fault_share: number;
  /** Time without payments after the last fault that counted; then the shop gets a few test payments. @example 60 */
  cool_down_seconds: number;
}

export class ShopMinuteDto extends ShopOutcomesDto {
  /** When the minute began. @example '2026-11-21T01:02:00.000Z' */
  at: string;
}

export class ShopHourDto extends ShopOutcomesDto {
  /**
   * Share of approved outcomes; `null` without any outcome. Strategies that use approval rates are based on it. It is not
   * the approval rate of `GET /insights/approvals`, where declines by the payer's card and wrong configuration count too.
   * @example 0.92
   */
  @ApiDecimal()
  routing_rate: number | null;
  /** The former name of `routing_rate`.
   * @example 0.92
   * @deprecated */
  @ApiDecimal()
  approval_rate: number | null;
}

export class DeclineCodeDto {
  /** One list of codes for all providers; other codes are the provider's own. @example 'insufficient_funds' */
  code: string;
  /**
   * The party that caused it: the payer's card or account; the shop and its provider; the issuer's decision; or the
   * shop's configuration, if its account at the provider does not have the payment method.
   * @example 'payer'
   */
  @ApiEnum('DeclineParty', ['payer', 'shop', 'issuer', 'configuration'])
  party: DeclineParty;
  /** In the last 24 hours. @example 3 */
  last_day: number;
  /** In the last 7 days. @example 17 */
  last_week: number;
}

export class ConfigurationFaultsDto {
  /** In the last 24 hours. @example 0 */
  last_day: number;
  /** In the last 7 days. @example 0 */
  last_week: number;
}

export class ShopDeclinesDto {
  /**
   * Start of the counted time: 7 days ago, or later for a shop with very many declines.
   * @example '2026-11-14T01:02:03.456Z'
   */
  since: string;
  /**
   * Declines because of the shop's configuration (`payment_method_unusable`, `permission_missing`): check the flows with this shop, and its
   * credentials.
   */
  configuration_faults: ConfigurationFaultsDto;
  /** The most frequent codes, at most 50. */
  codes: DeclineCodeDto[];
}

export class ShopReportDto {
  health: ShopHealthDto;
  /**
   * End of the time in which flows exclude the shop, unless another fault occurs; `null` if they do not.
   * @example '2026-11-21T01:03:03.456Z'
   */
  unhealthy_until: string | null;
  health_rule: ShopHealthRuleDto;
  /** The sum of `minutes`. */
  last_hour: ShopHourDto;
  /** The last 60 minutes, the current one last. */
  minutes: ShopMinuteDto[];
  declines: ShopDeclinesDto;

  static from({ health, unhealthyUntil, total, minutes, declines, isAvailable }: ShopReport): ShopReportDto {
    const sum = total.approved + total.declined + total.failed;
    const rate = sum === 0 ? null : total.approved / sum;
    return {
      health: ShopHealthDto.from(health, isAvailable),
      unhealthy_until: unhealthyUntil?.toISOString() ?? null,
      health_rule: RULE,
      last_hour: { ...total, routing_rate: rate, approval_rate: rate },
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
