import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import errors from 'undici/lib/core/errors.js';
import type { Clock } from '../../shared/clock.js';
import { connectionFailure, type Dialling } from './connection-failure.js';
import { Pacer } from '../../shared/pacer.js';
import { OutboundFailure, type OutboundRequest, type OutboundResult } from './outbound-result.js';

/** The connection of an exchange. */
export interface Carrier {
  readonly dialling: Dialling;
  /** A request is about to be written. */
  expectAnswer(): void;
  /** Closes it, also while it is dialled; what it carries or was to carry fails with `reason`. */
  cut(reason?: Error): void;
  /** Sends again on a new connection, if this one may have been stale. */
  repeat(exchange: HttpExchange): boolean;
}

/** The part of an answer that is read; after it the connection is cut and the status counts. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_INTERIM_ANSWERS = 16;
/** Of a head, of interim answers together, and of what frames a body. */
export const MAX_FRAMING_BYTES = 16 * 1024;
/** What may frame a byte of the body besides, if each makes a chunk of its own. */
const FRAMING_PER_BYTE = 8;
const NOTHING = Buffer.alloc(0);

/** Time-outs of all exchanges of this process, two in a turn: to close a connection and report it takes 0.1 ms. */
const EXPIRIES = new Pacer(2);

// Made once: an error costs its stack.
const FLOOD = new OutboundFailure('invalid_response', `over ${MAX_INTERIM_ANSWERS} interim (1xx) answers were sent`);
const FRAMING = new OutboundFailure('invalid_response', 'the answer consists of endless framing');
const LARGE_HEAD = new OutboundFailure('headers_too_large', 'the head of the answer is over 16 KiB');
const TIMEOUTS: Record<Dialling['stage'], OutboundFailure> = {
  resolving: new OutboundFailure('dns_timeout', 'the name was not resolved in time'),
  connecting: new OutboundFailure('connect_timeout', 'no connection was made in time'),
  securing: new OutboundFailure('connect_timeout', 'the TLS handshake was not done in time'),
  open: new OutboundFailure('timeout', 'the answer was not complete in time'),
};

/**
 * Why not undici's `request` with an AbortSignal: its deadline runs while a post waits for a connection, and it says neither
 * how far the connection got nor how much framing came.
 *
 * One POST and its one result: what undici is to send, the handler that it calls, and the deadline. The clock starts when
 * a connection takes it. It ends once; what arrives afterwards is ignored. The caller hears of an answer when the
 * connection is free again, so that the next post finds it.
 */
export class HttpExchange implements Dispatcher.DispatchOptions, Dispatcher.DispatchHandler {
  readonly method = 'POST';
  path = '/';
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | Readable;
  ended = false;
  private result: OutboundResult | null = null;
  private carrier: Carrier | null = null;
  private timer: NodeJS.Timeout | undefined;
  private startedAt: Date | null = null;
  private startedMs = 0;
  private statusCode = 0;
  private retryAfter: string | null = null;
  private answerBegan = false;
  private interimAnswers = 0;
  private received = 0;
  private readonly chunks: Buffer[] = [];
  /** `bytesRead` of the socket when the request was written, then when the answer's head was read. */
  private bytesBefore = 0;

  constructor(
    private readonly request: OutboundRequest,
    private readonly clock: Clock,
    /** `fault`: the caller's, not the receiver's. */
    private readonly tell: (result: OutboundResult, fault?: Error) => void,
  ) {
    this.headers = request.headers;
    this.body = request.body;
  }

  begin(carrier: Carrier): void {
    this.carrier = carrier;
    if (this.startedAt !== null) return; // it is repeated
    this.startedAt = this.clock.now();
    this.startedMs = performance.now();
    this.watch(this.request.timeoutMs);
  }

  /** After each read: neither undici nor its parser bounds blank lines, padding, chunk extensions or trailers. */
  boundAnswer(bytesRead: number): void {
    const allowed = MAX_FRAMING_BYTES + this.received * FRAMING_PER_BYTE;
    if (!this.ended && bytesRead - this.bytesBefore > allowed) this.abort(this.statusCode > 0 ? FRAMING : LARGE_HEAD);
  }

  /** Ends it from outside. */
  abort(failure: OutboundFailure): void {
    this.fail(failure);
    this.carrier?.cut(failure);
  }

  /** Tells the caller, once it has ended. */
  release(fault?: Error): void {
    if (this.result === null) return;
    clearTimeout(this.timer);
    this.tell(this.result, fault);
  }

  onRequestStart(): void {
    // Thrown errors keep undici from writing. What has ended is cut from its connection, so this is a second lock on the door.
    if (this.ended) throw TIMEOUTS.open;
    this.carrier?.expectAnswer();
    this.bytesBefore = this.carrier?.dialling.socket.bytesRead ?? 0;
  }

  /** undici's and that of `AnswerHeads`, at the first byte of an answer (also of an interim one). */
  onResponseStarted(): void {
    this.answerBegan = true;
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) {
      if (++this.interimAnswers > MAX_INTERIM_ANSWERS) this.abort(FLOOD);
      return;
    }
    this.statusCode = statusCode;
    // undici gives a list where a field comes more than once; then it says nothing
    const retryAfter: unknown = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
    this.bytesBefore = this.carrier?.dialling.socket.bytesRead ?? 0;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.ended) return;
    const room = MAX_BODY_BYTES - this.received;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.received += chunk.length;
    if (this.received < MAX_BODY_BYTES) return;
    this.onResponseEnd();
    this.release();
    this.carrier?.cut();
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
    if (this.ended || this.carrier === null) return;
    const failure = connectionFailure(error, this.carrier.dialling);
    const mayRepeat = failure.code === 'connection_reset' && !this.answerBegan;
    if (mayRepeat && this.carrier.repeat(this)) return;
    this.fail(failure, error instanceof errors.InvalidArgumentError ? error : undefined);
  }

  fail({ code, message }: Pick<OutboundFailure, 'code' | 'message'>, fault?: Error): void {
    this.end(null, code, message);
    this.release(fault);
  }

  // Node's timers run before what has arrived is read, and after a stall of this process much has: what came in time is
  // read first. They also run early, by as much as the loop was late when they were set.
  private watch(ms: number): void {
    this.timer = setTimeout(() => EXPIRIES.run(() => this.expire()), ms);
  }

  private expire(): void {
    const leftMs = this.startedMs + this.request.timeoutMs - performance.now();
    if (this.ended) this.release();
    else if (leftMs > 0) this.watch(leftMs);
    else this.abort(TIMEOUTS[this.carrier?.dialling.stage ?? 'open']);
  }

  private end(statusCode: number | null, error: OutboundFailure['code'] | null, errorMessage?: string): void {
    if (this.ended) return;
    this.ended = true;
    const { startedAt, retryAfter, chunks } = this;
    this.result = {
      statusCode,
      error,
      errorMessage,
      startedAt: startedAt ?? this.clock.now(),
      durationMs: startedAt === null ? 0 : Math.round(performance.now() - this.startedMs),
      retryAfter: error === null ? retryAfter : null,
      responseBody: chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NOTHING),
    };
  }
}
