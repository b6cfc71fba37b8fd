import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type DeclineParty, declineParty } from '@payment-orchestrator/provider-kit';
import { Clock, DAY_MS } from '../../shared/clock.js';
import { MAX_DECLINES, type ShopHour, ShopStatsService } from '../../shops/shop-stats.service.js';
import { ShopsService } from '../../shops/shops.service.js';
import { type DeclineRow, DECLINES } from './shop-reports.queries.js';

/** Limit of codes, because providers have any number of own codes. */
const MAX_CODES = 50;

interface DeclineCount {
  code: string;
  party: DeclineParty;
  lastDay: number;
  lastWeek: number;
}

export interface ShopReport extends ShopHour {
  /** Whether its provider is loaded. */
  isAvailable: boolean;
  declines: {
    /** Start of the counted time: a week ago, or later if there are very many. */
    since: Date;
    codes: DeclineCount[];
  };
}

/** A shop's health as routing sees it, and the reasons for declines of its charges. */
@Injectable()
export class ShopReports {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly shops: ShopsService,
    private readonly stats: ShopStatsService,
    private readonly clock: Clock,
  ) {}

  /** The cost does not depend on the shop's number of payments. Throws `shop_not_found`. */
  async of(merchantId: number, shopId: number): Promise<ShopReport> {
    const shop = await this.shops.find(merchantId, shopId);
    const [hour, declines] = await Promise.all([this.stats.lastHour(shopId), this.declines(shopId)]);
    return { ...hour, declines, isAvailable: this.shops.isAvailable(shop) };
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
