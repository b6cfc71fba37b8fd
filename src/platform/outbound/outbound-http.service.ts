import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../shared/clock.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.module.js';
import { parseEndpoint, type Endpoint, type EndpointRefusal } from '../addresses/endpoint.js';
import { GuardedConnector } from './guarded-connector.js';
import { HostResolver } from '../addresses/host-resolver.js';
import { HttpExchange } from './http-exchange.js';
import { OriginPool, type Connection } from './origin-pool.js';
import { OutboundFailure, type OutboundRequest, type OutboundResult } from './outbound-result.js';

/** Bounds that no operator has to turn. */
export interface OutboundOptions {
  /** Over all origins, 1,024 unless told. Connections in use are bounded by the callers. */
  idleConnections?: number;
  /** PEM certificates trusted instead of the well-known authorities; for tests. */
  ca?: string;
}

/** Provided by nobody: those who need other bounds construct the client themselves. */
const OUTBOUND_OPTIONS = Symbol('OutboundOptions');
const STOPPING = new OutboundFailure('shutting_down', 'this process is stopping');

/**
 * Posts to addresses that merchants chose. Keep-alive per origin; no redirects, no proxies, no decompression; certificates
 * verified; only public addresses and the networks of `WEBHOOK_ALLOWED_NETWORKS`, checked on the address that is dialled.
 */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly pools = new Map<string, OriginPool>();
  private readonly idle = new Set<Connection>();
  private readonly maxIdle: number;
  private readonly connector: GuardedConnector;
  /** Parsing costs more than the lookup, and a busy lane posts to one URL again and again. */
  private readonly endpoints: LRUCache<string, Endpoint | EndpointRefusal>;
  private stopped = false;

  constructor(
    @InjectConfig() config: Pick<Config, 'webhookAllowedNetworks' | 'webhookRequireHttps'>,
    private readonly clock: Clock,
    resolver: HostResolver,
    @Optional() @Inject(OUTBOUND_OPTIONS) { idleConnections = 1_024, ca }: OutboundOptions = {},
  ) {
    const { webhookAllowedNetworks: allowed, webhookRequireHttps: requireHttps } = config;
    this.maxIdle = idleConnections;
    this.connector = new GuardedConnector(resolver, allowed, ca);
    this.endpoints = new LRUCache({ max: 2_000, memoMethod: (url) => parseEndpoint(url, { allowed, requireHttps }) });
  }

  /**
   * One attempt. Whatever the receiver or the network does is a result, within `timeoutMs` of the beginning of connecting.
   * Rejects only for a fault of the caller: a header that HTTP does not allow.
   */
  post(request: OutboundRequest): Promise<OutboundResult> {
    const endpoint = this.stopped ? STOPPING : this.endpoints.memo(request.url);
    return new Promise((resolve, reject) => {
      const exchange = new HttpExchange(request, this.clock, (result, fault) => {
        if (fault === undefined) resolve(result);
        else reject(fault);
      });
      if ('code' in endpoint) return exchange.fail(endpoint);
      exchange.path = endpoint.path;
      const pool = this.pools.get(endpoint.origin) ?? this.open(endpoint);
      pool.post(exchange);
    });
  }

  /** Open connections that carry nothing, and origins with a connection: what stays in memory between attempts. */
  get kept(): { idleConnections: number; origins: number } {
    return { idleConnections: this.idle.size, origins: this.pools.size };
  }

  /** Ends what is still in flight; the callers have had their time by now. */
  onApplicationShutdown(): void {
    this.stopped = true;
    for (const pool of this.pools.values()) pool.abort(STOPPING);
  }

  private open(endpoint: Endpoint): OriginPool {
    const emptied = () => this.pools.delete(endpoint.origin);
    const pool = new OriginPool(endpoint, this.connector, this.idle, this.maxIdle, emptied);
    this.pools.set(endpoint.origin, pool);
    return pool;
  }
}
