import { ConnectionError } from './errors.js';
import { isRepeatable } from './repeatable.js';
import { retryAfterMs } from './retry-after.js';

/** Settings of retries. */
export interface RetryOptions {
  /** Maximum number of retries; 0: none. Default: as many as `withinMs` allows. */
  limit?: number;
  /** No retry begins later than this time after the first try. Default: 60,000. */
  withinMs?: number;
  /**
   * Delay before the second try, unless the API sets one. It doubles with each try; the last try is at the end of
   * `withinMs`. Default: 250.
   */
  firstDelayMs?: number;
  /** Timeout of one try. Default: 30,000. */
  timeoutMs?: number;
  /** Called before every retry. */
  onRetry?: (retry: Retry) => void;
}

export interface Retry {
  /** The request, such as `POST https://…/payments`. */
  request: string;
  /** The number of the next try, from 2. */
  try: number;
  waitMs: number;
  /** The status, or the error if there was no answer. */
  reason: unknown;
}

export type Send = (request: Request) => Promise<Response>;

const DEFAULTS = { limit: Infinity, withinMs: 60_000, firstDelayMs: 250, timeoutMs: 30_000 };

/** Timers with a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Adds retries to `send`. After 429, every request is retried. If the request may have been executed (no answer, 502, 503, 504,
 * a key in flight), it is retried only if that is safe: a read, a repeatable operation, or one with an
 * `Idempotency-Key` that takes it. Throws `ConnectionError` if the last try had no answer, and `TypeError` for options that are not numbers.
 */
export function withRetries(send: Send, { onRetry, ...options }: RetryOptions = {}): Send {
  const settings = { ...DEFAULTS, ...definedOf(options) };
  requireNumbers(settings);
  const { limit, withinMs, firstDelayMs, timeoutMs } = settings;
  return async (request) => {
    const name = `${request.method} ${request.url}`;
    const lastTryAt = Date.now() + withinMs;
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(send, request.clone(), timeoutMs);
      const leftMs = lastTryAt - Date.now();
      const delayMs = firstDelayMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
      const waitMs = waitOf(outcome) ?? Math.min(delayMs, leftMs);
      const isLast = tries > limit || leftMs <= 0 || waitMs > leftMs || !isTemporary(outcome, request);
      if (isLast) {
        if (outcome instanceof Response) return outcome;
        request.signal.throwIfAborted();
        throw new ConnectionError(name, tries, outcome.error);
      }
      const reason = outcome instanceof Response ? outcome.status : outcome.error;
      onRetry?.({ request: name, try: tries + 1, waitMs, reason });
      await pause(waitMs, request.signal);
    }
  };
}

type Outcome = Response | { error: unknown };

/** One try. JSON is read to its end, because an incomplete body counts as no answer. Other bodies are returned as streams. */
async function attempt(send: Send, request: Request, timeoutMs: number): Promise<Outcome> {
  const timeout = new AbortController();
  const abort = (): void => timeout.abort(new Error(`no answer within ${timeoutMs} ms`));
  const timer = setTimeout(abort, Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    const response = await send(new Request(request, { signal }));
    if (!/[/+]json/.test(response.headers.get('content-type') ?? '')) return response;
    const { status, statusText, headers } = response;
    return new Response(await response.arrayBuffer(), { status, statusText, headers });
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
  }
}

function isTemporary(outcome: Outcome, request: Request): boolean {
  if (!(outcome instanceof Response)) return !request.signal.aborted && isRepeatable(request);
  if (outcome.status === 429) return true;
  const isInFlight = outcome.status === 409 && outcome.headers.has('retry-after');
  return (isInFlight || [502, 503, 504].includes(outcome.status)) && isRepeatable(request);
}

function waitOf(outcome: Outcome): number | undefined {
  const text = outcome instanceof Response ? outcome.headers.get('retry-after') : null;
  return text === null ? undefined : retryAfterMs(text, Date.now());
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal.addEventListener('abort', stop, { once: true });
  });
}

const definedOf = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

/** Refuses `NaN` as well: every comparison with it is false, so retries would never end or never pause. */
function requireNumbers(settings: object): void {
  for (const [name, value] of Object.entries(settings) as [string, unknown][]) {
    if (name in DEFAULTS && !(typeof value === 'number' && value >= 0)) {
      throw new TypeError(`retries.${name}: got ${String(value)}, takes a number from 0`);
    }
  }
}
