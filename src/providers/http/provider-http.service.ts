import type { OnApplicationShutdown } from '@nestjs/common';
import Agent from 'undici/lib/dispatcher/agent.js';
import { type ApiAnswer, ApiCallError, ApiExchange, type ApiRequest } from './api-exchange.js';

/** Of this process. Beyond it a call waits; one that is given up meanwhile was not sent. */
const MAX_CONNECTIONS_PER_ORIGIN = 128;
const IDLE_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Calls APIs of payment providers: keep-alive per origin, certificates verified, no redirects, no proxies, no repeats. Other
 * than `OutboundHttp` it has no guard against private addresses: no merchant chooses where it goes.
 */
export class ProviderHttp implements OnApplicationShutdown {
  private readonly agent: Agent;

  /** `ca`: PEM certificates trusted instead of the well-known authorities; for tests. */
  constructor(ca?: string) {
    this.agent = new Agent({
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS, // below what providers keep: a connection closed under a call makes its outcome unknown
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0, // the caller's signal bounds all of these
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        rejectUnauthorized: true, // said, so that NODE_TLS_REJECT_UNAUTHORIZED cannot take it away
        minVersion: 'TLSv1.2',
        ...(ca === undefined ? {} : { ca }),
      },
    });
  }

  /** Rejects with an `ApiCallError` when there is no whole answer, also when `signal` aborts. Any status is an answer. */
  call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    if (signal.aborted) return Promise.reject(new ApiCallError(false, 'given up before it was sent'));
    return new Promise((resolve, reject) => {
      const exchange = new ApiExchange(request, signal, resolve, reject);
      this.agent.dispatch(exchange, exchange);
    });
  }

  /** Ends what is still in flight; the callers have had their time by now. */
  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}
