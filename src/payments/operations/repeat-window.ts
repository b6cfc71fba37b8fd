import type { OperationRow } from '../ledger/operation.js';

/** Before the end of a provider's window its clock may already be beyond it, and the call takes time to get there. */
const WINDOW_MARGIN_MS = 60_000;

/** Whether a repeat under the operation's key gets the first call's answer, and moves money at most once. */
export const isWithinWindow = ({ age_ms: ageMs }: Pick<OperationRow, 'age_ms'>, idempotencyWindowMs: number): boolean =>
  ageMs < idempotencyWindowMs - WINDOW_MARGIN_MS;
