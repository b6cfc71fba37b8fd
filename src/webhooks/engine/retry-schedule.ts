import { parseHttpDate } from '../../shared/http-date.js';

/** The result of an attempt, as far as it decides the next step. */
export interface AttemptResult {
  /** `null`: no answer (timeout, refused address, broken connection). */
  statusCode: number | null;
  /** The answer's `Retry-After` header. */
  retryAfter: string | null;
}

/** The next step of a delivery. `waitMs`: time until the next attempt is due. */
export type NextStep = { status: 'delivered' | 'failed' } | { status: 'pending'; waitMs: number };

const MAX_RETRY_AFTER_MS = 3_600_000;
const GONE = 410;
const MAX_JITTER = 0.1;
/** Too Many Requests and Service Unavailable: the statuses whose `Retry-After` is respected. */
const WITH_RETRY_AFTER = [429, 503];

/**
 * Returns the next step after the attempt number `attemptsBefore` + 1 of a run. `delaysMs`: delays before the 2nd, 3rd …
 * attempt, one fewer than attempts. 2xx means delivered, 410 fails at once. A `Retry-After` later than the schedule
 * postpones the next attempt, to at most one hour from now. `jitter`, 0 to 1: postpones it by up to a tenth.
 */
export function nextStep(
  result: AttemptResult,
  attemptsBefore: number,
  delaysMs: readonly number[],
  now: Date,
  jitter = 0,
): NextStep {
  const { statusCode } = result;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
  const scheduled = delaysMs[attemptsBefore];
  if (statusCode === GONE || scheduled === undefined) return { status: 'failed' };
  const asked = statusCode !== null && WITH_RETRY_AFTER.includes(statusCode) ? retryAfterMs(result.retryAfter, now) : 0;
  const waitMs = Math.max(scheduled, Math.min(asked, MAX_RETRY_AFTER_MS));
  return { status: 'pending', waitMs: waitMs * (1 + jitter * MAX_JITTER) };
}

/** Parses `Retry-After` (RFC 9110 §10.2.3): whole seconds or an HTTP date. Returns 0 for anything else and for a past date. */
function retryAfterMs(value: string | null, now: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = parseHttpDate(text, now);
  return date === undefined ? 0 : Math.max(0, date.getTime() - now.getTime());
}
