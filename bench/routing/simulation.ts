import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import { decideAmong } from '@payment-orchestrator/routing/decision/decision';
import { type RoutableFlow, routableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import { candidatesFor } from '@payment-orchestrator/routing/decision/candidates';
import { HALF_LIFE_HOURS } from '../../src/flows/routing/segment-cells.queries.js';
import { NO_SEGMENTS, ReadSegments, type Segments } from '@payment-orchestrator/routing/decision/segments';
import { type SegmentCell, SegmentRates } from '@payment-orchestrator/routing/strategies/segment-rates';
import { generator } from '@payment-orchestrator/routing/statistics/random';
import { segmentValue, type SegmentField } from '@payment-orchestrator/routing/facts/segment';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import { STATS_WINDOW_MINUTES } from '../../src/shops/shop-outcomes-sql.js';
import { HOURS, PAYMENTS_PER_HOUR, SHOP_IDS, type Market } from './markets.js';

/** One way to route. */
export interface Arm {
  name: string;
  /** None: the shops' rates as a whole. */
  by: readonly SegmentField[];
}

export interface Outcome {
  /** Approvals that the best shop of each payment would have had in addition, per 1,000 payments. */
  lost: number;
  /** The same in total, at the end of each hour. */
  lostByHour: number[];
  /** The share of the decisions whose shop was known at each level. */
  coverage: number[];
}

/** The service reads the cells every few seconds; reading them so often would take most of the bench. */
const PAYMENTS_PER_READ = 50;

/** Routes two days of payments with the service's own decisions. Equal seeds bring equal payments. */
export function simulate(market: Market, { by }: Arm, seed: number): Outcome {
  const payments = generator(seed);
  const draws = generator(seed + 1_000);
  const flow = flowBy(by);
  const shops = new Shops();
  const cells = new Cells(by);
  const levels = [0, 0, 0];
  const lostByHour: number[] = [];
  let segments: Segments = NO_SEGMENTS;
  let lost = 0;
  const count = HOURS * PAYMENTS_PER_HOUR;
  for (let index = 0; index < count; index++) {
    const hour = index / PAYMENTS_PER_HOUR;
    const facts = market.factsFrom(payments);
    const luck = payments();
    const request: RoutingRequest = { amount: 50, currency: 'EUR', paymentMethod: { type: 'card', card: facts } };
    if (Number.isInteger(hour)) cells.nextHour();
    if (by.length > 0 && index % PAYMENTS_PER_READ === 0) segments = cells.read();
    const candidates = candidatesFor(flow, request, shops.statsAt(Math.floor(hour * 60)), segments);
    const { id } = decideAmong(candidates, { counter: 0, random: draws }).shop!.shop;
    const rates = SHOP_IDS.map((shop) => market.rateOf(shop, facts, hour));
    const rate = rates[SHOP_IDS.indexOf(id)]!;
    levels[candidates.statsByShop.get(id)?.segment?.level ?? 0]!++;
    lost += Math.max(...rates) - rate;
    if (Number.isInteger((index + 1) / PAYMENTS_PER_HOUR)) lostByHour.push(lost);
    shops.count(id, luck < rate);
    cells.count(id, request, luck < rate);
  }
  return { lost: (lost / count) * 1_000, lostByHour, coverage: levels.map((level) => level / count) };
}

export function flowBy(by: readonly SegmentField[]): RoutableFlow {
  const shops = SHOP_IDS.map((id) => ({ shop_id: id, priority: 1, weight: 1, enabled: true, conditions: {} }));
  const options = by.length > 0 && { success_rate: { by: [...by] } };
  const summaries = SHOP_IDS.map((id) => ({
    id,
    name: `Shop ${id}`,
    provider: 'sandbox',
    account: 'default',
    enabled: true,
  }));
  return routableFlow(
    { strategy: 'success_rate', shops, ...options },
    new Map(summaries.map((summary) => [summary.id, summary])),
  );
}

/** The outcomes of whole shops in the last hour, as `shop_outcomes` has them. */
class Shops {
  private readonly stats = new Map<number, ShopStats>(
    SHOP_IDS.map((id) => [id, { approved: 0, declined: 0, failed: 0, health: 'healthy' }]),
  );
  private readonly minutes: { minute: number; shopId: number; approved: boolean }[] = [];
  private first = 0;
  private now = 0;

  statsAt(minute: number): ReadonlyMap<number, ShopStats> {
    this.now = minute;
    for (let oldest = this.minutes[this.first]; oldest; oldest = this.minutes[++this.first]) {
      if (oldest.minute > minute - STATS_WINDOW_MINUTES) break;
      this.stats.get(oldest.shopId)![oldest.approved ? 'approved' : 'declined']--;
    }
    return this.stats;
  }

  count(shopId: number, approved: boolean): void {
    this.minutes.push({ minute: this.now, shopId, approved });
    this.stats.get(shopId)![approved ? 'approved' : 'declined']++;
  }
}

/** `approval_cells`, with the weights of their hours. */
class Cells {
  private readonly cells = new Map<string, SegmentCell>();

  constructor(private readonly by: readonly SegmentField[]) {}

  nextHour(): void {
    const kept = 0.5 ** (1 / HALF_LIFE_HOURS);
    for (const cell of this.cells.values()) [cell.approved, cell.others] = [cell.approved * kept, cell.others * kept];
  }

  read(): Segments {
    return new ReadSegments([[this.by, new SegmentRates([...this.cells.values()], this.by.length)]]);
  }

  count(shopId: number, request: RoutingRequest, approved: boolean): void {
    const values = this.by.map((field) => segmentValue(field, request)!);
    for (let length = 0; length <= values.length; length++) {
      const key = [shopId, ...values.slice(0, length)].join();
      const cell = this.cells.get(key) ?? { shopId, values: values.slice(0, length), approved: 0, others: 0 };
      cell[approved ? 'approved' : 'others']++;
      this.cells.set(key, cell);
    }
  }
}
