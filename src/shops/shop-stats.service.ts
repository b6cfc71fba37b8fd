import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import {
  HEALTH_WINDOW_MINUTES,
  type HealthState,
  coolDownEnd,
  healthAt,
  type OutcomeCounts,
  type ShopStats,
} from './shop-health.js';
import {
  SHOP_MINUTES,
  type ShopMinuteRow,
  type ShopStatsRow,
  SHOP_OUTAGES,
  SHOP_STATS,
  outageOf,
  MINUTE_MS,
  STATS_WINDOW_MINUTES,
  recentOf,
  windowStart,
} from './shop-outcomes.queries.js';

/** A shop's health with what it was concluded from. */
export interface ShopHealthReport extends HealthState {
  /** What counts towards it. */
  window: OutcomeCounts;
}

/** The last hour of a shop, which flows that go by approvals decide by. */
export interface ShopHour {
  health: ShopHealthReport;
  /** `null` unless it is left out now. */
  unhealthyUntil: Date | null;
  total: OutcomeCounts;
  /** Each of its minutes, the oldest first. */
  minutes: ShopMinuteRow[];
}

/** How shops do: all of it read from stored rows, so every process sees the same. */
@Injectable()
export class ShopStatsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In one statement. A shop without an entry is healthy and has no recent outcomes. */
  async of(shopIds: number[]): Promise<Map<number, ShopStats>> {
    const stats = await this.read(SHOP_STATS, shopIds);
    return new Map([...stats].filter(([, of]) => hasSomethingToSay(of)));
  }

  /**
   * Only the shops that are not healthy, which are usually none: a look-up by primary key, for decisions to which
   * approval rates mean nothing.
   */
  outages(shopIds: number[]): Promise<Map<number, ShopStats>> {
    return this.read(SHOP_OUTAGES, shopIds);
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

  private async read(statement: Statement, shopIds: number[]): Promise<Map<number, ShopStats>> {
    const now = this.clock.now();
    const rows = await this.rows(statement, shopIds, now);
    return new Map(
      rows.map((row) => {
        const { shop_id: id, approved, declined, failed } = row;
        return [id, { approved, declined, failed, health: healthAt(outageOf(row), now).status }];
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

const hasSomethingToSay = ({ approved, declined, failed, health }: ShopStats): boolean =>
  health !== 'healthy' || approved + declined + failed > 0;
