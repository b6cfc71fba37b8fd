// How many connections a server keeps open: in all, and of each network. A connection is idle while no request is under way
// on it; a new one counts as idle until it asks for something. When all places are taken, the longest idle one makes
// room for who comes; without an idle one, who comes is closed. A network that has all of its places is given none of
// another's. A caller who does not take an answer is cut off. Invariant: the ring of `idle` holds the idle ones that are open, the longest idle one first.
import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import type { Logger } from 'pino';
import { isTrustedProxy, networkOf } from './client-address.js';

const LOGGED_EVERY_MS = 60_000;

export interface ConnectionLimits {
  /** Open connections of the server. */
  maxConnections: number;
  /** Those of one IPv4 address, or one IPv6 /64; 0: no bound. */
  maxConnectionsPerAddress: number;
  /** A caller who takes nothing of an answer for so long is cut off; in ms, as the next. */
  answerTimeout: number;
  /** How often connections are looked at for it. */
  checkInterval: number;
}

/** In a ring, which a request leaves and enters by two pointers each: a set would be built anew every few requests. */
class Connection {
  /** Under way. */
  requests = 0;
  previous: Connection = this;
  next: Connection = this;

  /** Without a socket: of no connection, between the last and the first. */
  constructor(
    readonly bounds: ConnectionBounds,
    readonly socket?: Socket,
  ) {}

  leave(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.previous = this.next = this;
  }

  /** As the one before `other`. */
  enter(other: Connection): void {
    this.previous = other.previous;
    this.next = other;
    this.previous.next = this;
    other.previous = this;
  }
}

/** Where a socket holds its connection: to find it there takes a request less than to look it up in a map. */
const CONNECTION = Symbol('connection');
type CountedSocket = Socket & { [CONNECTION]?: Connection };

export class ConnectionBounds {
  private readonly open = new Set<CountedSocket>();
  private readonly idle = new Connection(this);
  private readonly byNetwork = new Map<string, number>();
  private readonly isExempt: (address: string) => boolean;
  private closed = 0;
  private nextLineAt = 0;

  /** `trustedProxies` hold the connections of many callers: as networks they have no bound. */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly logger: Logger,
    trustedProxies?: BlockList,
  ) {
    this.isExempt = trustedProxies ? isTrustedProxy(trustedProxies) : () => false;
  }

  /** Counts the connections of `server`; their requests are to be told of by `begin` and `end`. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => this.accept(socket));
    server.once('listening', () => {
      const timer = setInterval(() => this.limitAnswers(), this.limits.checkInterval).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  /** A request has come; connections of another server are not known here. */
  begin(socket: CountedSocket): void {
    const connection = socket[CONNECTION];
    if (connection?.bounds !== this) return;
    connection.leave();
    connection.requests += 1;
  }

  /** A request that was told of is answered. Where its caller has gone, the connection is closed, and forgotten by that. */
  end(socket: CountedSocket): void {
    const connection = socket[CONNECTION];
    if (connection?.bounds !== this) return;
    connection.requests -= 1;
    if (connection.requests === 0) connection.enter(this.idle);
  }

  private accept(socket: CountedSocket): void {
    const network = this.boundedNetworkOf(socket);
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    const held = network === undefined ? 0 : (this.byNetwork.get(network) ?? 0);
    if (network !== undefined && held >= maxConnectionsPerAddress) return this.close(socket, 'of one address');
    if (this.open.size >= maxConnections) {
      const longestIdle = this.idle.next.socket;
      if (longestIdle === undefined) return this.close(socket, 'of the process');
      this.forget(longestIdle);
      this.close(longestIdle, 'of the process');
    }
    const connection = new Connection(this, socket);
    socket[CONNECTION] = connection;
    this.open.add(socket);
    connection.enter(this.idle);
    if (network !== undefined) this.byNetwork.set(network, held + 1);
    socket.once('close', () => {
      this.forget(socket);
      if (network !== undefined) this.release(network);
    });
  }

  /**
   * Most answers are taken at once, so that a look now and then costs less than one at each. From here on it is Node's: the time
   * begins anew with whatever is taken, and with the end of the answer that of keep-alive.
   */
  private limitAnswers(): void {
    for (const socket of this.open)
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(this.limits.answerTimeout);
  }

  private boundedNetworkOf({ remoteAddress }: Socket): string | undefined {
    if (this.limits.maxConnectionsPerAddress === 0 || remoteAddress === undefined) return undefined;
    return this.isExempt(remoteAddress) ? undefined : networkOf(remoteAddress);
  }

  private forget(socket: CountedSocket): void {
    socket[CONNECTION]?.leave();
    socket[CONNECTION] = undefined;
    this.open.delete(socket);
  }

  private release(network: string): void {
    const left = this.byNetwork.get(network)! - 1;
    if (left === 0) this.byNetwork.delete(network);
    else this.byNetwork.set(network, left);
  }

  /** At most a line a minute: the bounds are there for floods. */
  private close(socket: Socket, bound: 'of one address' | 'of the process'): void {
    socket.destroy();
    this.closed += 1;
    const now = performance.now();
    if (now < this.nextLineAt) return;
    this.nextLineAt = now + LOGGED_EVERY_MS;
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    const line = { closed: this.closed, bound, maxConnections, maxConnectionsPerAddress };
    this.logger.warn(line, 'connections closed: too many are open');
    this.closed = 0;
  }
}
