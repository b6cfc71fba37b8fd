import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type DeclineParty, declineParty } from '../../providers/decline-code.js';
import { Clock } from '../../shared/clock.js';
import { type ShopHour, ShopStatsService } from '../../shops/shop-stats.service.js';
import { ShopsService } from '../../shops/shops.service.js';
import { type DeclineRow, DECLINES } from './shop-reports.queries.js';

const DAY_MS = 86_400_000;
/** Counted in some ten milliseconds; a shop with more declines a week is told from when on they are counted. */
const MAX_DECLINES = 20_000;
/** Providers have words of their own without end. */
const MAX_CODES = 50;

interface DeclineCount {
  code: string;
  party: DeclineParty;
  lastDay: number;
  lastWeek: number;
}

export interface ShopReport extends ShopHour {
  declines: {
    /** From when on they are counted: a week ago, or later when there are very many. */
    since: Date;
    codes: DeclineCount[];
  };
}

/** How a shop does, as routing sees it, and why its charges were declined. */
@Injectable()
export class ShopReports {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly shops: ShopsService,
    private readonly stats: ShopStatsService,
    private readonly clock: Clock,
  ) {}

  /** Costs the same however many payments the shop has. Throws `shop_not_found`. */
  async of(merchantId: number, shopId: number): Promise<ShopReport> {
    await this.shops.find(merchantId, shopId);
    const [hour, declines] = await Promise.all([this.stats.lastHour(shopId), this.declines(shopId)]);
    return { ...hour, declines };
  }

  private async declines(shopId: number): Promise<ShopReport['declines']> {
    const now = this.clock.now().getTime();
    const [weekAgo, dayAgo] = [new Date(now - 7 * DAY_MS), new Date(now - DAY_MS)];
    const values = [shopId, weekAgo, dayAgo, MAX_DECLINES, MAX_CODES];
    const rows = await this.reads.query<DeclineRow>(DECLINES, values);
    const isCut = (rows[0]?.counted ?? 0) >= MAX_DECLINES;
    return {
      since: isCut ? rows[0]!.oldest : weekAgo,
      codes: rows.map(({ code, last_day: lastDay, last_week: lastWeek }) => {
        return { code, party: declineParty(code), lastDay, lastWeek };
      }),
    };
  }
}
