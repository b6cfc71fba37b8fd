import type { ApiAnswer, ApiRequest } from './api-exchange.js';

/** The statuses whose `Retry-After` is respected (RFC 9110, 10.2.3), at most for an hour, as for receivers of webhooks. */
const WITH_RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);
const MAX_WAIT_MS = 3_600_000;

/** The headers that name the caller's account: one account's wait holds no other account back. */
const CREDENTIALS = ['authorization', 'x-api-key'];

/** Until when each account at an API asked to wait. In memory: another process asks once itself. */
export class Waits {
  private readonly until = new Map<string, number>();

  /** The ms that the account still asks to wait; 0: none. */
  leftMs(request: ApiRequest): number {
    const until = this.until.get(keyOf(request)) ?? 0;
    return Math.max(0, until - Date.now());
  }

  /** Keeps the `Retry-After` of an answer. */
  keep(request: ApiRequest, { statusCode, headers }: ApiAnswer): void {
    const ms = WITH_RETRY_AFTER.has(statusCode) ? retryAfterMs(headers['retry-after']) : 0;
    if (ms === 0) return;
    const now = Date.now();
    for (const [key, until] of this.until) if (until <= now) this.until.delete(key);
    this.until.set(keyOf(request), now + Math.min(ms, MAX_WAIT_MS));
  }
}

function keyOf({ url, headers }: ApiRequest): string {
  const own = Object.entries(headers).filter(([name]) => CREDENTIALS.includes(name.toLowerCase()));
  return JSON.stringify([url.origin, ...own.map(([, value]) => value)]);
}

/** Whole seconds or an HTTP date; 0 for anything else and for a past date. */
function retryAfterMs(value: string | undefined): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}
