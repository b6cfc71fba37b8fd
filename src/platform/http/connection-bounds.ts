// Why not Node's `server.maxConnections`: it closes newcomers while idle connections keep their places, and knows no networks.
//
// Bounds the open connections of a server: in all, and of each network. A connection is idle while no request is under way
// on it; a new one is idle until its first request. When all places are taken, the longest idle one makes room; without an
// idle one the newcomer is closed. A network with all of its places is given none of another's. A caller that does not
// read its answer is cut off.
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

export class ConnectionBounds {
  /** Open connections, with the number of requests under way. */
  private readonly open = new Map<Socket, number>();
  /** Those without a request, the longest idle one first. */
  private readonly idle = new Set<Socket>();
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
  begin(socket: Socket): void {
    const requests = this.open.get(socket);
    if (requests === undefined) return;
    this.open.set(socket, requests + 1);
    this.idle.delete(socket);
  }

  /** A request is answered, or its caller has gone: then its connection is closed, and no longer known. */
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
   * Most answers are taken at once, so that a look now and then costs less than one at each. From here on it is Node's: the time
   * begins anew with whatever is taken, and with the end of the answer that of keep-alive.
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
