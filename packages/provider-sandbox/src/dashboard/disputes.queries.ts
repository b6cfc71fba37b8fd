import type { Statement } from '@payment-orchestrator/provider-kit';
import type { DisputeKind, DisputeStatus } from '@payment-orchestrator/provider-kit';

/** A dispute in the sandbox's ledger, with its transaction. */
export interface SandboxDisputeRow {
  id: string;
  reference: string;
  transaction_id: string;
  payment_id: number;
  shop_id: number;
  kind: DisputeKind;
  status: DisputeStatus;
  /** Decimal text. */
  amount: string;
  currency: string;
  reason_code: string;
  network_reason_code: string | null;
  evidence_due_by: Date;
  opened_at: Date;
  /** Later at every change: it orders the reports. */
  updated_at: Date;
}

const COLUMNS = `d.id, d.reference, t.transaction_id, t.payment_id, t.shop_id, d.kind, d.status, d.amount, t.currency,
  d.reason_code, d.network_reason_code, d.evidence_due_by, d.opened_at, d.updated_at`;

/** $1 dispute, $2 merchant. */
export const FIND_DISPUTE: Statement = {
  name: 'sandbox.find_dispute',
  text: `SELECT ${COLUMNS} FROM sandbox_disputes d JOIN sandbox_transactions t ON t.reference = d.reference
    WHERE d.id = $1 AND t.merchant_id = $2`,
};

/** The sum of a transaction's disputes that are not won: $1 reference. */
export const SUM_DISPUTED: Statement = {
  name: 'sandbox.sum_disputed',
  text: `SELECT COALESCE(sum(amount), 0)::text AS amount FROM sandbox_disputes WHERE reference = $1 AND status <> 'won'`,
};

/**
 * Opens a dispute: $1 id, $2 reference, $3 kind, $4 amount, $5 reason code, $6 the network's code or null, $7 evidence due
 * by.
 */
export const INSERT_DISPUTE: Statement = {
  name: 'sandbox.insert_dispute',
  text: `INSERT INTO sandbox_disputes (id, reference, kind, status, amount, reason_code, network_reason_code,
      evidence_due_by, opened_at, updated_at)
    SELECT $1, $2, $3, 'open', $4, $5, $6, $7, now.at, now.at FROM (SELECT clock_timestamp() AS at) now`,
};

/** $1 dispute, $2 kind, $3 status, $4 evidence due by. */
export const CHANGE_DISPUTE: Statement = {
  name: 'sandbox.change_dispute',
  text: `UPDATE sandbox_disputes SET kind = $2, status = $3, evidence_due_by = $4,
      updated_at = greatest(clock_timestamp(), updated_at + interval '1 ms')
    WHERE id = $1`,
};
