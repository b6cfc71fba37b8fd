import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import errors from 'undici/lib/core/errors.js';
import type { Clock } from '../../shared/clock.js';
import { connectionFailure, type SocketState } from './connection-failure.js';
import { Pacer } from '../../shared/pacer.js';
import { OutboundFailure, type OutboundRequest, type OutboundResult } from './outbound-result.js';

/** The connection that an exchange uses. */
export interface ExchangeConnection {
  readonly state: SocketState;
  /** A request is about to be written. */
  expectAnswer(): void;
  /** Closes the connection, also while it is being opened. Its current exchange fails with `reason`. */
  disconnect(reason?: Error): void;
  /** Sends the exchange again on a new connection if this one may have been stale. */
  repeat(exchange: HttpExchange): boolean;
}

/** Limit for reading a response; beyond it the connection is closed and the status counts. */
export const MAX_BODY_BYTES = 64 * 1024;
const MAX_INTERIM_ANSWERS = 16;
/** Limit for a head, for all interim responses together, and for the framing of a body. */
export const MAX_FRAMING_BYTES = 16 * 1024;
/** Additional framing per byte of the body, if each byte is a chunk of its own. */
const FRAMING_PER_BYTE = 8;
const NOTHING = Buffer.alloc(0);

/**
 * Handles at most two time-outs of this process per iteration of the event loop: closing a connection and reporting it
 * takes 0.1 ms.
 */
const EXPIRIES = new Pacer(2);

// Created once, because building the stack of an error is expensive.
const FLOOD = new OutboundFailure('invalid_response', `over ${MAX_INTERIM_ANSWERS} interim (1xx) answers were sent`);
const FRAMING = new OutboundFailure('invalid_response', 'the answer has endless framing');
const LARGE_HEAD = new OutboundFailure('headers_too_large', 'the head of the answer is over 16 KiB');
const TIMEOUTS: Record<SocketState['stage'], OutboundFailure> = {
  resolving: new OutboundFailure('dns_timeout', 'the name was not resolved in time'),
  connecting: new OutboundFailure('connect_timeout', 'no connection was made in time'),
  securing: new OutboundFailure('connect_timeout', 'the TLS handshake did not finish in time'),
  open: new OutboundFailure('timeout', 'the answer was not complete in time'),
};

/**
 * One POST and its one result: the options and the handler for undici, and the time limit. The time starts when a
 * connection takes the exchange. It ends once; later data is ignored. The caller gets the result when the connection is
 * free again, so that its next post can use it.
 *
 * Why not undici's `request` with an AbortSignal: its time limit includes the wait for a connection, and it reports
 * neither the stage of the connection nor the amount of framing.
 */
export class HttpExchange implements Dispatcher.DispatchOptions, Dispatcher.DispatchHandler {
  readonly method = 'POST';
  path = '/';
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | Readable;
  ended = false;
  private result: OutboundResult | null = null;
  private connection: ExchangeConnection | null = null;
  private timer: NodeJS.Timeout | undefined;
  private startedAt: Date | null = null;
  private startedMs = 0;
  private statusCode = 0;
  private retryAfter: string | null = null;
  private contentEncoding: string | null = null;
  private answerBegan = false;
  private interimAnswers = 0;
  private received = 0;
  private readonly chunks: Buffer[] = [];
  /** `bytesRead` of the socket when the request was written, later when the head of the response had been read. */
  private bytesBefore = 0;

  constructor(
    private readonly request: OutboundRequest,
    private readonly clock: Clock,
    /** `fault`: an error of the caller, not of the receiver. */
    private readonly onResult: (result: OutboundResult, fault?: Error) => void,
  ) {
    this.headers = request.headers;
    this.body = request.body;
  }

  begin(connection: ExchangeConnection): void {
    this.connection = connection;
    if (this.startedAt !== null) return; // it is sent again
    this.startedAt = this.clock.now();
    this.startedMs = performance.now();
    this.watch(this.request.timeoutMs);
  }

  /**
   * Called after each read: neither undici nor its parser limits empty lines, padding, chunk extensions or trailers.
   */
  boundAnswer(bytesRead: number): void {
    const allowed = MAX_FRAMING_BYTES + this.received * FRAMING_PER_BYTE;
    if (!this.ended && bytesRead - this.bytesBefore > allowed) this.abort(this.statusCode > 0 ? FRAMING : LARGE_HEAD);
  }

  /** Ends the exchange from outside. */
  abort(failure: OutboundFailure): void {
    this.fail(failure);
    this.connection?.disconnect(failure);
  }

  /** Passes the result to the caller, if the exchange has ended. */
  release(fault?: Error): void {
    if (this.result === null) return;
    clearTimeout(this.timer);
    this.onResult(this.result, fault);
  }

  onRequestStart(): void {
    // An error thrown here stops undici from writing. It is a second safeguard: an ended exchange has already left its
    // connection.
    if (this.ended) throw TIMEOUTS.open;
    this.connection?.expectAnswer();
    this.bytesBefore = this.connection?.state.socket.bytesRead ?? 0;
  }

  /** Called by undici and by `AnswerHeads` at the first byte of a response, also of an interim one. */
  onResponseStarted(): void {
    this.answerBegan = true;
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) {
      if (++this.interimAnswers > MAX_INTERIM_ANSWERS) this.abort(FLOOD);
      return;
    }
    this.statusCode = statusCode;
    // undici returns a list for a repeated field; then the value is ambiguous
    const retryAfter: unknown = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter : null;
    this.contentEncoding = [headers['content-encoding'] ?? []].flat().join() || null;
    this.bytesBefore = this.connection?.state.socket.bytesRead ?? 0;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.ended) return;
    const remaining = MAX_BODY_BYTES - this.received;
    this.chunks.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
    this.received += chunk.length;
    if (this.received < MAX_BODY_BYTES) return;
    this.onResponseEnd();
    this.release();
    this.connection?.disconnect();
  }

  onResponseEnd(): void {
    this.end(this.statusCode, null);
  }

  /**
   * Sends a request again, once, on a new connection, when the receiver has closed the old one meanwhile: the old one
   * had served before, and no byte of a response has arrived. Usually the close and the request crossed on the wire.
   * Only a receiver that read the request and then died receives it twice, with the same webhook-id, as at-least-once
   * delivery allows.
   */
  onResponseError(_controller: unknown, error: Error): void {
    if (this.ended || this.connection === null) return;
    const failure = connectionFailure(error, this.connection.state);
    const mayRepeat = failure.code === 'connection_reset' && !this.answerBegan;
    if (mayRepeat && this.connection.repeat(this)) return;
    this.fail(failure, error instanceof errors.InvalidArgumentError ? error : undefined);
  }

  fail({ code, message }: Pick<OutboundFailure, 'code' | 'message'>, fault?: Error): void {
    this.end(null, code, message);
    this.release(fault);
  }

  // Node runs timers before it reads data that has arrived, which may be much after this process was blocked. So data
  // that arrived in time is read first. Timers also fire early, by the delay of the loop when they were set.
  private watch(ms: number): void {
    this.timer = setTimeout(() => EXPIRIES.run(() => this.expire()), ms);
  }

  private expire(): void {
    const leftMs = this.startedMs + this.request.timeoutMs - performance.now();
    if (this.ended) this.release();
    else if (leftMs > 0) this.watch(leftMs);
    else this.abort(TIMEOUTS[this.connection?.state.stage ?? 'open']);
  }

  private end(statusCode: number | null, error: OutboundFailure['code'] | null, errorMessage?: string): void {
    if (this.ended) return;
    this.ended = true;
    const { startedAt, retryAfter, contentEncoding, chunks } = this;
    this.result = {
      statusCode,
      error,
      errorMessage,
      startedAt: startedAt ?? this.clock.now(),
      durationMs: startedAt === null ? 0 : Math.round(performance.now() - this.startedMs),
      retryAfter: error === null ? retryAfter : null,
      contentEncoding,
      responseBody: chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NOTHING),
    };
  }
}
