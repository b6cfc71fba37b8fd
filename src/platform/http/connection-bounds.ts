// Limits the open connections of a server: in total, and per network. A connection is idle while it has no request; a
// new one is idle until its first request. When all places are taken, the connection that has been idle longest is
// closed for a new one; if none is idle, the new one is closed. A network at its own limit gets no place of another
// network. A caller that does not read its response is disconnected.
//
// Why not Node's `server.maxConnections`: it closes new connections while idle ones keep their places, and knows no
// networks.
import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import type { Logger } from 'pino';
import { isTrustedProxy, networkOf } from './client-address.js';

const LOGGED_EVERY_MS = 60_000;

export interface ConnectionLimits {
  /** Open connections of the server, at most. */
  maxConnections: number;
  /** Open connections per IPv4 address or IPv6 /64; 0: no limit. */
  maxConnectionsPerAddress: number;
  /** A caller that reads nothing of its response for this time is disconnected; in ms, like `checkInterval`. */
  answerTimeout: number;
  /** Interval of the check for such callers. */
  checkInterval: number;
}

export class ConnectionBounds {
  /** Open connections, with the number of requests under way. */
  private readonly open = new Map<Socket, number>();
  /** Connections without a request, the longest idle one first. */
  private readonly idle = new Set<Socket>();
  private readonly byNetwork = new Map<string, number>();
  private readonly isExempt: (address: string) => boolean;
  private closed = 0;
  private nextLineAt = 0;

  /** `trustedProxies` carry the connections of many callers, so they have no limit per network. */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly logger: Logger,
    trustedProxies?: BlockList,
  ) {
    this.isExempt = trustedProxies ? isTrustedProxy(trustedProxies) : () => false;
  }

  /** Counts the connections of `server`. Report their requests with `begin` and `end`. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => this.accept(socket));
    server.once('listening', () => {
      const timer = setInterval(() => this.limitAnswers(), this.limits.checkInterval).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  /** Reports a request. Connections of another server are ignored. */
  begin(socket: Socket): void {
    const requests = this.open.get(socket);
    if (requests === undefined) return;
    this.open.set(socket, requests + 1);
    this.idle.delete(socket);
  }

  /**
   * Reports the end of a request: it was answered, or its caller has disconnected and the connection is no longer
   * known.
   */
  end(socket: Socket): void {
    const requests = this.open.get(socket);
    if (requests === undefined) return;
    this.open.set(socket, requests - 1);
    if (requests === 1) this.idle.add(socket);
  }

  private accept(socket: Socket): void {
    const network = this.boundedNetworkOf(socket);
    const { maxConnections, maxConnectionsPerAddress } = this.limits;
    const held = network === undefined ? 0 : (this.byNetwork.get(network) ?? 0);
    if (network !== undefined && held >= maxConnectionsPerAddress) return this.close(socket, 'of one address');
    if (this.open.size >= maxConnections) {
      const [longestIdle] = this.idle;
      if (longestIdle === undefined) return this.close(socket, 'of the process');
      this.forget(longestIdle);
      this.close(longestIdle, 'of the process');
    }
    this.open.set(socket, 0);
    this.idle.add(socket);
    if (network !== undefined) this.byNetwork.set(network, held + 1);
    socket.once('close', () => {
      this.forget(socket);
      if (network !== undefined) this.release(network);
    });
  }

  /**
   * Starts Node's time-out on connections with unread response data. Most responses are read at once, so a periodic
   * check costs less than one per response. Node's time-out restarts whenever data is read, and at the end of the
   * response the keep-alive time-out replaces it.
   */
  private limitAnswers(): void {
    for (const socket of this.open.keys())
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(this.limits.answerTimeout);
  }

  private boundedNetworkOf({ remoteAddress }: Socket): string | undefined {
    if (this.limits.maxConnectionsPerAddress === 0 || remoteAddress === undefined) return undefined;
    return this.isExempt(remoteAddress) ? undefined : networkOf(remoteAddress);
  }

  private forget(socket: Socket): void {
    this.open.delete(socket);
    this.idle.delete(socket);
  }

  private release(network: string): void {
    const left = this.byNetwork.get(network)! - 1;
    if (left === 0) this.byNetwork.delete(network);
    else this.byNetwork.set(network, left);
  }

  /** At most one log line a minute, because the limits protect against floods. */
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
