import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../platform/database/database.js';
import { DatabaseGauges } from '../platform/database/database-gauges.js';
import { Clock, daysBefore, MINUTE_MS } from '../shared/clock.js';
import { STATS_WINDOW_MINUTES } from './shop-outcomes-sql.js';
import {
  COOL_DOWN_MS,
  HEALTH_WINDOW_MINUTES,
  type HealthState,
  coolDownEnd,
  healthAt,
  type OutcomeCounts,
} from './shop-health.js';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import {
  COUNT_UNHEALTHY,
  SHOP_MINUTES,
  type ShopMinuteRow,
  type ShopStatsRow,
  SHOP_OUTAGES,
  SHOP_STATS,
  DECLINES_TO_CORRECT,
  type DeclinesToCorrect,
  SHOP_WARNINGS,
  outageOf,
  recentOf,
  windowStart,
} from './shop-outcomes.queries.js';

/** Limit of counted declines, which takes some ten milliseconds. */
export const MAX_DECLINES = 20_000;

/** A shop's health and the outcomes that it is based on. */
export interface ShopHealthReport extends HealthState {
  /** The outcomes that count towards it. */
  window: OutcomeCounts;
}

/** The last hour of a shop, from which routing by approval rates has its routing rate. */
export interface ShopHour {
  health: ShopHealthReport;
  /** `null` unless the shop is excluded now. */
  unhealthyUntil: Date | null;
  total: OutcomeCounts;
  /** Each of its minutes, oldest first. */
  minutes: ShopMinuteRow[];
}

/** Statistics of shops, always read from stored rows, so every process sees the same. */
@Injectable()
export class ShopStatsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads in one statement. A shop without an entry is healthy and has no recent outcomes. */
  async statsOf(shopIds: number[]): Promise<Map<number, ShopStats>> {
    const stats = await this.read(SHOP_STATS, shopIds);
    return new Map([...stats].filter(([, shop]) => isNotable(shop)));
  }

  /**
   * Returns only unhealthy shops, usually none. A look-up by primary key, for decisions that do not use approval rates.
   */
  outages(shopIds: number[]): Promise<Map<number, ShopStats>> {
    return this.read(SHOP_OUTAGES, shopIds);
  }

  /** Since when each of the shops that are down has been down; the others have no entry. */
  async downSince(shopIds: number[]): Promise<Map<number, Date>> {
    const rows = await this.rows(SHOP_OUTAGES, shopIds, this.clock.now());
    return new Map(rows.map(({ shop_id: id, began_at: since }) => [id, since!]));
  }

  async health(shopId: number): Promise<ShopHealthReport> {
    const now = this.clock.now();
    const [row] = await this.rows(SHOP_STATS, [shopId], now);
    return { ...healthAt(outageOf(row!), now), window: recentOf(row!) };
  }

  async lastHour(shopId: number): Promise<ShopHour> {
    const now = this.clock.now();
    const from = windowStart(now, STATS_WINDOW_MINUTES);
    const [[row], counted] = await Promise.all([
      this.rows(SHOP_STATS, [shopId], now),
      this.database.query<ShopMinuteRow>(SHOP_MINUTES, [shopId, from]),
    ]);
    const { approved, declined, failed } = row!;
    const outage = outageOf(row!);
    const health = { ...healthAt(outage, now), window: recentOf(row!) };
    return {
      health,
      unhealthyUntil: health.status === 'unhealthy' ? coolDownEnd(outage!) : null,
      total: { approved, declined, failed },
      minutes: everyMinute(from, counted),
    };
  }

  /** Faults that the merchant should correct, by the newest declines of the last day. */
  warnings(shopId: number): Promise<DeclinesToCorrect[]> {
    const values = [shopId, daysBefore(this.clock.now(), 1), SHOP_WARNINGS, MAX_DECLINES];
    return this.database.query<DeclinesToCorrect>(DECLINES_TO_CORRECT, values);
  }

  private async read(statement: Statement, shopIds: number[]): Promise<Map<number, ShopStats>> {
    const now = this.clock.now();
    const rows = await this.rows(statement, shopIds, now);
    return new Map(
      rows.map((row) => {
        const { shop_id: id, approved, declined, failed, unusable } = row;
        const { status: health } = healthAt(outageOf(row), now);
        return [id, { approved, declined, failed, ...(unusable > 0 && { unusable }), health }];
      }),
    );
  }

  private rows(statement: Statement, shopIds: number[], now: Date): Promise<ShopStatsRow[]> {
    const windows = [STATS_WINDOW_MINUTES, HEALTH_WINDOW_MINUTES].map((minutes) => windowStart(now, minutes));
    return this.database.query<ShopStatsRow>(statement, [shopIds, ...windows]);
  }
}

function everyMinute(from: Date, counted: ShopMinuteRow[]): ShopMinuteRow[] {
  const byTime = new Map(counted.map((row) => [row.minute.getTime(), row]));
  return Array.from({ length: STATS_WINDOW_MINUTES }, (_, index) => {
    const minute = new Date(from.getTime() + index * MINUTE_MS);
    return byTime.get(minute.getTime()) ?? { minute, approved: 0, declined: 0, failed: 0 };
  });
}

const isNotable = ({ approved, declined, failed, unusable = 0, health }: ShopStats): boolean =>
  health !== 'healthy' || approved + declined + failed + unusable > 0;

/** Counts the shops that routing excludes, from the rows that routing uses. */
@Injectable()
export class ShopHealthMetrics {
  constructor(rows: DatabaseGauges, clock: Clock) {
    const gauge = {
      name: 'shops_unhealthy',
      help: 'Shops that routing excludes now because of their faults, without recovering shops',
      value: ([row]: { shops: number }[]) => row!.shops,
    };
    rows.add(COUNT_UNHEALTHY, [gauge], () => [new Date(clock.now().getTime() - COOL_DOWN_MS)]);
  }
}
