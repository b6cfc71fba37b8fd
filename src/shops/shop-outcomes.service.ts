import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '../platform/database/database.js';
import { Clock } from '../shared/clock.js';
import { COOL_DOWN_MS, faultMatters, HEALTH_WINDOW_MINUTES } from './shop-health.js';
import {
  BEGIN_OUTAGE,
  COUNT_FAULT,
  COUNT_SUCCESS,
  END_OUTAGES,
  type ShopStatsRow,
  SHOP_STATS,
  outageOf,
  recentOf,
  windowStart,
} from './shop-outcomes.queries.js';

/**
 * The outcome of a payment for its shop. `failed`: by the shop's own fault. `unusable`: the account does not have the
 * payment method, which counts neither for the shop's health nor for its routing rate.
 */
export type ShopOutcome = 'approved' | 'declined' | 'failed' | 'unusable';

/** The shop of a counted row, if it has an outage to end. */
export interface RecoveredShop {
  recovered_shop_id: number | null;
}

/** Records outcomes of payments in the transaction that causes them, so that every outcome counts exactly once. */
@Injectable()
export class ShopOutcomesService {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts an outcome that the shop is responsible for. One statement, except for a fault. Call it late in the
   * transaction: once per cool-down of a failing shop it locks the outage's row until the commit.
   */
  async record(transaction: Transaction, shopId: number, outcome: ShopOutcome): Promise<void> {
    if (outcome === 'failed') return this.recordFault(transaction, shopId, this.clock.now());
    const { minute, coolDownBefore } = this.countingNow();
    const values = [shopId, outcome, minute, coolDownBefore];
    await this.endOutages(transaction, await transaction.query<RecoveredShop>(COUNT_SUCCESS, values));
  }

  /**
   * Ends the outages that the counted outcomes end. A separate statement, because this is rare. If the process dies
   * between the two, the next success ends the outage.
   */
  async endOutages(on: Queryable, counted: RecoveredShop[]): Promise<void> {
    const shopIds = new Set(counted.flatMap(({ recovered_shop_id: shopId }) => shopId ?? []));
    if (shopIds.size === 0) return;
    const { now, coolDownBefore } = this.countingNow();
    await on.query(END_OUTAGES, [[...shopIds], now, coolDownBefore]);
  }

  /** Parameters for counting now, for `countSuccessesFrom` and `recoveredShopOf`. */
  countingNow(): { minute: Date; now: Date; coolDownBefore: Date } {
    const now = this.clock.now();
    return { minute: windowStart(now, 1), now, coolDownBefore: coolDownStart(now) };
  }

  private async recordFault(transaction: Transaction, shopId: number, now: Date): Promise<void> {
    await transaction.query(COUNT_FAULT, [shopId, windowStart(now, 1)]);
    const from = windowStart(now, HEALTH_WINDOW_MINUTES);
    const [row] = await transaction.query<ShopStatsRow>(SHOP_STATS, [[shopId], from, from]);
    const recent = recentOf(row!);
    if (!faultMatters(outageOf(row!), recent, now)) return;
    const { approved, declined, failed } = recent;
    await transaction.query(BEGIN_OUTAGE, [shopId, now, coolDownStart(now), approved, declined, failed]);
  }
}

const coolDownStart = (now: Date): Date => new Date(now.getTime() - COOL_DOWN_MS);
