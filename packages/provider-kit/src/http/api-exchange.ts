import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A call to an API whose host the operator or its documentation names, never a merchant. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: URL;
  /** `content-length` is added. */
  headers: Record<string, string>;
  body?: string;
}

export interface ApiAnswer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const OK = 200;
const API_CALL_FAILED = 'api_call_failed';

/**
 * There is no complete answer. `sent`: the other side may have acted; `false` only if no byte of the request was
 * written (no name, no connection, no TLS, or aborted before). The message has only codes, no addresses.
 */
export class ApiCallError extends Error {
  readonly code = API_CALL_FAILED;

  constructor(
    readonly sent: boolean,
    message: string,
  ) {
    super(message);
    this.name = 'ApiCallError';
  }
}

/**
 * By its code: the service and a connector may each have a copy of the class, and the error of one copy is no instance
 * of the other.
 */
export const isApiCallError = (error: unknown): error is ApiCallError =>
  (error as { code?: unknown } | null | undefined)?.code === API_CALL_FAILED;

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** One call and its one result: the request for undici, and the handler that undici calls. It is never sent twice. */
export class ApiExchange implements Dispatcher.DispatchOptions, Dispatcher.DispatchHandler {
  readonly origin: string;
  readonly path: string;
  readonly method: ApiRequest['method'];
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private ended = false;
  private statusCode = 0;
  private answerHeaders: IncomingHttpHeaders = {};
  private received = 0;
  private readonly chunks: Buffer[] = [];

  constructor(
    request: ApiRequest,
    private readonly signal: AbortSignal,
    private readonly resolve: (answer: ApiAnswer) => void,
    private readonly reject: (error: ApiCallError) => void,
  ) {
    this.origin = request.url.origin;
    this.path = request.url.pathname + request.url.search;
    this.method = request.method;
    this.headers = request.headers;
    this.body = request.body;
    signal.addEventListener('abort', this.abort, { once: true });
  }

  /** undici calls it right before it writes; an error thrown here prevents the write. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.ended) throw new Error('aborted before it was sent');
    this.controller = controller;
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    this.statusCode = statusCode;
    this.answerHeaders = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_ANSWER_BYTES) this.fail(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    // unlike 201 and 204, a 200 has content (RFC 9110, 15.3.1): a proxy's empty one is no answer of the API
    if (this.statusCode === OK && this.received === 0) return this.fail('the answer has no body');
    if (!this.end()) return;
    this.resolve({ statusCode: this.statusCode, headers: this.answerHeaders, body: Buffer.concat(this.chunks) });
  }

  onResponseError(_controller: unknown, error: Error): void {
    const what = this.controller === undefined ? 'no connection could be made' : 'the connection broke';
    this.fail(`${what} (${codeOf(error)})`);
  }

  readonly abort = (): void => this.fail('not answered in time');

  private fail(message: string): void {
    if (!this.end()) return;
    const { controller } = this;
    this.reject(new ApiCallError(controller !== undefined, message));
    controller?.abort(new Error(message));
  }

  private end(): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.signal.removeEventListener('abort', this.abort);
    return true;
  }
}

function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}
