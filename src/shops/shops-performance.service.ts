import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { HEALTH_WINDOW_MINUTES, type HealthState, healthAt, type OutcomeCounts } from './shop-health.js';
import { type PerformanceRow, SHOP_OUTAGES, SHOP_PERFORMANCE } from './shop-outcomes.queries.js';
import { outageOf, PERFORMANCE_WINDOW_MINUTES, recentOf, windowStart } from './shop-windows.js';
import type { ShopPerformance } from './shop-performance.js';

/** A shop's health with what it was concluded from. */
export interface ShopHealthReport extends HealthState {
  /** What counts towards it. */
  window: OutcomeCounts;
}

/** How shops do: all of it read from stored rows, so every process sees the same. */
@Injectable()
export class ShopsPerformanceService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** In one statement. A shop without an entry is healthy and has no recent outcomes. */
  async of(shopIds: number[]): Promise<Map<number, ShopPerformance>> {
    const performances = await this.read(SHOP_PERFORMANCE, shopIds);
    return new Map([...performances].filter(([, performance]) => hasSomethingToSay(performance)));
  }

  /**
   * Only the shops that are not healthy, which are usually none: a look-up by primary key, for decisions to which
   * approval rates mean nothing.
   */
  outages(shopIds: number[]): Promise<Map<number, ShopPerformance>> {
    return this.read(SHOP_OUTAGES, shopIds);
  }

  async health(shopId: number): Promise<ShopHealthReport> {
    const now = this.clock.now();
    const [row] = await this.rows(SHOP_PERFORMANCE, [shopId], now);
    return { ...healthAt(outageOf(row!), now), window: recentOf(row!) };
  }

  private async read(statement: Statement, shopIds: number[]): Promise<Map<number, ShopPerformance>> {
    const now = this.clock.now();
    const rows = await this.rows(statement, shopIds, now);
    return new Map(
      rows.map((row) => {
        const { shop_id: id, approved, declined, failed } = row;
        return [id, { approved, declined, failed, health: healthAt(outageOf(row), now).status }];
      }),
    );
  }

  private rows(statement: Statement, shopIds: number[], now: Date): Promise<PerformanceRow[]> {
    const windows = [PERFORMANCE_WINDOW_MINUTES, HEALTH_WINDOW_MINUTES].map((minutes) => windowStart(now, minutes));
    return this.database.query<PerformanceRow>(statement, [shopIds, ...windows]);
  }
}

const hasSomethingToSay = ({ approved, declined, failed, health }: ShopPerformance): boolean =>
  health !== 'healthy' || approved + declined + failed > 0;
