import { createHash } from 'node:crypto';
import { type ApiAnswer, ApiCallError, isApiCallError } from './api-exchange.js';

/** A token as the provider issues it. */
export interface AccessToken {
  token: string;
  /** From the request for it, in ms. */
  expiresInMs: number;
}

/** A call that needs an access token. */
export interface TokenCall {
  /** All that the token depends on: the address and the credentials. Only its hash is kept. */
  key: readonly string[];
  /** Requests a token. It has a signal of its own, because other calls may wait for the same token. */
  issue: (signal: AbortSignal) => Promise<AccessToken>;
  /** Makes the call with the token. It runs a second time, with a new token, after a 401. */
  send: (token: string) => Promise<ApiAnswer>;
}

/**
 * The access tokens of a connector, such as those of OAuth 2, in memory and by credentials. Calls share a token until it is about to
 * expire, and a request for a new one.
 */
export interface AccessTokens {
  /**
   * Returns the answer of `send`. Rejects with what `issue` throws; an `ApiCallError` then says that nothing was sent, as the call
   * itself was not.
   */
  call(call: TokenCall, signal: AbortSignal): Promise<ApiAnswer>;
}

const UNAUTHORIZED = 401;
const ISSUE_TIMEOUT_MS = 30_000;
/** A token is not used in its last minute, or the last tenth of a short life. */
const MARGIN_MS = 60_000;

interface Kept {
  token: Promise<string>;
  /** When it is no longer used, in ms; unknown until it is issued. */
  until: number;
}

/** The tokens of one process. */
export class AccessTokenCache implements AccessTokens {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly clock: { now(): Date }) {}

  async call({ key, issue, send }: TokenCall, signal: AbortSignal): Promise<ApiAnswer> {
    const id = createHash('sha256').update(JSON.stringify(key)).digest('base64');
    const found = this.usable(id);
    const first = found ?? this.begin(id, issue);
    const answer = await send(await unlessAborted(first.token, signal));
    // a token that was issued for this call is not refused because of its age
    if (answer.statusCode !== UNAUTHORIZED || !found) return answer;
    if (this.kept.get(id) === first) this.kept.delete(id);
    const next = this.usable(id) ?? this.begin(id, issue);
    return send(await unlessAborted(next.token, signal));
  }

  private usable(id: string): Kept | undefined {
    const kept = this.kept.get(id);
    return kept && kept.until > this.now() ? kept : undefined;
  }

  private begin(id: string, issue: TokenCall['issue']): Kept {
    const startedAt = this.now();
    for (const [other, { until }] of this.kept) if (until <= startedAt) this.kept.delete(other);
    const issued = issue(AbortSignal.timeout(ISSUE_TIMEOUT_MS)).catch((error: unknown) => {
      this.kept.delete(id);
      throw isApiCallError(error) ? new ApiCallError(false, `no access token: ${error.message}`) : error;
    });
    const kept: Kept = { token: issued.then(({ token }) => token), until: Infinity };
    this.kept.set(id, kept);
    void issued.then(
      ({ expiresInMs }) => (kept.until = startedAt + expiresInMs - Math.min(MARGIN_MS, expiresInMs / 10)),
      () => undefined,
    );
    return kept;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

/** The call is aborted, not the request for a token that others wait for. */
function unlessAborted(token: Promise<string>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new ApiCallError(false, 'aborted before it was sent'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void token.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
