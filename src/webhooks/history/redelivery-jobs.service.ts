import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import { DISORDER_MS } from '../../platform/database/first-id-since.js';
import { lockMerchant } from '../../platform/database/writes.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import {
  COUNT_JOBS,
  COUNT_MATCHING,
  type CountedRow,
  FIND_PROGRESS,
  INSERT_ENDPOINT_JOB,
  INSERT_JOBS,
  LIST_JOBS,
  LIST_SHOP_IDS,
  NEWEST_DELIVERY,
  type ProgressRow,
  type Scope,
  type RedeliveryRow,
} from './redelivery-jobs.queries.js';
import { type EndpointScope, FIND_ENDPOINT_SCOPE } from '../endpoint/secrets/receivers.queries.js';
import { COUNT_WAITING } from './waiting-retries.queries.js';
import type { DeliveryStatus } from './delivery-views.queries.js';
import { firstDeliverySince } from './retention.js';

export type FinishedStatus = Exclude<DeliveryStatus, 'pending'>;

/** A `null` does not filter. */
export interface RedeliveryFilter {
  shopId: number | null;
  /** One endpoint, instead of shops. */
  endpointId: number | null;
  /** `pending`: retries of one endpoint are brought forward. */
  statuses: readonly DeliveryStatus[];
  /** Exact address. */
  endpoint: string | null;
  /** Created at this time or later. */
  from: Date | null;
  /** Created before this time. */
  to: Date | null;
}

/** A filter for one shop and a time range. */
export type ReplayFilter = RedeliveryFilter & { shopId: number; from: Date; to: Date };

/** Deliveries that one statement counts, in a few milliseconds. */
const SLICE = 2_000;
/** A time after all deliveries, for any clock of this machine. */
const END = new Date('9999-12-31T23:59:59.999Z');
/** Maximum running filters of a merchant, each for one status. Every filter has a row per shop. */
const MAX_JOBS = 10;
/** Concurrent counts. Each uses a connection and the database's disk. */
const SLOTS = { what: 'counts of webhooks', total: 2, perMerchant: 1, waitingPerMerchant: 1, waiting: 20 };

type AuditEntry = Parameters<AuditLogService['record']>[2];

/** The shops, or the endpoint, that a request is about. */
interface Target {
  scope: Scope;
  ids: number[];
}

/** Matching deliveries of a shop or an endpoint with a status and ids above `after`. */
interface Count {
  ownerId: number;
  status: DeliveryStatus;
  after: number;
  matching: number;
}

/** Range of ids that a filter can match. */
interface Span {
  after: number;
  last: number;
}

/** Accepts requests for redelivery: counts the deliveries and stores jobs for the workers (`RedeliveryRunner`). */
@Injectable()
export class RedeliveryJobsService {
  private readonly slots = new MerchantSlots(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly audit: AuditLogService,
    private readonly work: CpuScheduler,
  ) {}

  /** Returns the number of matching deliveries. Problems: `shop_not_found`, `too_many_requests`, `client_closed_request`. */
  async count(filter: RedeliveryFilter, owner: WorkOwner): Promise<number> {
    const target = await this.targetOf(owner.merchantId, filter);
    return this.slots.run(owner, async () =>
      total(await this.counted(target, filter, await this.span(filter), new Map(), owner)),
    );
  }

  /**
   * Requests redelivery of all matching deliveries, and returns their number. A request like a running one extends that one
   * to deliveries that have finished since. Delivered ones that the running request has processed are neither counted nor
   * sent again. Problems as in `count`.
   */
  request(filter: RedeliveryFilter, context: AuditContext, owner: WorkOwner): Promise<number> {
    return this.take(filter, owner, context, (count) => redelivered(owner.merchantId, filter, count));
  }

  /** Requests redelivery of all finished deliveries of one shop in a time range. Otherwise like `request`. */
  replay(filter: ReplayFilter, context: AuditContext, owner: WorkOwner): Promise<number> {
    return this.take(filter, owner, context, () => replayed(owner.merchantId, filter));
  }

  private async take(
    filter: RedeliveryFilter,
    owner: WorkOwner,
    context: AuditContext,
    entryOf: (count: number) => AuditEntry,
  ): Promise<number> {
    const { merchantId } = owner;
    const target = await this.targetOf(merchantId, filter);
    return this.slots.run(owner, async () => {
      const span = await this.span(filter);
      const counts = await this.counted(target, filter, span, await this.progress(merchantId, filter), owner);
      if (counts.length > 0)
        await this.database.transaction(async (transaction) => {
          await this.insert(transaction, merchantId, counts, filter, span, target.scope);
          await this.audit.record(transaction, context, entryOf(total(counts)));
        });
      return total(counts);
    });
  }

  /** Returns the merchant's running requests, `MAX_JOBS` at most, latest first. */
  running(merchantId: number): Promise<RedeliveryRow[]> {
    return this.database.query<RedeliveryRow>(LIST_JOBS, [merchantId]);
  }

  private async targetOf(merchantId: number, filter: RedeliveryFilter): Promise<Target> {
    const { endpointId, statuses } = filter;
    if (endpointId === null) return { scope: 'shop', ids: await this.shopsOf(merchantId, filter) };
    const [scope] = await this.database.query<EndpointScope>(FIND_ENDPOINT_SCOPE, [endpointId, merchantId]);
    if (!scope || scope.state === 'deleted') throw new Problem('endpoint_not_found');
    if (scope.state !== 'active' && statuses.includes('pending')) throw new Problem('endpoint_not_active');
    return { scope: scope.kind === 'standing' ? 'endpoint' : 'lane', ids: [endpointId] };
  }

  private async shopsOf(merchantId: number, { shopId }: RedeliveryFilter): Promise<number[]> {
    if (shopId !== null) return [(await this.shops.find(merchantId, shopId)).id];
    return (await this.database.query<{ id: number }>(LIST_SHOP_IDS, [merchantId])).map(({ id }) => id);
  }

  private async span({ statuses, from, to }: RedeliveryFilter): Promise<Span> {
    if (statuses.includes('pending')) {
      const [newest] = await this.database.query<{ id: number }>(NEWEST_DELIVERY);
      return { after: 0, last: newest!.id };
    }
    const firstSince = (time: Date, ms: number): Promise<number> =>
      firstDeliverySince(this.database, new Date(time.getTime() + ms));
    const after = from ? (await firstSince(from, -DISORDER_MS)) - 1 : 0;
    const last = (await firstSince(to ?? END, DISORDER_MS)) - 1;
    return { after, last };
  }

  /** Returns by shop the last delivered id that running requests with this filter have processed. */
  private async progress(merchantId: number, filter: RedeliveryFilter): Promise<Map<number, number>> {
    if (!filter.statuses.includes('delivered')) return new Map();
    const rows = await this.database.query<ProgressRow>(FIND_PROGRESS, [merchantId, hashOf('delivered', filter)]);
    return new Map(rows.map((row) => [row.owner_id, row.after_id]));
  }

  private async counted(
    { scope, ids }: Target,
    filter: RedeliveryFilter,
    { after, last }: Span,
    sent: ReadonlyMap<number, number>,
    owner: WorkOwner,
  ): Promise<Count[]> {
    const { statuses, endpoint, from, to } = filter;
    const asked = [from ?? '-infinity', to ?? 'infinity', endpoint, 'infinity', '-infinity', null];
    const afterOf = (id: number, status: DeliveryStatus): number =>
      status === 'delivered' ? Math.max(after, sent.get(id) ?? 0) : after;
    const counts = ids.flatMap((ownerId) =>
      statuses.map((status): Count => ({ ownerId, status, after: afterOf(ownerId, status), matching: 0 })),
    );
    for (const count of counts) {
      let at: number | null = count.after;
      while (at !== null) {
        const row: CountedRow =
          count.status === 'pending'
            ? await this.countSlice(COUNT_WAITING[scope], [count.ownerId, at, last, SLICE, ...asked.slice(0, 2)], owner)
            : await this.countSlice(
                COUNT_MATCHING[scope],
                [count.ownerId, count.status, at, last, SLICE, ...asked],
                owner,
              );
        count.matching += row.matching;
        at = row.last_id;
      }
    }
    return counts.filter(({ matching }) => matching > 0);
  }

  private async countSlice(statement: Statement, values: unknown[], owner: WorkOwner): Promise<CountedRow> {
    const startedAt = performance.now();
    const [row] = await this.database.query<CountedRow>(statement, values);
    await this.work.chargeAndPause(owner, performance.now() - startedAt);
    return row!;
  }

  private async insert(
    transaction: Transaction,
    merchantId: number,
    counts: Count[],
    filter: RedeliveryFilter,
    { last }: Span,
    scope: Scope,
  ): Promise<void> {
    const { endpoint, from, to } = filter;
    const statuses = filter.statuses.filter((status) => counts.some((count) => count.status === status));
    const hashes = statuses.map((status) => hashOf(status, filter));
    await lockMerchant(transaction, merchantId);
    const [others] = await transaction.query<{ jobs: number }>(COUNT_JOBS, [merchantId, hashes]);
    if (others!.jobs + hashes.length > MAX_JOBS) throw tooMany();
    for (const [at, status] of statuses.entries()) {
      const selected = counts.filter((count) => count.status === status);
      const [ids, after] = [selected.map(({ ownerId }) => ownerId), selected.map((count) => count.after)];
      const asked = [endpoint, from ?? '-infinity', to ?? 'infinity', after, last];
      const statement = scope === 'shop' ? INSERT_JOBS : INSERT_ENDPOINT_JOB;
      await transaction.query(statement, [merchantId, ids, hashes[at], status, ...asked]);
    }
  }
}

const total = (counts: Count[]): number => counts.reduce((sum, { matching }) => sum + matching, 0);

const hashOf = (status: DeliveryStatus, { endpoint, endpointId, from, to }: RedeliveryFilter): string =>
  createHash('sha256')
    .update(JSON.stringify([status, endpoint, from, to, ...(endpointId === null ? [] : [endpointId])]))
    .digest('hex');

const tooMany = (): Problem =>
  new Problem('too_many_requests', {
    detail: `a merchant may have ${MAX_JOBS} running redeliveries; try again when one of them has ended`,
    headers: { 'retry-after': '60' },
  });

const replayed = (merchantId: number, { shopId, from, to, statuses }: ReplayFilter): AuditEntry => ({
  merchantId,
  action: 'deliveries.replayed',
  objectId: shopId,
  details: { from: from.toISOString(), to: to.toISOString(), statuses },
});

const redelivered = (
  merchantId: number,
  { shopId, endpointId, statuses, endpoint, from, to }: RedeliveryFilter,
  count: number,
): AuditEntry => ({
  merchantId,
  action: 'deliveries.redelivered',
  objectId: merchantId,
  fields: endpoint === null ? [] : ['webhook_endpoint'],
  details: {
    count,
    status: statuses.join(),
    ...(shopId !== null && { shop_id: shopId }),
    ...(endpointId !== null && { endpoint_id: endpointId }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
  },
});
