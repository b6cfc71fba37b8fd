import { Inject, Injectable, Logger } from '@nestjs/common';
import { OutboundHttp } from '../../../platform/outbound/outbound-http.service.js';
import { OutboundFailure, type OutboundResult } from '../../../platform/outbound/outbound-result.js';
import { withTimeout } from '../../../shared/clock.js';
import { boundedCache } from '../../../shared/bounded-cache.js';
import { basicCredentials, type ClientCredentials, tokenOf, tokenRequest } from './access-token.js';
import type { EndpointAuth } from './endpoint-auth.js';

/** Time for a token, in addition to the time of the attempt. The lease of a delivery has room for both. */
const TOKEN_TIMEOUT_MS = 2_000;
/** Minimum interval of requests for a token of one endpoint: a refused client must not be tried a hundred times. */
const MIN_INTERVAL_MS = 1_000;
const CACHED_TOKENS = 5_000;
/** RFC 6750, 3.1, answers an expired token with 401; some gateways answer 403. */
const REFUSALS: readonly (number | null)[] = [401, 403];

const TOO_LATE = new OutboundFailure('auth_failed', 'the token endpoint did not answer in time');

interface TokenFetch {
  readonly answer: Promise<string | OutboundFailure>;
  readonly startedAt: number;
  /** Until when the answer is used, by `performance.now()`. */
  usedUntil: number;
  token?: string;
}

/**
 * Authenticates to receivers. The states of an endpoint with OAuth 2 client credentials, in this process:
 *
 *          an attempt begins             token
 *   none ────────────────────▶ fetching ───────▶ valid
 *    ▲                            │ none           │ shortly before its end, or 401, 403 from the receiver
 *    │                            ▼                ▼
 *    └──────── 1 s after the fetch began ──────────┘
 *
 * - All attempts at the endpoint wait for the same fetch, each for 2 s at most.
 * - A failed fetch is an attempt without an answer, `auth_failed`. The receiver gets nothing.
 */
@Injectable()
export class ReceiverAuth {
  private readonly logger = new Logger(ReceiverAuth.name);
  /** By endpoint and credentials, so that changed credentials are a new key. */
  private readonly fetches = boundedCache<string, TokenFetch>(CACHED_TOKENS);

  constructor(@Inject(OutboundHttp) private readonly outbound: Pick<OutboundHttp, 'post'>) {}

  /** Returns the header `Authorization` for the next request to the endpoint. Never rejects. */
  async authorization(endpointId: number, auth: EndpointAuth): Promise<string | OutboundFailure> {
    if (auth.type === 'basic') return basicCredentials(auth.username, auth.password);
    if (auth.type === 'bearer') return `Bearer ${auth.token}`;
    const { answer } = this.fetchOf(endpointId, auth);
    const token = await withTimeout(TOKEN_TIMEOUT_MS, answer, TOO_LATE.message).catch(() => TOO_LATE);
    return typeof token === 'string' ? `Bearer ${token}` : token;
  }

  /** A token that the receiver refused with this `Authorization` is not used again. `status`: of its answer, if any. */
  answered(endpointId: number, auth: EndpointAuth, authorization: string, status: number | null): void {
    if (auth.type !== 'oauth2_client_credentials' || !REFUSALS.includes(status)) return;
    const fetch = this.fetches.get(keyOf(endpointId, auth));
    if (fetch?.token !== undefined && authorization === `Bearer ${fetch.token}`)
      fetch.usedUntil = Math.min(fetch.usedUntil, fetch.startedAt + MIN_INTERVAL_MS);
  }

  private fetchOf(endpointId: number, auth: ClientCredentials): TokenFetch {
    const key = keyOf(endpointId, auth);
    const known = this.fetches.get(key);
    const startedAt = performance.now();
    if (known && startedAt < known.usedUntil) return known;
    const answer = this.outbound
      .post(tokenRequest(auth, TOKEN_TIMEOUT_MS))
      .then((result) => this.fetched(fetch, endpointId, result));
    const fetch: TokenFetch = { answer, startedAt, usedUntil: Infinity };
    this.fetches.set(key, fetch);
    return fetch;
  }

  private fetched(fetch: TokenFetch, endpointId: number, result: OutboundResult): string | OutboundFailure {
    const answer = tokenOf(result);
    fetch.usedUntil = fetch.startedAt + MIN_INTERVAL_MS;
    if ('token' in answer) {
      fetch.token = answer.token;
      fetch.usedUntil = Math.max(fetch.usedUntil, performance.now() + answer.lifetimeMs);
      return answer.token;
    }
    // these are no attempts, so they are not recorded as failures of the endpoint
    if (result.error === 'shutting_down' || result.error === 'local_failure')
      return new OutboundFailure(result.error, answer.problem);
    this.logger.warn({ msg: 'no token for a webhook endpoint', endpointId, reason: answer.problem });
    return new OutboundFailure('auth_failed', answer.problem);
  }
}

const keyOf = (endpointId: number, auth: ClientCredentials): string => JSON.stringify([endpointId, auth]);
