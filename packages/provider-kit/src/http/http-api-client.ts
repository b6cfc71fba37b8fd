import Agent from 'undici/lib/dispatcher/agent.js';
import { type ApiAnswer, ApiCallError, ApiExchange, type ApiRequest } from './api-exchange.js';
import { Waits } from './waits.js';

/** Per process. Further calls wait; a waiting call that is aborted was not sent. */
const MAX_CONNECTIONS_PER_ORIGIN = 128;
const IDLE_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Calls the API of a payment provider. */
export interface ApiClient {
  /**
   * Rejects with an `ApiCallError` if there is no complete answer, for example when `signal` aborts; a 200 without a body
   * is none. Any status is an answer. The request is never sent twice. After an answer with `Retry-After`, calls of the
   * same account are not sent before that time.
   */
  call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer>;
}

/**
 * Calls APIs of payment providers: keep-alive per origin, verified certificates, no redirects, no proxies, no repeats.
 * It has no guard against private addresses, because no merchant chooses the address.
 */
export class HttpApiClient implements ApiClient {
  private readonly agent: Agent;
  private readonly waits = new Waits();

  /** `ca`: PEM certificates trusted instead of the well-known authorities; for tests. */
  constructor(ca?: string) {
    this.agent = new Agent({
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS, // shorter than providers keep connections: one closed during a call makes its outcome unknown
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0, // the caller's signal limits these
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off
        minVersion: 'TLSv1.2',
        ...(ca === undefined ? {} : { ca }),
      },
    });
  }

  call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    if (signal.aborted) return Promise.reject(new ApiCallError(false, 'aborted before it was sent'));
    const leftMs = this.waits.leftMs(request);
    if (leftMs > 0) {
      const message = `it asked to wait ${Math.ceil(leftMs / 1_000)} s longer (Retry-After)`;
      return Promise.reject(new ApiCallError(false, message));
    }
    return new Promise((resolve, reject) => {
      const answered = (answer: ApiAnswer): void => {
        this.waits.keep(request, answer);
        resolve(answer);
      };
      const exchange = new ApiExchange(request, signal, answered, reject);
      this.agent.dispatch(exchange, exchange);
    });
  }

  /** Ends calls in flight; their callers have had time to finish. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
