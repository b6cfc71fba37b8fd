import { Socket } from 'node:net';
import { Client, type Dispatcher, type buildConnector } from 'undici';
import { MAX_FRAMING_BYTES, type Attempt } from './attempt.js';
import type { Endpoint } from './endpoint.js';
import type { Dialling, GuardedConnector } from './guarded-connector.js';
import type { OriginPool } from './origin-pool.js';

const IDLE_MS = 10_000;
/** A connection this old is not used again, so that a receiver that moved by DNS is followed. */
const MAX_AGE_MS = 300_000;
/** What Node reads at once. */
const READ_BYTES = 64 * 1024;
const TOO_OLD = new Error('too old');
const CLOSED: Dialling = { stage: 'connecting', socket: new Socket().destroy() };

const OPTIONS: Client.Options = {
  pipelining: 1,
  keepAliveTimeout: IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS, // whatever the receiver's Keep-Alive header offers
  keepAliveTimeoutThreshold: 1_000,
  headersTimeout: 0, // the attempt's deadline bounds all of these
  bodyTimeout: 0,
  // Never reached, as each read is bounded: beyond its own bound undici makes an error with a stack for each header of the
  // read, 140 ms of CPU for 64 KiB of short ones.
  maxHeaderSize: MAX_FRAMING_BYTES + READ_BYTES,
};

/**
 * A client of undici's pool: one keep-alive connection after another, each with at most one attempt at a time. It is never
 * closed or destroyed, as the pool would go on using it, and would not hear that it is free: its socket is.
 */
export class Connection extends Client {
  /** Of the present socket. */
  dialling = CLOSED;
  private attempt: Attempt | null = null;
  private dialledAt = 0;
  private hasServed = false;
  private home: OriginPool | undefined;

  static open(endpoint: Endpoint, connector: GuardedConnector, home: OriginPool): Connection {
    const connection: Connection = new Connection(endpoint.origin, {
      ...OPTIONS,
      connect: (_options, done) => connection.dial(connector, endpoint, done),
    });
    connection.home = home;
    return connection.on('drain', () => connection.free());
  }

  /** Called by the pool, with an attempt for both. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const attempt = options as Attempt;
    if (attempt.ended) return true;
    this.attempt = attempt;
    this.home?.taken(this);
    attempt.begin(this);
    if (super.dispatch(options, handler)) return true;
    if (attempt.ended) this.free(); // undici refused it at once (a header that HTTP does not allow): no `drain` follows
    return attempt.ended;
  }

  /** Sends it again when the connection that failed it may have been stale. */
  repeat(attempt: Attempt): boolean {
    if (!this.hasServed) return false;
    super.dispatch(attempt, attempt);
    return true;
  }

  /** Closes the socket, also while it is dialled; what it carries or was to carry fails with `reason`. */
  cut(reason: Error): void {
    this.dialling.socket.destroy(reason);
    if (this.attempt === null) this.home?.gone(this);
  }

  private dial(connector: GuardedConnector, endpoint: Endpoint, done: buildConnector.Callback): void {
    this.dialledAt = performance.now();
    this.hasServed = false;
    this.dialling = connector.dial(endpoint, (...result) => {
      done(...result);
      const [, socket] = result; // undici reads first
      socket?.on('readable', () => this.attempt?.boundAnswer(socket.bytesRead));
    });
    this.dialling.socket.once('close', () => {
      if (this.attempt === null) this.home?.gone(this);
    });
  }

  private free(): void {
    const { attempt } = this;
    this.attempt = null;
    this.hasServed = true;
    const { destroyed } = this.dialling.socket;
    if (destroyed || performance.now() - this.dialledAt > MAX_AGE_MS) this.cut(TOO_OLD);
    else this.home?.freed(this);
    attempt?.release();
  }
}
