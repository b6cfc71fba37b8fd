import { Injectable } from '@nestjs/common';
import type { Statement } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { encodeCursor, type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { laneOrigin } from '../outbox/endpoint-policy.service.js';
import {
  LIST_DELIVERIES,
  LIST_ENDPOINT_DELIVERIES,
  LIST_PAYMENT_DELIVERIES,
  LIST_SHOP_IDS_OF_ORIGIN,
  type ListedRow,
} from './delivery-list.queries.js';
import { type EndpointScope, FIND_ENDPOINT_SCOPE } from '../endpoint/secrets/receivers.queries.js';
import { DELIVERIES_IN_TIME } from './delivery-ids.queries.js';
import { DELIVERY_STATUSES, type DeliveryRow, type DeliveryStatus } from './delivery-views.queries.js';
import { LIST_SHOP_IDS } from './redelivery-jobs.queries.js';

/** A field that is absent or `null` does not filter. */
export interface DeliveryFilter {
  shopId?: number | undefined;
  status?: DeliveryStatus | undefined;
  paymentId?: number | undefined;
  /** A standing endpoint, or the origin of payments' addresses. */
  endpointId?: number | undefined;
  /** Exact address. */
  endpoint?: string | undefined;
  /** Created at this time or later. */
  from?: Date | null;
  /** Created before this time. */
  to?: Date | null;
}

/** The streams to read: the statement, its `$1`, and its parameters from `$10` on. */
interface Streams {
  statement: Statement;
  owners: number[];
  others: (number | number[] | null)[];
  /** A parameter leaves out rows that are read. */
  isFiltered?: boolean;
}

/** Deliveries that one statement reads if no index covers the filter: a few milliseconds. */
const SLICE = 2_000;
/** Statements per page. With two, such a page costs about as much as any other page, which is what the request is charged. */
const MAX_SLICES = 2;

/** Lists deliveries by the filters of `POST /webhooks/redeliver`, newest first. */
@Injectable()
export class DeliveryListService {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly shops: ShopsService,
  ) {}

  /**
   * Returns a page. It may have fewer than `limit` items, or none, and still a next page: a filter by address reads 4,000
   * deliveries per page. Throws `shop_not_found` and `endpoint_not_found`.
   */
  async list(merchantId: number, filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRow>> {
    const { shopId, endpointId, paymentId } = filter;
    if (shopId !== undefined) await this.shops.find(merchantId, shopId);
    const scope = endpointId === undefined ? undefined : await this.scopeOf(merchantId, endpointId);
    if (paymentId !== undefined) return this.listPayment(merchantId, filter, page);
    if (scope?.kind === 'standing') return this.walk(toEndpoint(endpointId!, shopId), filter, page);
    return this.walk(await this.streamsOf(merchantId, filter, scope?.shop_ids?.[0]), filter, page);
  }

  /** Returns a shop's latest deliveries, newest first. Does not check the merchant. */
  async newest(shopId: number, limit: number): Promise<DeliveryRow[]> {
    return (await this.walk({ statement: LIST_DELIVERIES, owners: [shopId], others: [[], null] }, {}, { limit })).items;
  }

  /** Throws `endpoint_not_found`. */
  private async scopeOf(merchantId: number, endpointId: number): Promise<EndpointScope> {
    const [scope] = await this.reads.query<EndpointScope>(FIND_ENDPOINT_SCOPE, [endpointId, merchantId]);
    if (!scope) throw new Problem('endpoint_not_found');
    return scope;
  }

  /** `shopOfEndpoint`: of the address of payments in the filter. */
  private async streamsOf(merchantId: number, filter: DeliveryFilter, shopOfEndpoint?: number): Promise<Streams> {
    const statement = LIST_DELIVERIES;
    const { shopId, endpointId = null, endpoint } = filter;
    const given = shopId ?? shopOfEndpoint;
    if (given !== undefined)
      return { statement, owners: [given], others: [[], endpointId], isFiltered: endpointId !== null };
    const rows = await (endpoint === undefined
      ? this.reads.query<{ id: number }>(LIST_SHOP_IDS, [merchantId])
      : this.reads.query<{ id: number }>(LIST_SHOP_IDS_OF_ORIGIN, [merchantId, laneOrigin(endpoint)]));
    return { statement, owners: rows.map(({ id }) => id), others: [[merchantId], null] };
  }

  private async walk(
    { statement, owners, others, isFiltered = false }: Streams,
    filter: DeliveryFilter,
    { limit, beforeId }: PageRequest,
  ) {
    const { status, endpoint, from = null, to = null } = filter;
    const statuses = status === undefined ? DELIVERY_STATUSES : [status];
    const scans = isFiltered || endpoint !== undefined;
    const perStream = !scans ? 0 : Math.floor(SLICE / ((owners.length + 1) * statuses.length));
    const span = await idsWithin(this.reads, DELIVERIES_IN_TIME, { from, to });
    const rows: DeliveryRow[] = [];
    let below = Math.min(beforeId ?? Number.MAX_SAFE_INTEGER, span.below);
    for (let slice = 0; slice < MAX_SLICES; slice++) {
      const wanted = limit + 1 - rows.length;
      const found = await this.reads.query<ListedRow>(statement, [
        owners,
        statuses,
        below,
        span.from,
        wanted,
        Math.max(perStream, wanted),
        from ?? '-infinity',
        to ?? 'infinity',
        endpoint ?? null,
        ...others,
      ]);
      rows.push(...found.filter((row) => row.id !== null));
      const completeDownTo = found[0]!.complete_down_to;
      if (rows.length > limit || completeDownTo === null) return toPage(rows, limit);
      below = completeDownTo;
    }
    return { items: rows, nextCursor: encodeCursor(below) };
  }

  private async listPayment(merchantId: number, filter: DeliveryFilter, { limit, beforeId }: PageRequest) {
    const { paymentId, status, shopId, endpointId, endpoint, from, to } = filter;
    const rows = await this.reads.query<DeliveryRow>(LIST_PAYMENT_DELIVERIES, [
      merchantId,
      paymentId,
      status === undefined ? DELIVERY_STATUSES : [status],
      beforeId ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
      shopId ?? null,
      from ?? '-infinity',
      to ?? 'infinity',
      endpoint ?? null,
      endpointId ?? null,
    ]);
    return toPage(rows, limit);
  }
}

const toEndpoint = (endpointId: number, shopId: number | undefined): Streams => ({
  statement: LIST_ENDPOINT_DELIVERIES,
  owners: [endpointId],
  others: [shopId ?? null],
  isFiltered: shopId !== undefined,
});
