import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Expirable } from './deadline-wheel.js';
import type { Endpoint } from './endpoint.js';
import {
  OutboundFailure,
  type OutboundErrorCode,
  type OutboundRequest,
  type OutboundResult,
} from './outbound-result.js';

/** How far an attempt has come. */
export type Stage = 'queued' | 'resolving' | 'connecting' | 'securing' | 'open';

/** Where an attempt waits: the line for a connection, or a connection. */
export interface Place {
  readonly stage: Stage;
  /** The attempt is over before its time: it must never be sent from now on, and nothing more is read for it. */
  evict(attempt: Attempt): void;
}

/** A connection that carries an attempt. */
export interface Carrier extends Place {
  /** The request's first byte is about to be written. */
  sending(): void;
  /** The answer is complete; the connection is free. */
  completed(): void;
  /** The connection, or the way to it, failed. */
  broke(attempt: Attempt, error: Error): void;
}

/** How an attempt ends: with a result, or with an error that is a fault of ours (a header that HTTP does not allow). */
export interface Outcome {
  settled(result: OutboundResult): void;
  faulted(error: Error): void;
}

/** The part of an answer that is read; after it the connection is cut and the status counts. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_INTERIM_ANSWERS = 16;
const NOTHING = Buffer.alloc(0);

const TIMEOUTS: Record<Stage, [OutboundErrorCode, string]> = {
  queued: ['queue_timeout', 'all connections to the receiver stayed taken'],
  resolving: ['dns_timeout', 'the name was not resolved in time'],
  connecting: ['connect_timeout', 'no connection was made in time'],
  securing: ['connect_timeout', 'the TLS handshake was not done in time'],
  open: ['timeout', 'the answer was not complete in time'],
};

/**
 * One POST from its call to its one result. It is the handler that undici calls, and the holder of the deadline.
 * - It settles once; whatever arrives afterwards is ignored.
 * - It knows its place, so that at the deadline it can be taken out of the line or its connection be cut.
 */
export class Attempt implements Expirable, Dispatcher.DispatchHandler {
  deadlineTick = 0;
  /** Whether a first byte of an answer came: from then on it is never sent again. */
  answerBegan = false;
  /** Whether it was sent again after a stale connection failed it. */
  repeated = false;

  private place: Place | null = null;
  private carrier: Carrier | null = null;
  private settled = false;
  private readonly startedMs = performance.now();
  private statusCode = 0;
  private progressed = false;
  private retryAfter: string | null = null;
  private interimAnswers = 0;
  private received = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    readonly request: OutboundRequest,
    readonly endpoint: Endpoint,
    private readonly startedAt: Date,
    private readonly outcome: Outcome,
  ) {}

  get hasStatus(): boolean {
    return this.statusCode > 0;
  }

  /** Whether the head became complete or the body grew since the last call. */
  takeProgress(): boolean {
    const { progressed } = this;
    this.progressed = false;
    return progressed;
  }

  waitIn(line: Place): void {
    this.place = line;
  }

  rideOn(carrier: Carrier): void {
    this.place = this.carrier = carrier;
  }

  expire(): void {
    if (this.settled) return;
    const [code, message] = TIMEOUTS[this.place?.stage ?? 'queued'];
    this.abandon(code, message);
  }

  /** Ends it from outside. */
  abandon(code: OutboundErrorCode, message: string): void {
    this.fail(code, message);
    this.place?.evict(this);
  }

  fail(code: OutboundErrorCode, message: string): void {
    if (!this.settled) this.settle(null, code, message, null);
  }

  fault(error: Error): void {
    if (this.settled) return;
    this.settled = true;
    this.outcome.faulted(error);
  }

  onRequestStart(): void {
    // Thrown errors keep undici from writing. A place lets go of a settled attempt, so this is a second lock on the door.
    if (this.settled) throw new OutboundFailure('timeout', 'the attempt is over');
    this.carrier?.sending();
  }

  /** undici's, at the first byte of an answer (also of an interim one). */
  onResponseStarted(): void {
    this.answerBegan = true;
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    if (this.settled) return;
    if (statusCode >= 200) {
      this.statusCode = statusCode;
      this.progressed = true;
      this.retryAfter = headers['retry-after'] ?? null;
    } else if (++this.interimAnswers > MAX_INTERIM_ANSWERS) {
      this.abandon('invalid_response', `the receiver sent more than ${MAX_INTERIM_ANSWERS} interim (1xx) answers`);
    }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.settled) return;
    this.progressed = true;
    const room = MAX_BODY_BYTES - this.received;
    this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.received += chunk.length;
    if (this.received < MAX_BODY_BYTES) return;
    this.answer();
    this.place?.evict(this);
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.answer();
    this.carrier?.completed();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!this.settled) this.carrier?.broke(this, error);
  }

  private answer(): void {
    this.settle(this.statusCode, null, undefined, this.retryAfter);
  }

  // One literal of one shape: spreading here was a tenth of the cost of an attempt.
  private settle(
    statusCode: number | null,
    error: OutboundErrorCode | null,
    errorMessage: string | undefined,
    retryAfter: string | null,
  ): void {
    this.settled = true;
    this.outcome.settled({
      statusCode,
      error,
      errorMessage,
      startedAt: this.startedAt,
      durationMs: Math.round(performance.now() - this.startedMs),
      retryAfter,
      responseBody: this.chunks.length > 1 ? Buffer.concat(this.chunks) : (this.chunks[0] ?? NOTHING),
    });
  }
}
