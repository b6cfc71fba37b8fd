import { ConnectionError } from './errors.js';
import { retryAfterMs } from './retry-after.js';

/** When a request is sent again. */
export interface RetryOptions {
  /** How often at most, after the first time; 0: never. Default: 4. */
  limit?: number;
  /** No further try begins later than so many ms after the first. Default: 60,000. */
  withinMs?: number;
  /** Before the second try, where the API does not say how long; doubles with each further one. Default: 250. */
  firstDelayMs?: number;
  /** How long one try may take, in ms. Default: 30,000. */
  timeoutMs?: number;
  /** Is told of every further try. */
  onRetry?: (retry: Retry) => void;
}

export interface Retry {
  /** Such as `POST https://…/payments`. */
  request: string;
  /** The number of the try that follows, from 2. */
  try: number;
  waitMs: number;
  /** A status, or why there was no answer. */
  reason: unknown;
}

export type Send = (request: Request) => Promise<Response>;

const DEFAULTS = { limit: 4, withinMs: 60_000, firstDelayMs: 250, timeoutMs: 30_000 };

/** A timer that is set to more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** POSTs that may be sent twice, because the second one changes nothing or nothing is changed at all. */
const REPEATABLE =
  /\/(auth\/token|flows\/simulate|flows\/[^/]+\/(replay|versions\/[^/]+\/activate)|payments\/[^/]+\/(cancel|refund|sync)|customers\/[^/]+\/erase)$/;

/**
 * Sends until there is an answer to keep: what was refused for the moment (429) is sent again whatever it is; what may have
 * been carried out (no answer, 502, 503, 504, a key in flight) only when a second time does no harm, because it reads, is
 * said to be safe to repeat, or is a payment or refund with an `Idempotency-Key`. Throws `ConnectionError` when the last try had no
 * answer, and `TypeError` for options that are no numbers.
 */
export function withRetries(send: Send, { onRetry, ...options }: RetryOptions = {}): Send {
  const settings = { ...DEFAULTS, ...definedOf(options) };
  requireNumbers(settings);
  const { limit, withinMs, firstDelayMs, timeoutMs } = settings;
  return async (request) => {
    const name = `${request.method} ${request.url}`;
    const giveUpAt = Date.now() + withinMs;
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(send, request.clone(), timeoutMs);
      const waitMs = waitOf(outcome) ?? firstDelayMs * 2 ** (tries - 1) * (0.5 + Math.random() / 2);
      const isLast = tries > limit || Date.now() + waitMs > giveUpAt || !isForNow(outcome, request);
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

/** One try, its JSON read to the end: a body that breaks off is no answer. What streams is handed on as it comes. */
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

function isForNow(outcome: Outcome, request: Request): boolean {
  if (!(outcome instanceof Response)) return !request.signal.aborted && isRepeatable(request);
  if (outcome.status === 429) return true;
  const isInFlight = outcome.status === 409 && outcome.headers.has('retry-after');
  return (isInFlight || [502, 503, 504].includes(outcome.status)) && isRepeatable(request);
}

/** Operations that take a key: elsewhere the header makes no second time harmless. */
const KEYED = /\/payments(\/[^/]+\/refunds)?$/;

function isRepeatable({ method, url, headers }: Request): boolean {
  const { pathname } = new URL(url);
  if (method !== 'POST') return true;
  return KEYED.test(pathname) ? headers.has('idempotency-key') : REPEATABLE.test(pathname);
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

/** `NaN` would compare as false with everything: tries without end, or without a pause. */
function requireNumbers(settings: object): void {
  for (const [name, value] of Object.entries(settings) as [string, unknown][]) {
    if (name in DEFAULTS && !(typeof value === 'number' && value >= 0)) {
      throw new TypeError(`retries.${name}: got ${String(value)}, takes a number from 0`);
    }
  }
}
