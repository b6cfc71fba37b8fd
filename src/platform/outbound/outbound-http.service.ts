import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../shared/clock.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.module.js';
import { parseEndpoint, type Endpoint } from './endpoint.js';
import { GuardedConnector } from './guarded-connector.js';
import { HostResolver } from './host-resolver.js';
import { HttpExchange } from './http-exchange.js';
import { IdleConnections, OriginPool } from './origin-pool.js';
import { OutboundFailure, type OutboundRequest, type OutboundResult } from './outbound-result.js';

/** Bounds that no operator has to turn. */
export interface OutboundOptions {
  /** Over all origins. Connections that carry an attempt are bounded by the callers. */
  idleConnections: number;
  /** PEM certificates trusted instead of the well-known authorities; for tests. */
  ca?: string;
}

/** Provided by nobody: those who need other bounds construct the client themselves. */
const OUTBOUND_OPTIONS = Symbol('OutboundOptions');
const DEFAULTS: OutboundOptions = { idleConnections: 1_024 };
const PARSED_URLS = 2_000;
const STOPPING = new OutboundFailure('shutting_down', 'this process is stopping');

/**
 * Posts to addresses that merchants chose. Keep-alive per origin; no redirects, no proxies, no decompression; certificates
 * verified; only public addresses and the networks of `WEBHOOK_ALLOWED_NETWORKS`, checked on the address that is dialled.
 */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly inFlight = new Set<HttpExchange>();
  private readonly pools = new Map<string, OriginPool>();
  private readonly idle: IdleConnections;
  private readonly connector: GuardedConnector;
  /** Parsing costs more than the lookup, and a busy lane posts to one URL again and again. */
  private readonly endpoints = new LRUCache<string, Endpoint | OutboundFailure>({ max: PARSED_URLS });
  private stopped = false;

  constructor(
    @InjectConfig() private readonly config: Pick<Config, 'webhookAllowedNetworks' | 'webhookRequireHttps'>,
    private readonly clock: Clock,
    resolver: HostResolver,
    @Optional() @Inject(OUTBOUND_OPTIONS) options?: Partial<OutboundOptions>,
  ) {
    const { idleConnections, ca } = { ...DEFAULTS, ...options };
    this.idle = new IdleConnections(idleConnections);
    this.connector = new GuardedConnector(resolver, config.webhookAllowedNetworks, ca);
  }

  /**
   * One attempt. Whatever the receiver or the network does is a result, within `timeoutMs` of the beginning of connecting.
   * Rejects only for a fault of the caller: a header that HTTP does not allow.
   */
  post(request: OutboundRequest): Promise<OutboundResult> {
    const endpoint = this.stopped ? STOPPING : this.endpointOf(request.url);
    return new Promise((resolve, reject) => {
      const path = endpoint instanceof OutboundFailure ? '/' : endpoint.path;
      const exchange: HttpExchange = new HttpExchange(request, path, this.clock, (result, fault) => {
        this.inFlight.delete(exchange);
        if (fault === undefined) resolve(result);
        else reject(fault);
      });
      if (endpoint instanceof OutboundFailure) return exchange.fail(endpoint);
      this.inFlight.add(exchange);
      this.poolOf(endpoint).dispatch(exchange, exchange);
    });
  }

  /** Open connections that carry nothing, and origins with a connection: what stays in memory between attempts. */
  get kept(): { idleConnections: number; origins: number } {
    return { idleConnections: this.idle.size, origins: this.pools.size };
  }

  /** Ends what is still in flight; the callers have had their time by now. */
  onApplicationShutdown(): void {
    this.stopped = true;
    for (const exchange of this.inFlight) exchange.abort(STOPPING);
    for (const connection of this.idle) connection.cut(STOPPING);
  }

  private endpointOf(url: string): Endpoint | OutboundFailure {
    const known = this.endpoints.get(url);
    if (known !== undefined) return known;
    const { webhookAllowedNetworks: allowed, webhookRequireHttps: requireHttps } = this.config;
    const endpoint = parseEndpoint(url, { allowed, requireHttps });
    this.endpoints.set(url, endpoint);
    return endpoint;
  }

  private poolOf(endpoint: Endpoint): OriginPool {
    const { origin } = endpoint;
    const known = this.pools.get(origin);
    if (known !== undefined) return known;
    const pool = new OriginPool(endpoint, this.connector, this.idle, () => this.pools.delete(origin));
    this.pools.set(origin, pool);
    return pool;
  }
}
