import { Injectable } from '@nestjs/common';
import { DatabaseGauges } from '../platform/database/database-gauges.js';
import { Clock } from '../shared/clock.js';
import { COOL_DOWN_MS } from './shop-health.js';
import { COUNT_UNHEALTHY } from './shop-outcomes.queries.js';

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
