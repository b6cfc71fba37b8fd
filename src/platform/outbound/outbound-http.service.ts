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

/** Limits that no operator has to change. */
export interface OutboundOptions {
  /** Idle connections of all origins; default: 1,024. Callers limit the connections in use. */
  idleConnections?: number;
  /** PEM certificates of trusted authorities, instead of the well-known ones; for tests. */
  ca?: string;
}

/** No module provides it: code that needs other limits constructs the client itself. */
const OUTBOUND_OPTIONS = Symbol('OutboundOptions');
const STOPPING = new OutboundFailure('shutting_down', 'this process is stopping');

/**
 * Posts to URLs that merchants chose. Keep-alive per origin; no redirects, proxies or decompression; certificates are
 * verified; only public addresses and the networks of `WEBHOOK_ALLOWED_NETWORKS` are allowed, which is checked on the
 * address that the socket connects to.
 */
@Injectable()
export class OutboundHttp implements OnApplicationShutdown {
  private readonly pools = new Map<string, OriginPool>();
  private readonly idle = new Set<Connection>();
  private readonly maxIdle: number;
  private readonly connector: GuardedConnector;
  /** Parsed URLs: parsing costs more than the look-up, and a busy lane posts to one URL many times. */
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
   * Sends one request. Every behaviour of the receiver and the network is a result, within `timeoutMs` of the start of
   * connecting. Rejects only for an error of the caller: a header that HTTP does not allow.
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
      const pool = this.pools.get(endpoint.origin) ?? this.createPool(endpoint);
      pool.post(exchange);
    });
  }

  /** Idle connections, and origins with a connection: the memory in use between posts. */
  get kept(): { idleConnections: number; origins: number } {
    return { idleConnections: this.idle.size, origins: this.pools.size };
  }

  /** Ends the remaining requests; the callers have had their time to finish. */
  onApplicationShutdown(): void {
    this.stopped = true;
    for (const pool of this.pools.values()) pool.abort(STOPPING);
  }

  private createPool(endpoint: Endpoint): OriginPool {
    const onEmpty = () => this.pools.delete(endpoint.origin);
    const pool = new OriginPool(endpoint, this.connector, this.idle, this.maxIdle, onEmpty);
    this.pools.set(endpoint.origin, pool);
    return pool;
  }
}
