import type { OperationRow } from '../ledger/operation.js';

/** Before the end of a provider's window its clock may already be beyond it, and the call takes time to get there. */
const WINDOW_MARGIN_MS = 60_000;

/**
 * Whether a repeat under the operation's key gets the first call's answer, and moves money at most once. A process that was
 * frozen since it read the row must not go by the age that it had then, nor one whose clock is behind by its own.
 */
export function isWithinWindow(
  { age_ms: ageMs, created_at: createdAt }: Pick<OperationRow, 'age_ms' | 'created_at'>,
  idempotencyWindowMs: number,
): boolean {
  return Math.max(ageMs, Date.now() - createdAt.getTime()) < idempotencyWindowMs - WINDOW_MARGIN_MS;
}
