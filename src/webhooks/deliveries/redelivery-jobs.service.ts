import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { type AuditContext, SYSTEM } from '../../audit/audit-context.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DISORDER_MS } from '../../platform/database/first-id-since.js';
import { lockMerchant } from '../../platform/database/writes.js';
import { FairSlots } from '../../platform/fair-work/fair-slots.js';
import { FairWork } from '../../platform/fair-work/fair-work.service.js';
import { WorkOwner } from '../../platform/fair-work/work-owner.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { COUNT_JOBS, COUNT_MATCHING, type CountedRow, INSERT_JOBS, LIST_SHOP_IDS } from './redelivery-jobs.queries.js';
import type { FinishedStatus } from './redelivery.service.js';
import { firstDeliverySince } from './retention.js';

/** What is `null` leaves nothing out. */
export interface RedeliveryFilter {
  shopId: number | null;
  status: FinishedStatus;
  /** To exactly this address. */
  endpoint: string | null;
  /** Deliveries created from here on … */
  from: Date | null;
  /** … and before. */
  to: Date | null;
}

/** Deliveries that one statement counts: some milliseconds. */
const SLICE = 2_000;
/** Requests with another filter that a merchant may have under way: each has a row for every shop. */
const MAX_JOBS = 10;
/** Each keeps a connection and the database's disk busy. */
const SLOTS = { what: 'counts of webhooks', total: 2, perMerchant: 1, waitingPerMerchant: 1, waiting: 20 };

/** Of a shop, how many deliveries match. */
type Counts = Map<number, number>;

/** Ids that bound what a filter can match. */
interface Span {
  after: number;
  last: number;
}

/** Takes requests for redelivery: counts what they are about, and leaves the rest to the workers (`RedeliveryChore`). */
@Injectable()
export class RedeliveryJobsService {
  private readonly slots = new FairSlots(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly audit: AuditLogService,
    private readonly work: FairWork,
  ) {}

  /** How many deliveries match. Problems: `shop_not_found`, `too_many_requests`, `client_closed_request`. */
  async count(merchantId: number, filter: RedeliveryFilter, owner = new WorkOwner(merchantId)): Promise<number> {
    const shopIds = await this.shopsOf(merchantId, filter);
    return this.slots.run(owner, async () =>
      total(await this.counted(shopIds, filter, await this.span(filter), owner)),
    );
  }

  /**
   * Has them all redelivered, and answers how many there are. A request that is like one under way joins it: sent again, it
   * sends nothing twice. The same problems.
   */
  async request(
    merchantId: number,
    filter: RedeliveryFilter,
    context: AuditContext = SYSTEM,
    owner = new WorkOwner(merchantId),
  ): Promise<number> {
    const shopIds = await this.shopsOf(merchantId, filter);
    return this.slots.run(owner, async () => {
      const span = await this.span(filter);
      const counts = await this.counted(shopIds, filter, span, owner);
      if (counts.size > 0)
        await this.database.transaction(async (transaction) => {
          const isNew = await this.insert(transaction, merchantId, [...counts.keys()], filter, span);
          if (isNew) await this.audit.record(transaction, context, entryOf(merchantId, filter, total(counts)));
        });
      return total(counts);
    });
  }

  private async shopsOf(merchantId: number, { shopId }: RedeliveryFilter): Promise<number[]> {
    if (shopId !== null) return [(await this.shops.find(merchantId, shopId)).id];
    return (await this.database.query<{ id: number }>(LIST_SHOP_IDS, [merchantId])).map(({ id }) => id);
  }

  private async span({ from, to }: RedeliveryFilter): Promise<Span> {
    const firstSince = (time: Date, ms: number): Promise<number> =>
      firstDeliverySince(this.database, new Date(time.getTime() + ms));
    const after = from ? (await firstSince(from, -DISORDER_MS)) - 1 : 0;
    const last = (await firstSince(to ?? new Date(), DISORDER_MS)) - 1;
    return { after, last };
  }

  /** Shops without a match are left out. */
  private async counted(
    shopIds: number[],
    filter: RedeliveryFilter,
    { after, last }: Span,
    owner: WorkOwner,
  ): Promise<Counts> {
    const counts: Counts = new Map();
    const { status, endpoint, from, to } = filter;
    const asked = [from ?? '-infinity', to ?? 'infinity', endpoint, 'infinity'];
    for (const shopId of shopIds) {
      let at: number | null = after;
      while (at !== null) {
        const row = await this.countSlice([shopId, status, at, last, SLICE, ...asked], owner);
        if (row.matching > 0) counts.set(shopId, (counts.get(shopId) ?? 0) + row.matching);
        at = row.last_id;
      }
    }
    return counts;
  }

  private async countSlice(values: unknown[], owner: WorkOwner): Promise<CountedRow> {
    const startedAt = performance.now();
    const [row] = await this.database.query<CountedRow>(COUNT_MATCHING, values);
    await this.work.giveWay(owner, performance.now() - startedAt);
    return row!;
  }

  /** Whether there was none like it for one of the shops. */
  private async insert(
    transaction: Transaction,
    merchantId: number,
    shopIds: number[],
    filter: RedeliveryFilter,
    { after, last }: Span,
  ): Promise<boolean> {
    const { status, endpoint, from, to } = filter;
    const hash = createHash('sha256')
      .update(JSON.stringify([status, endpoint, from, to]))
      .digest('hex');
    await lockMerchant(transaction, merchantId);
    const [others] = await transaction.query<{ jobs: number }>(COUNT_JOBS, [merchantId, hash]);
    if (others!.jobs >= MAX_JOBS) throw tooMany();
    const span = [from ?? '-infinity', to ?? 'infinity', after, last];
    const values = [merchantId, shopIds, hash, status, endpoint, ...span];
    return (await transaction.query(INSERT_JOBS, values)).length > 0;
  }
}

const total = (counts: Counts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

const tooMany = (): Problem =>
  new Problem('too_many_requests', {
    detail: `a merchant may have ${MAX_JOBS} redeliveries under way; try again when one of them has ended`,
    headers: { 'retry-after': '60' },
  });

const entryOf = (merchantId: number, { shopId, status, endpoint, from, to }: RedeliveryFilter, count: number) => ({
  merchantId,
  action: 'deliveries.redelivered' as const,
  objectId: merchantId,
  fields: endpoint === null ? [] : ['webhook_endpoint'],
  details: {
    count,
    status,
    ...(shopId !== null && { shop_id: shopId }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
  },
});
