import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { AnswerHeads } from './answer-heads.js';
import type { SocketState } from './connection-failure.js';
import type { Endpoint } from '../addresses/endpoint.js';
import type { GuardedConnector } from './guarded-connector.js';
import { MAX_FRAMING_BYTES, type ExchangeConnection, type HttpExchange } from './http-exchange.js';
import type { OutboundFailure } from './outbound-result.js';

/** Connections of this process per origin, at most. Beyond it a post is queued until a connection is free. */
export const MAX_CONNECTIONS_PER_ORIGIN = 256;
const IDLE_MS = 10_000;
/** A connection of this age is not used again, so that a receiver may move to another address in DNS. */
const MAX_AGE_MS = 300_000;
const NOT_CONNECTED: SocketState = { stage: 'connecting', socket: new Socket().destroy() };
const NOT_NEEDED = new Error('the connection is no longer needed');

/**
 * The connections of one origin. `onEmpty` is called when none is open or in use.
 *
 * Why not undici's Pool: it searches its list of clients twice per post, keeps the clients of closed sockets, and
 * cannot limit the idle connections of all origins together. This file was only 16 lines shorter with it.
 */
export class OriginPool {
  private readonly connections = new Set<Connection>();
  /** Idle connections; the most recently used one is last, and is used first. */
  private readonly free: Connection[] = [];
  private readonly queued: HttpExchange[] = [];

  constructor(
    private readonly endpoint: Endpoint,
    private readonly connector: GuardedConnector,
    /**
     * Idle connections of all origins, in the order in which they became idle. Not an LRUCache, which allocates its
     * arrays again each time it was empty.
     */
    private readonly idle: Set<Connection>,
    private readonly maxIdle: number,
    private readonly onEmpty: () => void,
  ) {}

  post(exchange: HttpExchange): void {
    const connection = this.free.pop();
    if (connection) {
      this.idle.delete(connection);
      connection.send(exchange);
    } else if (this.connections.size < MAX_CONNECTIONS_PER_ORIGIN) this.postOnNewConnection(exchange);
    else this.queued.push(exchange);
  }

  /** Posts on a new connection. */
  postOnNewConnection(exchange: HttpExchange): void {
    const connection = new Connection(this.endpoint, this.connector, this);
    this.connections.add(connection);
    connection.send(exchange);
  }

  /** The connection is open and idle. */
  onFree(connection: Connection): void {
    const next = this.nextQueued();
    if (next) return connection.send(next);
    this.free.push(connection);
    this.idle.add(connection);
    if (this.idle.size > this.maxIdle) this.idle.values().next().value?.disconnect();
  }

  /** The connection is closed and not in use. */
  onClosed(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    if (this.idle.delete(connection)) this.free.splice(this.free.indexOf(connection), 1);
    const next = this.nextQueued();
    if (next) this.postOnNewConnection(next);
    else if (this.connections.size === 0) this.onEmpty();
  }

  /** Ends all exchanges, in flight or queued, and closes all connections. */
  abort(reason: OutboundFailure): void {
    for (const exchange of this.queued.splice(0)) exchange.abort(reason);
    for (const connection of this.connections) connection.abort(reason);
  }

  private nextQueued(): HttpExchange | undefined {
    let next = this.queued.shift();
    while (next?.ended) next = this.queued.shift(); // while it was queued
    return next;
  }
}

/**
 * A client of undici with one keep-alive connection and at most one exchange at a time. Only its socket is closed,
 * never the client: a client that is being closed does not report the end of its last exchange.
 *
 * Why not undici's own Client: it does not expose the socket of a request, and limits neither its age nor its framing.
 */
export class Connection extends Client implements ExchangeConnection {
  state = NOT_CONNECTED;
  private exchange: HttpExchange | null = null;
  private heads: AnswerHeads | undefined;
  private openedAt = 0;
  private hasServed = false;

  constructor(
    endpoint: Endpoint,
    connector: GuardedConnector,
    private readonly pool: OriginPool,
  ) {
    super(endpoint.origin, {
      connect: (_options, done) => this.openSocket(connector, endpoint, done),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS, // regardless of the receiver's Keep-Alive header
      keepAliveTimeoutThreshold: 1_000,
      headersTimeout: 0, // the exchange has its own time limit
      bodyTimeout: 0,
      // Never reached, because each read (64 KiB) is limited. Beyond this limit undici creates an error with a stack
      // for each header of the read: 140 ms of CPU for 64 KiB of short headers.
      maxHeaderSize: MAX_FRAMING_BYTES + 64 * 1024,
    });
    this.on('drain', () => this.free());
  }

  /** An exchange is both the request and its handler. */
  send(exchange: HttpExchange): void {
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
    // Not on this connection: undici asserts that a client accepts nothing while it reports a failure. Nor on another
    // one that may be stale.
    this.pool.postOnNewConnection(exchange);
    return true;
  }

  /** Ends the current exchange at once, and not when the socket is closed. */
  abort(reason: OutboundFailure): void {
    if (this.exchange) this.exchange.abort(reason);
    else this.disconnect();
  }

  disconnect(reason = NOT_NEEDED): void {
    this.state.socket.destroy(reason);
    if (this.exchange === null) this.pool.onClosed(this);
  }

  private openSocket(connector: GuardedConnector, endpoint: Endpoint, done: buildConnector.Callback): void {
    this.openedAt = performance.now();
    this.hasServed = false;
    const heads = new AnswerHeads(() => this.exchange?.onResponseStarted());
    this.heads = heads;
    this.state = connector.connect(endpoint, (...result) => {
      const [, socket] = result;
      if (socket) heads.watch(socket);
      done(...result); // first, so that undici reads before the next listener
      socket?.on('readable', () => this.exchange?.boundAnswer(socket.bytesRead));
    });
    this.state.socket.once('close', () => {
      if (this.exchange === null) this.pool.onClosed(this);
    });
  }

  private free(): void {
    const { exchange } = this;
    if (exchange === null) return;
    this.exchange = null;
    this.hasServed = true;
    const isOld = performance.now() - this.openedAt > MAX_AGE_MS;
    if (isOld || this.heads?.mayHoldUnreadBody || this.state.socket.destroyed) this.disconnect();
    else this.pool.onFree(this);
    exchange.release();
  }
}
