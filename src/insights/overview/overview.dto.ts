import { ApiDecimal, ApiEnum } from '../../openapi/api-field.js';
import { ALARM_REASONS, type AlarmReason } from '../../shared/alarm.js';
import { toJsonAmount } from '../../shared/money.js';
import {
  type ApprovalsRow,
  type DeliveriesRow,
  HOURS,
  MINUTES,
  type OpenAlarmRow,
  type OpenOperationRow,
  type OpenRow,
  type WaitingNotificationRow,
} from './overview.queries.js';
import type { OpenWork, Overview } from './overview.service.js';

const OPEN_STATES = ['open', 'pending', 'unknown'] as const;
const iso = (time: Date | null): string | null => time && time.toISOString();

/** Attempts to authorize by their outcome, as `GET /insights/approvals` counts them. */
export class OutcomeCountsDto {
  /** @example 118 */
  approved: number;
  /** @example 12 */
  declined: number;
  /** Without a valid answer of the provider. @example 1 */
  failed: number;
}

export class ShopApprovalsDto extends OutcomeCountsDto {
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** 24 hours, oldest first; the last one is the current hour. */
  hours: OutcomeCountsDto[];
}

export class ApprovalsDto {
  /** The beginning of the first hour. @example '2026-11-21T02:00:00.000Z' */
  from: string;
  /** At most 100, those with the most outcomes. */
  shops: ShopApprovalsDto[];

  static from(rows: ApprovalsRow[]): ApprovalsDto {
    const shops = new Map<number, ShopApprovalsDto>();
    for (const row of rows) addHour(shops, row);
    const from = rows[0]?.first_hour ?? new Date(new Date().setUTCMinutes(0, 0, 0) - (HOURS - 1) * 3_600_000);
    return { from: from.toISOString(), shops: [...shops.values()] };
  }
}

function addHour(shops: Map<number, ShopApprovalsDto>, row: ApprovalsRow): void {
  const { shop_id, shop_name, place, ...counts } = row;
  const shop = shops.get(shop_id) ?? { shop_id, shop_name, ...noOutcomes(), hours: listOf(HOURS, noOutcomes) };
  shops.set(shop_id, shop);
  const hour = place === null ? undefined : shop.hours[place];
  if (!hour) return;
  for (const name of ['approved', 'declined', 'failed'] as const) {
    hour[name] += counts[name];
    shop[name] += counts[name];
  }
}

const listOf = <T>(length: number, make: () => T): T[] => Array.from({ length }, make);
const noOutcomes = (): OutcomeCountsDto => ({ approved: 0, declined: 0, failed: 0 });

/** The results of delivery attempts. */
export class MinuteOfDeliveriesDto {
  /** Deliveries that arrived. @example 240 */
  delivered: number;
  /** Failed attempts that will be retried. @example 3 */
  retried: number;
  /** Deliveries that failed permanently. @example 0 */
  failed: number;
}

export class DeliveriesByMinuteDto {
  /** The beginning of the first minute. @example '2026-11-22T00:03:00.000Z' */
  from: string;
  /** 60 minutes, oldest first; the last one is the current minute. Attempts of the last two seconds may be missing. */
  minutes: MinuteOfDeliveriesDto[];

  static from(rows: DeliveriesRow[]): DeliveriesByMinuteDto {
    const minutes = listOf(MINUTES, () => ({ delivered: 0, retried: 0, failed: 0 }));
    for (const { place, delivered, retried, failed } of rows)
      if (place !== null && minutes[place]) minutes[place] = { delivered, retried, failed };
    return { from: rows[0]!.first_minute.toISOString(), minutes };
  }
}

export class OpenCountsDto {
  /** Deliveries that wait for an attempt; like all counts here, counted up to 10,000. @example 3 */
  pending_deliveries: number;
  /** Deliveries created during the last 24 hours that have failed permanently and were not sent again. @example 0 */
  failed_deliveries: number;
  /** Since when the oldest due delivery has been due; `null` if none is due. */
  oldest_due_delivery_at: string | null;
  /** Endpoints that have received nothing for five minutes. @example 0 */
  failing_endpoints: number;
  /** Charges, voids and refunds whose outcome the provider has not reported yet. @example 1 */
  open_operations: number;
  /** @example '2026-11-22T01:02:03.456Z' */
  oldest_operation_at: string | null;
  /** Notifications of providers that cannot be applied yet, most of them for unknown payments. @example 0 */
  waiting_notifications: number;
  /** When the oldest of them was received. */
  oldest_notification_at: string | null;
  /** Notifications that need a person and that no one has acknowledged. @example 0 */
  alarms: number;
  /** When the oldest of them was received. */
  oldest_alarm_at: string | null;

  static from(row: OpenRow): OpenCountsDto {
    return {
      pending_deliveries: row.pending,
      failed_deliveries: row.failed,
      oldest_due_delivery_at: iso(row.oldest_due_at),
      failing_endpoints: row.failing,
      open_operations: row.operations,
      oldest_operation_at: iso(row.oldest_operation_at),
      waiting_notifications: row.notifications,
      oldest_notification_at: iso(row.oldest_notification_at),
      alarms: row.alarms,
      oldest_alarm_at: iso(row.oldest_alarm_at),
    };
  }
}

export class OverviewDto {
  /** The time of the data; at most two seconds ago. @example '2026-11-22T01:02:05.000Z' */
  at: string;
  approvals: ApprovalsDto;
  deliveries: DeliveriesByMinuteDto;
  open: OpenCountsDto;

  static from({ approvals, deliveries, open }: Overview): OverviewDto {
    return {
      at: open.at.toISOString(),
      approvals: ApprovalsDto.from(approvals),
      deliveries: DeliveriesByMinuteDto.from(deliveries),
      open: OpenCountsDto.from(open),
    };
  }
}

export class OpenOperationDto {
  /** @example 17 */
  id: number;
  /** @example 4711 */
  payment_id: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** @example 'charge' */
  kind: 'charge' | 'void' | 'refund' | 'capture';
  /** `open`: recorded, may be in progress. `unknown`: sent, but not answered. `pending`: the provider will report the outcome later.
   * @example 'unknown' */
  @ApiEnum('OpenOperationState', OPEN_STATES)
  state: (typeof OPEN_STATES)[number];
  /** The number of requests to the provider. @example 2 */
  tries: number;
  /** @example '2026-11-22T01:02:03.456Z' */
  created_at: string;
  /** When the provider is asked again; `null`: no longer asked, a person must check at the provider. */
  next_try_at: string | null;
  /** The provider's last reason, if known. @example null */
  reason: string | null;

  static from(row: OpenOperationRow): OpenOperationDto {
    return { ...row, created_at: row.created_at.toISOString(), next_try_at: iso(row.next_try_at) };
  }
}

export class WaitingNotificationDto {
  /** @example 815 */
  id: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** @example 'sandbox' */
  provider: string;
  /** @example 'evt_1' */
  notification_id: string;
  /** @example 'sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11' */
  provider_transaction_id: string | null;
  /** `null` while the shop has no payment for it. */
  payment_id: number | null;
  /** The reason why it cannot be applied yet. @example 'unknown_payment' */
  reason: string | null;
  /** @example '2026-11-22T01:02:03.456Z' */
  received_at: string;

  static from(row: WaitingNotificationRow): WaitingNotificationDto {
    return { ...row, received_at: row.received_at.toISOString() };
  }
}

export class OpenAlarmDto {
  /** The id of the notification: `POST /providers/notifications/{id}/acknowledge` ends the alarm. @example 816 */
  id: number;
  /** @example 3 */
  shop_id: number;
  /** @example 'Main shop' */
  shop_name: string;
  /** @example 'stripe' */
  provider: string;
  /** @example 4711 */
  payment_id: number | null;
  /**
   * `amount_differs`: the provider has another amount or currency than the payment. `other_refund`: more was
   * refunded than captured, or a refund was made at the provider while ours had no answer. `refund_failed`, `void_failed`: a refund or void failed
   * after its confirmation, or one that the service did not request failed. `capture_failed`: the provider did not get
   * the money of a payment that it had approved. For the necessary steps see docs/operate/runbook.md,
   * ProviderAlarmOpen.
   * @example 'amount_differs'
   */
  @ApiEnum('AlarmReason', ALARM_REASONS)
  reason: AlarmReason;
  /** The amount that the provider reported, if any.
   * @example 49.90 */
  @ApiDecimal()
  amount: number | null;
  /** @example 'EUR' */
  currency: string | null;
  /** @example '2026-11-22T01:02:03.456Z' */
  received_at: string;

  static from(row: OpenAlarmRow): OpenAlarmDto {
    const amount = row.amount === null ? null : toJsonAmount(row.amount);
    return { ...row, amount, received_at: row.received_at.toISOString() };
  }
}

export class OpenWorkDto {
  /** The oldest 100, oldest first. */
  operations: OpenOperationDto[];
  /** The oldest 100, oldest first. */
  notifications: WaitingNotificationDto[];
  /** The oldest 100, oldest first. */
  alarms: OpenAlarmDto[];

  static from({ operations, notifications, alarms }: OpenWork): OpenWorkDto {
    return {
      operations: operations.map((row) => OpenOperationDto.from(row)),
      notifications: notifications.map((row) => WaitingNotificationDto.from(row)),
      alarms: alarms.map((row) => OpenAlarmDto.from(row)),
    };
  }
}
