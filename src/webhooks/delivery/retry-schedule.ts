import { parseHttpDate } from '../../shared/http-date.js';

/** How an attempt ended, for the decision what comes next. */
export interface AttemptResult {
  /** `null`: no answer (timeout, refused address, broken connection). */
  statusCode: number | null;
  /** The answer's `Retry-After` header. */
  retryAfter: string | null;
}

/** `waitMs`: from now until the next attempt is due. */
export type NextStep = { status: 'delivered' | 'failed' } | { status: 'pending'; waitMs: number };

const MAX_RETRY_AFTER_MS = 3_600_000;
const GONE = 410;
/** Too Many Requests and Service Unavailable: the two whose `Retry-After` is heard. */
const ASKS_FOR_PATIENCE = [429, 503];

/**
 * What follows the attempt number `attemptsBefore` + 1 of a run. `delaysMs`: before the 2nd, 3rd … attempt; there is one
 * attempt more than there are delays. 2xx delivers, 410 ends at once, and a `Retry-After` postpones where it asks for
 * later than the schedule, by an hour at most.
 */
export function nextStep(
  result: AttemptResult,
  attemptsBefore: number,
  delaysMs: readonly number[],
  now: Date,
): NextStep {
  const { statusCode } = result;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
  const scheduled = delaysMs[attemptsBefore];
  if (statusCode === GONE || scheduled === undefined) return { status: 'failed' };
  const asked =
    statusCode !== null && ASKS_FOR_PATIENCE.includes(statusCode) ? retryAfterMs(result.retryAfter, now) : 0;
  return { status: 'pending', waitMs: Math.max(scheduled, Math.min(asked, MAX_RETRY_AFTER_MS)) };
}

/** RFC 9110 §10.2.3: whole seconds or an HTTP date. Anything else, or a moment passed, is 0. */
function retryAfterMs(value: string | null, now: Date): number {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const date = parseHttpDate(text, now);
  return date === undefined ? 0 : Math.max(0, date.getTime() - now.getTime());
}
