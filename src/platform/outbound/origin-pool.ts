import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { AnswerHeads } from './answer-heads.js';
import type { Dialling } from './connection-failure.js';
import type { Endpoint } from '../addresses/endpoint.js';
import type { GuardedConnector } from './guarded-connector.js';
import { MAX_FRAMING_BYTES, type Carrier, type HttpExchange } from './http-exchange.js';
import type { OutboundFailure } from './outbound-result.js';

/** Of this process. Who stays within it never waits; beyond it a post is held until a connection is free. */
export const MAX_CONNECTIONS_PER_ORIGIN = 256;
const IDLE_MS = 10_000;
/** A connection this old is not used again, so that a receiver that moved by DNS is followed. */
const MAX_AGE_MS = 300_000;
const NOT_DIALLED: Dialling = { stage: 'connecting', socket: new Socket().destroy() };
const NOT_NEEDED = new Error('the connection is not needed any more');

/**
 * Why not undici's Pool: it searches its list of clients twice a post, keeps the clients of closed sockets, and has no bound
 * for idle connections of all origins together. This file was only 16 lines shorter with it.
 *
 * The connections of one origin. `emptied` is called when none is open or in use.
 */
export class OriginPool {
  private readonly live = new Set<Connection>();
  /** Open, and carrying nothing; the one used last comes last, and is taken first. */
  private readonly free: Connection[] = [];
  private readonly line: HttpExchange[] = [];

  constructor(
    private readonly endpoint: Endpoint,
    private readonly connector: GuardedConnector,
    /** Of all origins, in order of becoming idle; no LRUCache, which fills its arrays whenever it runs empty. */
    private readonly idle: Set<Connection>,
    private readonly maxIdle: number,
    private readonly emptied: () => void,
  ) {}

  post(exchange: HttpExchange): void {
    const connection = this.free.pop();
    if (connection) {
      this.idle.delete(connection);
      connection.carry(exchange);
    } else if (this.live.size < MAX_CONNECTIONS_PER_ORIGIN) this.postAnew(exchange);
    else this.line.push(exchange);
  }

  /** On a connection of its own. */
  postAnew(exchange: HttpExchange): void {
    const connection = new Connection(this.endpoint, this.connector, this);
    this.live.add(connection);
    connection.carry(exchange);
  }

  /** It is open and carries nothing. */
  freed(connection: Connection): void {
    const next = this.nextInLine();
    if (next) return connection.carry(next);
    this.free.push(connection);
    this.idle.add(connection);
    if (this.idle.size > this.maxIdle) this.idle.values().next().value?.cut();
  }

  /** It is closed and carries nothing. */
  gone(connection: Connection): void {
    if (!this.live.delete(connection)) return;
    if (this.idle.delete(connection)) this.free.splice(this.free.indexOf(connection), 1);
    const next = this.nextInLine();
    if (next) this.postAnew(next);
    else if (this.live.size === 0) this.emptied();
  }

  /** Ends what is in flight or in line, and closes all connections. */
  abort(reason: OutboundFailure): void {
    for (const exchange of this.line.splice(0)) exchange.abort(reason);
    for (const connection of this.live) connection.abort(reason);
  }

  private nextInLine(): HttpExchange | undefined {
    let next = this.line.shift();
    while (next?.ended) next = this.line.shift(); // while it was held
    return next;
  }
}

/**
 * Why not a plain Client of undici: it tells no one which socket carries a request, and bounds neither its age nor its framing.
 *
 * A client of undici with one keep-alive connection and at most one exchange at a time. It is never closed or destroyed,
 * only its socket is: from a client that is being closed nobody would hear that its last exchange is over.
 */
export class Connection extends Client implements Carrier {
  dialling = NOT_DIALLED;
  private exchange: HttpExchange | null = null;
  private heads: AnswerHeads | undefined;
  private dialledAt = 0;
  private hasServed = false;

  constructor(
    endpoint: Endpoint,
    connector: GuardedConnector,
    private readonly pool: OriginPool,
  ) {
    super(endpoint.origin, {
      connect: (_options, done) => this.dial(connector, endpoint, done),
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

  /** An exchange is both what is to be sent and its handler. */
  carry(exchange: HttpExchange): void {
    this.exchange = exchange;
    exchange.begin(this);
    this.dispatch(exchange, exchange);
    if (exchange.ended) this.free(); // refused at once (a header that HTTP does not allow): no `drain` follows
  }

  expectAnswer(): void {
    this.heads?.expect();
  }

  repeat(exchange: HttpExchange): boolean {
    if (!this.hasServed) return false;
    // Not on this one: undici asserts that a client takes nothing while it tells of a failure. Nor on another that may be stale.
    this.pool.postAnew(exchange);
    return true;
  }

  /** What it carries ends at once, and not when its socket is closed. */
  abort(reason: OutboundFailure): void {
    if (this.exchange) this.exchange.abort(reason);
    else this.cut();
  }

  cut(reason = NOT_NEEDED): void {
    this.dialling.socket.destroy(reason);
    if (this.exchange === null) this.pool.gone(this);
  }

  private dial(connector: GuardedConnector, endpoint: Endpoint, done: buildConnector.Callback): void {
    this.dialledAt = performance.now();
    this.hasServed = false;
    const heads = new AnswerHeads(() => this.exchange?.onResponseStarted());
    this.heads = heads;
    this.dialling = connector.dial(endpoint, (...result) => {
      const [, socket] = result;
      if (socket) heads.watch(socket);
      done(...result); // undici reads first
      socket?.on('readable', () => this.exchange?.boundAnswer(socket.bytesRead));
    });
    this.dialling.socket.once('close', () => {
      if (this.exchange === null) this.pool.gone(this);
    });
  }

  private free(): void {
    const { exchange } = this;
    if (exchange === null) return;
    this.exchange = null;
    this.hasServed = true;
    const isOld = performance.now() - this.dialledAt > MAX_AGE_MS;
    if (isOld || this.heads?.inDoubt || this.dialling.socket.destroyed) this.cut();
    else this.pool.freed(this);
    exchange.release();
  }
}
