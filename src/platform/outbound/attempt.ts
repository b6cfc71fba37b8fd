import type { IncomingHttpHeaders } from 'node:http';
import { errors, type Dispatcher } from 'undici';
import type { Clock } from '../../shared/clock.js';
import { connectionFailure } from './connection-failure.js';
import type { Connection } from './connection.js';
import type { Dialling } from './guarded-connector.js';
import {
  OutboundFailure,
  type OutboundErrorCode,
  type OutboundRequest,
  type OutboundResult,
} from './outbound-result.js';

/** The part of an answer that is read; after it the connection is cut and the status counts. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_INTERIM_ANSWERS = 16;
/** What may arrive without the head becoming complete or the body growing. */
export const MAX_FRAMING_BYTES = 16 * 1024;
/** What may arrive for one attempt in all: a chunk of one byte can carry kilobytes of framing. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);
const ENOUGH = new Error('enough was read');

// Made once: an error costs its stack.
const ENDLESS = new OutboundFailure('invalid_response', 'the answer consists of endless framing');
const LARGE_HEAD = new OutboundFailure('headers_too_large', 'the head of the answer is over 16 KiB');
const FLOOD = new OutboundFailure('invalid_response', `over ${MAX_INTERIM_ANSWERS} interim (1xx) answers were sent`);
const TIMEOUTS: Record<Dialling['stage'], OutboundFailure> = {
  resolving: new OutboundFailure('dns_timeout', 'the name was not resolved in time'),
  connecting: new OutboundFailure('connect_timeout', 'no connection was made in time'),
  securing: new OutboundFailure('connect_timeout', 'the TLS handshake was not done in time'),
  open: new OutboundFailure('timeout', 'the answer was not complete in time'),
};

/**
 * One POST: what undici is to send, the handler that it calls, and the holder of the deadline. The clock starts when a
 * connection takes it. It ends once; whatever arrives afterwards is ignored. The caller hears of an answer when the
 * connection is free again, so that a post that follows finds it.
 */
export class Attempt implements Dispatcher.DispatchOptions, Dispatcher.DispatchHandler {
  readonly method = 'POST';
  readonly headers: Record<string, string>;
  readonly body: string | Buffer;
  private result: OutboundResult | null = null;
  private connection: Connection | null = null;
  private timer: NodeJS.Timeout | undefined;
  private startedAt: Date | null = null;
  private startedMs = 0;
  private readonly timeoutMs: number;
  private statusCode = 0;
  private retryAfter: string | null = null;
  private answerBegan = false;
  private interimAnswers = 0;
  private received = 0;
  private readonly chunks: Buffer[] = [];
  /** Whether the head became complete or the body grew since the last read. */
  private progressed = false;
  /** `bytesRead` of the socket when the request was written, and when its answer last came forward. */
  private bytesAtStart = 0;
  private bytesAtProgress = 0;

  constructor(
    request: OutboundRequest,
    readonly path: string,
    private readonly clock: Clock,
    /** `fault`: ours, not the receiver's. */
    private readonly tell: (result: OutboundResult, fault?: Error) => void,
  ) {
    this.headers = request.headers;
    this.body = request.body;
    this.timeoutMs = request.timeoutMs;
  }

  get ended(): boolean {
    return this.result !== null;
  }

  /** A connection takes it: it is dialled now, or used again. */
  begin(connection: Connection): void {
    this.connection = connection;
    this.startedAt = this.clock.now();
    this.startedMs = performance.now();
    this.watch(this.timeoutMs);
  }

  /** After each read: neither undici nor its parser bounds blank lines, padding, chunk extensions or the number of trailers. */
  boundAnswer(bytesRead: number): void {
    if (this.ended) return;
    if (this.progressed) this.bytesAtProgress = bytesRead;
    this.progressed = false;
    const framing = bytesRead - this.bytesAtProgress;
    if (framing <= MAX_FRAMING_BYTES && bytesRead - this.bytesAtStart <= MAX_ANSWER_BYTES) return;
    if (this.statusCode > 0) this.abandon(ENDLESS);
    else this.abandon(LARGE_HEAD);
  }

  fail({ code, message }: OutboundFailure): void {
    this.end(null, code, message);
    this.release();
  }

  /** Ends it from outside. */
  abandon(failure: OutboundFailure): void {
    this.fail(failure);
    this.connection?.cut(failure);
  }

  /** Tells the caller, once it has ended. */
  release(fault?: Error): void {
    clearTimeout(this.timer);
    if (this.result !== null) this.tell(this.result, fault);
  }

  onRequestStart(): void {
    // Thrown errors keep undici from writing. What has ended is cut from its connection, so this is a second lock on the door.
    if (this.ended) throw new OutboundFailure('timeout', 'the attempt is over');
    this.bytesAtStart = this.bytesAtProgress = this.connection?.dialling.socket.bytesRead ?? 0;
  }

  /** undici's, at the first byte of an answer (also of an interim one). */
  onResponseStarted(): void {
    this.answerBegan = true;
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode >= 200) {
      this.statusCode = statusCode;
      this.progressed = true;
      this.retryAfter = headers['retry-after'] ?? null;
    } else if (++this.interimAnswers > MAX_INTERIM_ANSWERS) {
      this.abandon(FLOOD);
    }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.ended) return;
    this.progressed = true;
    const room = MAX_BODY_BYTES - this.received;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.received += chunk.length;
    if (this.received < MAX_BODY_BYTES) return;
    this.end(this.statusCode, null);
    this.release();
    this.connection?.cut(ENOUGH);
  }

  onResponseEnd(): void {
    this.end(this.statusCode, null);
  }

  /**
   * A request that meets a connection the receiver has just closed is sent again, once, on a new connection, when the old
   * one had served before and no byte of an answer came. That closing and the request crossed on the wire; only a receiver
   * that read the request and died without a word sees it twice, with the same webhook-id, as at-least-once delivery allows.
   */
  onResponseError(_controller: unknown, error: Error): void {
    const { connection } = this;
    if (this.ended || connection === null) return;
    if (error instanceof errors.InvalidArgumentError) {
      this.end(null, null);
      return this.release(error);
    }
    const failure = connectionFailure(error, connection.dialling);
    const mayRepeat = failure.code === 'connection_reset' && !this.answerBegan;
    if (!mayRepeat || !connection.repeat(this)) this.fail(failure);
  }

  // Node's timers run before what has arrived is read, and after a stall of this process much has: what came in time is
  // read first. They also run early by what the loop was late when they were set.
  private watch(ms: number): void {
    this.timer = setTimeout(() => setImmediate(() => this.expire()), ms);
  }

  private expire(): void {
    const leftMs = this.startedMs + this.timeoutMs - performance.now();
    if (this.ended) this.release();
    else if (leftMs >= 1) this.watch(leftMs);
    else this.abandon(TIMEOUTS[this.connection?.dialling.stage ?? 'connecting']);
  }

  private end(statusCode: number | null, error: OutboundErrorCode | null, errorMessage?: string): void {
    this.result ??= {
      statusCode,
      error,
      errorMessage,
      startedAt: this.startedAt ?? this.clock.now(),
      durationMs: this.startedAt === null ? 0 : Math.round(performance.now() - this.startedMs),
      retryAfter: error === null ? this.retryAfter : null,
      responseBody: this.chunks.length > 1 ? Buffer.concat(this.chunks) : (this.chunks[0] ?? NOTHING),
    };
  }
}
