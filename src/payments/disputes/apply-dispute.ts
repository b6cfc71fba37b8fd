import type { Transaction } from '../../platform/database/database.js';
import type { DisputeStatus } from '@payment-orchestrator/provider-kit';
import { disputeAfter, type DisputeReason, type DisputeReport, type DisputeRow, toDisputeFields } from './dispute.js';
import { CONFIRM_DISPUTE, FIND_REPORTED_DISPUTE, RECORD_DISPUTE_EVENT, STORE_DISPUTE } from './dispute.queries.js';

/** The attempt that a provider reports a dispute of. */
interface DisputedAttempt {
  paymentId: number;
  attempt: number;
  provider: string;
}

type DisputeResult =
  { outcome: 'applied'; reason: null; status: DisputeStatus } | { outcome: 'ignored'; reason: DisputeReason };

/**
 * Applies a provider's report of a dispute, with its event. The payment is locked in the transaction, so reports of its
 * disputes are applied one after another. The payment may have any status, and may have left the attempt: a dispute is
 * about money that was taken, and changes no status.
 */
export async function applyDispute(
  transaction: Transaction,
  { paymentId, attempt, provider }: DisputedAttempt,
  report: DisputeReport,
  now: Date,
): Promise<DisputeResult> {
  const key = [paymentId, attempt, report.dispute.id];
  const [before] = await transaction.query<DisputeRow>(FIND_REPORTED_DISPUTE, key);
  const decision = disputeAfter(before ?? null, report);
  if (typeof decision === 'string') return { outcome: 'ignored', reason: decision };
  const { state, event } = decision;
  if (event === null) {
    await transaction.query(CONFIRM_DISPUTE, [before!.id, state.reported_at]);
    return { outcome: 'ignored', reason: 'dispute_unchanged' };
  }
  const values = [paymentId, attempt, provider, report.dispute.id, state.kind, state.status, state.amount];
  const [stored] = await transaction.query<DisputeRow>(STORE_DISPUTE, [
    ...[...values, state.currency, state.reason_code, state.network_reason_code],
    ...[state.evidence_due_by, state.opened_at, state.reported_at, now],
  ]);
  const data = JSON.stringify(toDisputeFields(stored!));
  await transaction.query(RECORD_DISPUTE_EVENT, [paymentId, stored!.shop_id, event, data]);
  return { outcome: 'applied', reason: null, status: state.status };
}
