import { Socket } from 'node:net';
import type { Dispatcher, buildConnector } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Dialling } from './connection-failure.js';
import type { Endpoint } from '../addresses/endpoint.js';
import type { GuardedConnector } from './guarded-connector.js';
import { MAX_FRAMING_BYTES, type Carrier, type HttpExchange } from './http-exchange.js';

/** Of this process. Who stays within it never waits; beyond it undici holds a post until a connection is free. */
export const MAX_CONNECTIONS_PER_ORIGIN = 256;
const IDLE_MS = 10_000;
/** A connection this old is not used again, so that a receiver that moved by DNS is followed. */
const MAX_AGE_MS = 300_000;
const NOT_DIALLED: Dialling = { stage: 'connecting', socket: new Socket().destroy() };
const NOT_NEEDED = new Error('the connection is not needed any more');

/** undici's pool for one origin. It is `emptied` when none of its connections is open or in use. */
export class OriginPool extends Pool {
  private readonly live = new Set<Connection>();

  constructor(
    endpoint: Endpoint,
    connector: GuardedConnector,
    /** Of all origins, in order of becoming idle; no LRUCache, which fills its arrays whenever it runs empty. */
    private readonly idle: Set<Connection>,
    private readonly maxIdle: number,
    private readonly emptied: () => void,
  ) {
    const connections = MAX_CONNECTIONS_PER_ORIGIN;
    super(endpoint.origin, { connections, factory: () => new Connection(endpoint, connector, this) });
  }

  taken(connection: Connection): void {
    this.live.add(connection);
    this.idle.delete(connection);
  }

  /** It is open and carries nothing. */
  freed(connection: Connection): void {
    this.idle.add(connection);
    if (this.idle.size > this.maxIdle) this.idle.values().next().value?.cut();
  }

  /** It is closed and carries nothing. */
  gone(connection: Connection): void {
    this.idle.delete(connection);
    if (this.live.delete(connection) && this.live.size === 0) this.emptied();
  }
}

/**
 * A client of the pool: one keep-alive connection after another, each with at most one exchange at a time. It is never
 * closed or destroyed, only its socket is: undici's pool would go on using it, and nobody would hear that it is free.
 */
export class Connection extends Client implements Carrier {
  dialling = NOT_DIALLED;
  private exchange: HttpExchange | null = null;
  private dialledAt = 0;
  private hasServed = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly connector: GuardedConnector,
    private readonly pool: OriginPool,
    /** Outside of undici's pool. */
    private readonly forOneExchange = false,
  ) {
    super(endpoint.origin, {
      connect: (_options, done) => this.dial(done),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS, // whatever the receiver's Keep-Alive header offers
      keepAliveTimeoutThreshold: 1_000,
      headersTimeout: 0, // the exchange's deadline bounds all of these
      bodyTimeout: 0,
      // Never reached, as each read (64 KiB) is bounded: beyond its own bound undici makes an error with a stack for each
      // header of the read, 140 ms of CPU for 64 KiB of short ones.
      maxHeaderSize: MAX_FRAMING_BYTES + 64 * 1024,
    });
    this.on('drain', () => this.free());
  }

  /** Called by the pool. An exchange is both what is to be sent and its handler. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = options as HttpExchange;
    if (exchange.ended) return true; // while undici held it
    this.exchange = exchange;
    this.pool.taken(this);
    exchange.begin(this);
    if (super.dispatch(options, handler)) return true;
    if (exchange.ended) this.free(); // refused at once (a header that HTTP does not allow): no `drain` follows
    return exchange.ended;
  }

  repeat(exchange: HttpExchange): boolean {
    if (!this.hasServed) return false;
    // Not on this one: undici asserts that a client takes nothing while it tells of a failure. Nor by the pool, which might
    // choose another that is stale.
    new Connection(this.endpoint, this.connector, this.pool, true).dispatch(exchange, exchange);
    return true;
  }

  cut(reason = NOT_NEEDED): void {
    this.dialling.socket.destroy(reason);
    if (this.exchange === null) this.pool.gone(this);
  }

  private dial(done: buildConnector.Callback): void {
    this.dialledAt = performance.now();
    this.hasServed = false;
    this.dialling = this.connector.dial(this.endpoint, (...result) => {
      done(...result);
      const [, socket] = result; // undici reads first
      socket?.on('readable', () => this.exchange?.boundAnswer(socket.bytesRead));
    });
    this.dialling.socket.once('close', () => {
      if (this.exchange === null) this.pool.gone(this);
    });
  }

  private free(): void {
    const { exchange } = this;
    this.exchange = null;
    this.hasServed = true;
    const isOld = this.forOneExchange || performance.now() - this.dialledAt > MAX_AGE_MS;
    if (isOld || this.dialling.socket.destroyed) this.cut();
    else this.pool.freed(this);
    exchange?.release();
  }
}
