import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { EndpointAuth } from './auth/endpoint-auth.js';
import { ReceiverSecrets } from './secrets/receiver-secrets.service.js';
import {
  COUNT_OPEN_PAYMENTS,
  type EndpointHourRow,
  type EndpointKind,
  type EndpointRow,
  type EndpointStatus,
  FIND_ENDPOINT,
  LIST_ENDPOINT_HOURS,
  LIST_ENDPOINTS,
} from './endpoints.queries.js';
import { type EndpointSecret, Receivers } from './secrets/receivers.service.js';

export interface EndpointFilter {
  shopId?: number | undefined;
  status?: EndpointStatus | undefined;
  kind?: EndpointKind | undefined;
}

/** An endpoint with its own headers and its authentication in plain text; of payments' addresses: `null`. */
export interface Endpoint {
  row: EndpointRow;
  headers: Record<string, string> | null;
  auth: EndpointAuth | null;
}

export interface EndpointDetail {
  endpoint: Endpoint;
  /** `null` for payments' addresses. */
  secret: EndpointSecret | null;
  hours: EndpointHourRow[];
  /** Open payments whose changes only standing endpoints report; `null` for payments' addresses, or if there are too many. */
  openPayments: number | null;
}

/** More open payments are not examined, so that reading an endpoint stays cheap. */
const MAX_OPEN_PAYMENTS = 10_000;

/** Reads the webhook endpoints of a merchant with their statistics of the last day. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly shops: ShopsService,
    private readonly secrets: ReceiverSecrets,
    private readonly receivers: Receivers,
  ) {}

  /** Returns a page of endpoints, newest first. Throws `shop_not_found`. */
  async list(
    merchantId: number,
    { shopId, status, kind }: EndpointFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<Endpoint>> {
    if (shopId !== undefined) await this.shops.find(merchantId, shopId);
    const values = [merchantId, shopId ?? null, status ?? null, beforeId, limit + 1, kind ?? null];
    const { items, nextCursor } = toPage(await this.reads.query<EndpointRow>(LIST_ENDPOINTS, values), limit);
    return { items: items.map((row) => this.opened(merchantId, row)), nextCursor };
  }

  /** Throws `endpoint_not_found`. */
  async find(merchantId: number, id: number): Promise<Endpoint> {
    const [row] = await this.database.query<EndpointRow>(FIND_ENDPOINT, [id, merchantId]);
    if (!row) throw new Problem('endpoint_not_found');
    return this.opened(merchantId, row);
  }

  /** Throws `endpoint_not_found`. */
  async detail(merchantId: number, id: number): Promise<EndpointDetail> {
    const values = [merchantId, id, MAX_OPEN_PAYMENTS];
    // before `pending` is counted: the delivery of a payment that ends in between is pending then
    const [open] = await this.database.query<{ count: number | null }>(COUNT_OPEN_PAYMENTS, values);
    const endpoint = await this.find(merchantId, id);
    const [hours, secret] = await Promise.all([
      this.database.query<EndpointHourRow>(LIST_ENDPOINT_HOURS, [endpoint.row.lane_id]),
      this.receivers.secret({ kind: 'standing', merchantId, id }),
    ]);
    return { endpoint, hours, secret, openPayments: open?.count ?? null };
  }

  private opened(merchantId: number, row: EndpointRow): Endpoint {
    if (row.kind === 'payment') return { row, headers: null, auth: null };
    return {
      row,
      headers: this.secrets.headers(merchantId, row.id, row.sealed_headers),
      auth: this.secrets.auth(merchantId, row.id, row.sealed_auth),
    };
  }
}
