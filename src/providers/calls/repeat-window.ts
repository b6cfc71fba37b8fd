/**
 * Near the end of a provider's window the provider's clock may already be past it, and the call takes time to arrive.
 */
const WINDOW_MARGIN_MS = 60_000;

/**
 * Whether a repeat under the operation's key gets the first call's answer, so that money moves at most once. Uses the
 * larger of two ages: the row's age is too small for a process that was frozen since the read, and its own clock may be
 * behind.
 */
export function isWithinWindow(
  { age_ms: ageMs, created_at: createdAt }: { age_ms: number; created_at: Date },
  idempotencyWindowMs: number,
): boolean {
  return Math.max(ageMs, Date.now() - createdAt.getTime()) < idempotencyWindowMs - WINDOW_MARGIN_MS;
}
