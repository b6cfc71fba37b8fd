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
  FOLD_OUTCOMES,
  KEPT_HOURS,
  PRUNE_OUTCOME_HOURS,
  SHOP_STATS,
  outageOf,
  STATS_WINDOW_MINUTES,
  recentOf,
  windowStart,
} from './shop-outcomes.queries.js';

/** What a payment says about its shop. `failed`: by the shop's own fault. */
export type ShopOutcome = 'approved' | 'declined' | 'failed';

/** Of a row that was counted: its shop, if that has an outage to end. */
export interface RecoveredShop {
  recovered_shop_id: number | null;
}

/** Writes how payments came out, in the transaction that they come out in, so that every outcome counts exactly once. */
@Injectable()
export class ShopOutcomesService {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts an outcome that the shop is answerable for, one statement unless it is a fault. Call it late: once per
   * cool-down of a failing shop it locks the row of its outage until the commit.
   */
  async record(transaction: Transaction, shopId: number, outcome: ShopOutcome): Promise<void> {
    if (outcome === 'failed') return this.recordFault(transaction, shopId, this.clock.now());
    const { minute, coolDownBefore } = this.countingNow();
    const values = [shopId, outcome, minute, coolDownBefore];
    await this.endOutages(transaction, await transaction.query<RecoveredShop>(COUNT_SUCCESS, values));
  }

  /**
   * Ends the outages that what was counted shows to be over. Beside the statement that counts: there is seldom one, and
   * what dies between the two leaves it to the next success.
   */
  async endOutages(on: Queryable, counted: RecoveredShop[]): Promise<void> {
    const shopIds = new Set(counted.flatMap(({ recovered_shop_id: shopId }) => shopId ?? []));
    if (shopIds.size === 0) return;
    const { now, coolDownBefore } = this.countingNow();
    await on.query(END_OUTAGES, [[...shopIds], now, coolDownBefore]);
  }

  /** When to count next: what `countSuccessesFrom` and `recoveredShopOf` take. */
  countingNow(): { minute: Date; now: Date; coolDownBefore: Date } {
    const now = this.clock.now();
    return { minute: windowStart(now, 1), now, coolDownBefore: coolDownStart(now) };
  }

  /** Puts at most so many rows that no window reaches any more together into hours; answers how many. */
  async fold(transaction: Transaction, limit: number): Promise<number> {
    const kept = windowStart(this.clock.now(), STATS_WINDOW_MINUTES);
    const [folded] = await transaction.query<{ rows: number }>(FOLD_OUTCOMES, [kept, limit]);
    return folded!.rows;
  }

  /** Removes at most so many hours that are over for long; answers how many. */
  async prune(transaction: Transaction, limit: number): Promise<number> {
    const kept = windowStart(this.clock.now(), KEPT_HOURS * 60);
    return (await transaction.query(PRUNE_OUTCOME_HOURS, [kept, limit])).length;
  }

  private async recordFault(transaction: Transaction, shopId: number, now: Date): Promise<void> {
    await transaction.query(COUNT_FAULT, [shopId, windowStart(now, 1)]);
    const from = windowStart(now, HEALTH_WINDOW_MINUTES);
    const [row] = await transaction.query<ShopStatsRow>(SHOP_STATS, [[shopId], from, from]);
    if (!faultMatters(outageOf(row!), recentOf(row!), now)) return;
    await transaction.query(BEGIN_OUTAGE, [shopId, now, coolDownStart(now)]);
  }
}

const coolDownStart = (now: Date): Date => new Date(now.getTime() - COOL_DOWN_MS);
