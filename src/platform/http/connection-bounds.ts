// How many connections a server keeps open: in all, and of each network. A connection is idle while no request is under way
// on it; a new one counts as idle until it asks for something. When all places are taken, the longest idle one makes
// room for who comes; without an idle one, who comes is closed. A network that has all of its places is given none of
// another's. Invariants: `idle` is how many are; whoever became idle after `ranked` was made has been so for less long
// than all in it.
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
}

interface Connection {
  /** `undefined`: it was closed. */
  socket: Socket | undefined;
  /** Under way. */
  requests: number;
  /** Counts how often any has become idle, which is what a request pays for: to keep them in order would take it longer. */
  idleSince: number;
}

export class ConnectionBounds {
  private readonly open = new Map<Socket, Connection>();
  private idle = 0;
  private lastIdle = 0;
  /** Those that were idle when it was made, with since when; the longest idle one last. */
  private ranked: { connection: Connection; since: number }[] = [];
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
  }

  /** A request has come; connections of another server are not known here. */
  begin(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    if (connection.requests === 0) this.idle -= 1;
    connection.requests += 1;
  }

  /** A request that was told of is answered. Where its caller has gone, the connection is closed, and forgotten by that. */
  end(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.requests -= 1;
    if (connection.requests === 0) this.becomeIdle(connection);
  }

  private accept(socket: Socket): void {
    const network = this.boundedNetworkOf(socket);
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    const held = network === undefined ? 0 : (this.byNetwork.get(network) ?? 0);
    if (network !== undefined && held >= maxConnectionsPerAddress) return this.close(socket, 'of one address');
    if (this.open.size >= maxConnections) {
      const longestIdle = this.longestIdle();
      if (longestIdle === undefined) return this.close(socket, 'of the process');
      this.forget(longestIdle);
      this.close(longestIdle, 'of the process');
    }
    const connection = { socket, requests: 0, idleSince: 0 };
    this.open.set(socket, connection);
    this.becomeIdle(connection);
    if (network !== undefined) this.byNetwork.set(network, held + 1);
    socket.once('close', () => {
      this.forget(socket);
      if (network !== undefined) this.release(network);
    });
  }

  private boundedNetworkOf({ remoteAddress }: Socket): string | undefined {
    if (this.limits.maxConnectionsPerAddress === 0 || remoteAddress === undefined) return undefined;
    return this.isExempt(remoteAddress) ? undefined : networkOf(remoteAddress);
  }

  private becomeIdle(connection: Connection): void {
    this.idle += 1;
    connection.idleSince = ++this.lastIdle;
  }

  private longestIdle(): Socket | undefined {
    while (this.idle > 0) {
      const { connection, since } = this.ranked.pop() ?? this.rank();
      if (connection.requests === 0 && connection.idleSince === since && connection.socket) return connection.socket;
    }
    return undefined;
  }

  /** Ranks all anew and takes the longest idle one. Some are idle. */
  private rank(): { connection: Connection; since: number } {
    const idle = [...this.open.values()].filter(({ requests }) => requests === 0);
    this.ranked = idle.map((connection) => ({ connection, since: connection.idleSince }));
    this.ranked.sort((one, other) => other.since - one.since);
    return this.ranked.pop()!;
  }

  private forget(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    if (connection.requests === 0) this.idle -= 1;
    connection.socket = undefined;
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
    this.logger.warn({ closed: this.closed, bound, ...this.limits }, 'connections closed: too many are open');
    this.closed = 0;
  }
}
