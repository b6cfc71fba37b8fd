import type { IncomingHttpHeaders } from 'node:http';
import type { ApiAnswer, ApiRequest } from '../http/api-exchange.js';
import type { ApiClient } from '../http/http-api-client.js';

/** `empty`: no byte. `garbage`: bytes that are no text. `html`: a proxy's page. `reset`: the connection breaks instead of an answer. */
export type PlayedBody = object | 'garbage' | 'empty' | 'html' | 'reset';

/** A call of the connector. */
export interface Exchange {
  request: ApiRequest;
  /** Method and path without the query, such as `POST /v1/refunds`. */
  line: string;
  signal: AbortSignal;
  /** `undefined`: the connector got none. */
  answer: ApiAnswer | undefined;
}

export interface PlayOptions {
  /** The line of the call that is meant; absent: the next one. */
  line?: RegExp;
  /** The number of calls with that line that are left out before. */
  skip?: number;
  headers?: IncomingHttpHeaders;
}

type Play = (request: ApiRequest, signal: AbortSignal, send: () => Promise<ApiAnswer>) => Promise<ApiAnswer>;

/**
 * The connector's HTTP client in tests: it records the calls and plays what can happen to one. Everything is played for
 * one call; calls without a play go to the fake.
 */
export class Wire implements ApiClient {
  readonly exchanges: Exchange[] = [];
  private unanswered: AbortSignal | undefined;
  private plays: { line: RegExp; skip: number; play: Play }[] = [];

  constructor(private readonly http: ApiClient) {}

  /** The provider answers so, and does nothing. */
  answerNext(status: number, body: PlayedBody, { headers = {}, ...of }: PlayOptions = {}): void {
    this.add(of, () =>
      body === 'reset' || (body === 'empty' && status === 200)
        ? Promise.reject(
            callError(true, body === 'reset' ? 'the connection broke (ECONNRESET)' : 'the answer has no body'),
          )
        : Promise.resolve({ statusCode: status, headers: { ...typeOf(body), ...headers }, body: bytesOf(body) }),
    );
  }

  /** The provider acts, and its answer gets lost. */
  loseNext(of: PlayOptions = {}): void {
    this.add(of, async (_request, _signal, send) => {
      await send();
      throw callError(true, 'the connection broke (ECONNRESET)');
    });
  }

  /** No byte of the call is sent. */
  cutNext(of: PlayOptions = {}): void {
    this.add(of, () => Promise.reject(callError(false, 'no connection could be made (ECONNREFUSED)')));
  }

  /** The provider does not answer until the call's signal aborts. */
  hangNext(of: PlayOptions = {}): void {
    this.add(
      of,
      (_request, signal) =>
        new Promise((_, reject) => {
          this.unanswered = signal;
          const end = () => reject(callError(true, 'not answered in time'));
          if (signal.aborted) end();
          else signal.addEventListener('abort', end, { once: true });
        }),
    );
  }

  /** The provider acts, and its answer has this JSON instead. */
  changeNext(change: (body: unknown, answer: ApiAnswer) => unknown, of: PlayOptions = {}): void {
    this.add(of, async (_request, _signal, send) => {
      const answer = await send();
      const text = answer.body.toString();
      return { ...answer, body: bytesOf(change(text === '' ? undefined : JSON.parse(text), answer) as object) };
    });
  }

  /** The signal of the call that hangs; `undefined`: `ended` has ended without such a call. */
  async hanging(ended: Promise<unknown>): Promise<AbortSignal | undefined> {
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    while (!this.unanswered && !isEnded) await new Promise((resolve) => setImmediate(resolve));
    const signal = this.unanswered;
    this.unanswered = undefined;
    return signal;
  }

  /** Forgets plays that no call has met. Returns whether there were any. */
  clear(): boolean {
    return this.plays.splice(0).length > 0;
  }

  async call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const exchange: Exchange = {
      request,
      line: `${request.method} ${request.url.pathname}`,
      signal,
      answer: undefined,
    };
    this.exchanges.push(exchange);
    const send = () => this.http.call(request, signal);
    const index = this.plays.findIndex((one) => one.line.test(exchange.line) && one.skip-- <= 0);
    const [found] = index < 0 ? [] : this.plays.splice(index, 1);
    exchange.answer = await (found ? found.play(request, signal, send) : send());
    return exchange.answer;
  }

  private add({ line = /./, skip = 0 }: PlayOptions, play: Play): void {
    this.plays.push({ line, skip, play });
  }
}

/** Not an `ApiCallError`: the service and a connector may each have a copy of that class. */
const callError = (sent: boolean, message: string): Error =>
  Object.assign(new Error(message), { code: 'api_call_failed', sent });

const typeOf = (body: PlayedBody): IncomingHttpHeaders =>
  body === 'empty' ? {} : { 'content-type': typeof body === 'object' ? 'application/json' : 'text/html' };

function bytesOf(body: PlayedBody): Buffer {
  if (typeof body === 'object') return Buffer.from(JSON.stringify(body));
  if (body === 'html') return Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>It works</h1>');
  return body === 'garbage' ? Buffer.from([0x7b, 0xff, 0x00, 0xfe, 0x22]) : Buffer.alloc(0);
}
