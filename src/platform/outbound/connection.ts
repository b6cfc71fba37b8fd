import { Client, errors } from 'undici';
import type { Attempt, Carrier, Stage } from './attempt.js';
import { connectionFailure } from './connection-failure.js';
import type { Endpoint } from './endpoint.js';
import type { Dialling, GuardedConnector } from './guarded-connector.js';

/** Who keeps a connection between attempts. */
export interface ConnectionHome {
  freed(connection: Connection): void;
  /** It is closed. `repeat` is to be sent at once on a new one. */
  lost(connection: Connection, repeat?: Attempt): void;
}

const IDLE_MS = 10_000;
/** A connection this old is not used again, so that a receiver that moved by DNS is followed. */
const MAX_AGE_MS = 300_000;
/** What may arrive without the head becoming complete or the body growing. */
const MAX_FRAMING_BYTES = 16 * 1024;
/** What may arrive for one attempt in all: a chunk of one byte can carry kilobytes of framing. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** What Node reads at once. */
const READ_BYTES = 64 * 1024;

// One error for all: undici would make one, with its stack, for each connection that is closed.
const CLOSED = new Error('closed');
const ignore = (): void => undefined;

/**
 * One keep-alive connection, an undici Client, with at most one attempt at a time.
 * A request that meets a connection the receiver has just closed is sent again, once, on a new connection, when the old
 * one had served before and no byte of an answer came. That closing and the request crossed on the wire; only a receiver
 * that read the request and died without a word sees it twice, with the same webhook-id, as at-least-once delivery allows.
 */
export class Connection implements Carrier {
  private readonly client: Client;
  private dialling: Dialling = { stage: 'resolving', socket: null };
  private attempt: Attempt | null = null;
  private closed = false;
  private dialledAt = 0;
  /** Answers read on the present socket. */
  private served = 0;
  /** `bytesRead` of the socket when the attempt was sent, and when its answer last came forward. */
  private bytesAtStart = 0;
  private bytesAtProgress = 0;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly connector: GuardedConnector,
    private readonly home: ConnectionHome,
  ) {
    this.client = new Client(endpoint.origin, {
      connect: (_options, done) => this.dial(done),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS, // whatever the receiver's Keep-Alive header offers
      keepAliveTimeoutThreshold: 1_000,
      headersTimeout: 0, // the attempt's deadline bounds all of these
      bodyTimeout: 0,
      // Never reached, as boundAnswer looks after every read: beyond its own bound undici makes an error with a stack for each
      // header of the read, 140 ms of CPU for 64 KiB of short ones.
      maxHeaderSize: MAX_FRAMING_BYTES + READ_BYTES,
    });
    this.client.on('disconnect', () => {
      if (this.attempt === null) this.close();
    });
  }

  get stage(): Stage {
    return this.dialling.stage;
  }

  carry(attempt: Attempt): void {
    this.attempt = attempt;
    attempt.rideOn(this);
    const { headers, body } = attempt.request;
    this.client.dispatch({ method: 'POST', path: attempt.endpoint.path, headers, body }, attempt);
  }

  sending(): void {
    this.bytesAtStart = this.bytesAtProgress = this.dialling.socket?.bytesRead ?? 0;
  }

  completed(): void {
    this.attempt = null;
    this.served += 1;
    if (performance.now() - this.dialledAt > MAX_AGE_MS) this.close();
    else this.home.freed(this);
  }

  broke(attempt: Attempt, error: Error): void {
    this.attempt = null;
    if (error instanceof errors.InvalidArgumentError) attempt.fault(error);
    else if (this.isStale(attempt, error)) {
      attempt.repeated = true;
      return this.close(attempt);
    } else {
      const failure = connectionFailure(error, this.dialling);
      attempt.fail(failure.code, failure.message);
    }
    this.close();
  }

  evict(): void {
    this.attempt = null;
    this.close();
  }

  /** Cuts it, also while it is being made. */
  close(repeat?: Attempt): void {
    if (this.closed) return;
    this.closed = true;
    this.client.destroy(CLOSED, ignore);
    this.dialling.socket?.destroy();
    this.home.lost(this, repeat);
  }

  private dial(done: Parameters<GuardedConnector['dial']>[1]): void {
    this.served = 0;
    this.dialledAt = performance.now();
    this.dialling = this.connector.dial(this.endpoint, (...result) => {
      done(...result);
      result[1]?.on('readable', () => this.boundAnswer());
    });
  }

  // After each read: neither undici nor its parser bounds blank lines, padding, chunk extensions or the number of trailers.
  private boundAnswer(): void {
    const { attempt } = this;
    const { socket } = this.dialling;
    if (attempt === null || socket === null) return;
    const { bytesRead } = socket;
    if (attempt.takeProgress()) this.bytesAtProgress = bytesRead;
    const isBounded =
      bytesRead - this.bytesAtProgress <= MAX_FRAMING_BYTES && bytesRead - this.bytesAtStart <= MAX_ANSWER_BYTES;
    if (isBounded) return;
    if (attempt.hasStatus) attempt.abandon('invalid_response', 'the answer consists of endless framing');
    else attempt.abandon('headers_too_large', 'the head of the answer is over 16 KiB');
  }

  private isStale(attempt: Attempt, error: Error): boolean {
    if (this.served === 0 || attempt.answerBegan || attempt.repeated) return false;
    return connectionFailure(error, this.dialling).code === 'connection_reset';
  }
}
