import type { Statement } from '@payment-orchestrator/provider-kit';

export interface SandboxOperation {
  fingerprint: string;
  /** The refusal of the operation; `null`: it was not refused. */
  refusal: { reason: string; retryable: boolean } | null;
  /** The key belongs to a charge. */
  is_charge: boolean;
}

/** Locks a transaction against other changes and its notification: $1 reference. */
export const LOCK_TRANSACTION: Statement = {
  name: 'sandbox.lock',
  text: `SELECT FROM sandbox_transactions WHERE reference = $1 FOR UPDATE`,
};

/**
 * Records a void that comes before its charge, so that a later charge is declined: $1 reference, $2 transaction id, $3
 * shop, $4 payment, $5 amount, $6 currency. Changes nothing if the charge was first.
 */
export const INSERT_PLACEHOLDER: Statement = {
  name: 'sandbox.insert_placeholder',
  text: `INSERT INTO sandbox_transactions (reference, transaction_id, merchant_id, shop_id, payment_id, status, amount,
      currency, outcome, decline_code, refunds, calls)
    VALUES ($1, $2, (SELECT s.merchant_id FROM shops s WHERE s.id = $3), $3, $4, 'voided', $5, $6, 'declined', 'voided',
      'confirmed', 0)
    ON CONFLICT DO NOTHING`,
};

/** The operation or charge with the key $1. */
export const FIND_OPERATION: Statement = {
  name: 'sandbox.find_operation',
  text: `SELECT fingerprint, refusal, false AS is_charge FROM sandbox_operations WHERE idempotency_key = $1
    UNION ALL SELECT fingerprint, NULL, true FROM sandbox_transactions WHERE idempotency_key = $1`,
};

/** Stores an operation: $1 key, $2 reference, $3 fingerprint, $4 refusal or null. */
export const INSERT_OPERATION: Statement = {
  name: 'sandbox.insert_operation',
  text: `INSERT INTO sandbox_operations (idempotency_key, reference, fingerprint, refusal) VALUES ($1, $2, $3, $4)`,
};

/**
 * Changes a transaction: $1 reference, $2 status or null (unchanged), $3 the status that it will have and $4 in how many
 * ms, or null.
 */
export const CHANGE_TRANSACTION: Statement = {
  name: 'sandbox.change',
  text: `UPDATE sandbox_transactions SET status = COALESCE($2, status), settles_as = $3,
      settles_at = clock_timestamp() + $4 * interval '1 ms', return_url = NULL, updated_at = clock_timestamp()
    WHERE reference = $1`,
};

/** A refund of the sandbox. */
export interface SandboxRefund {
  id: string;
  reference: string;
  /** Decimal text. */
  amount: string;
  status: 'pending' | 'succeeded' | 'failed';
  created_at: Date;
}

const REFUND = `id, reference, amount, created_at,
  CASE WHEN fails_at <= clock_timestamp() THEN 'failed'
    WHEN settles_at > clock_timestamp() THEN 'pending' ELSE 'succeeded' END AS status`;

/** $1 key, $2 id or null. */
export const FIND_REFUND: Statement = {
  name: 'sandbox.find_refund',
  text: `SELECT ${REFUND} FROM sandbox_refunds WHERE idempotency_key = $1
    UNION ALL SELECT ${REFUND} FROM sandbox_refunds WHERE id = $2 LIMIT 1`,
};

/**
 * $1 id, $2 reference, $3 key or null, $4 amount, $5 in how many ms it is done, or null: at once, $6 in how many ms it
 * fails, or null: never.
 */
export const INSERT_REFUND: Statement = {
  name: 'sandbox.insert_refund',
  text: `INSERT INTO sandbox_refunds (id, reference, idempotency_key, amount, settles_at, fails_at)
    SELECT $1, $2, $3, $4, c.at + $5 * interval '1 ms', c.at + $6 * interval '1 ms' FROM (SELECT clock_timestamp() AS at) c
    RETURNING ${REFUND}`,
};

/** $1 reference, $2 amount: the captured amount, known before the capture is done. */
export const SET_CAPTURED: Statement = {
  name: 'sandbox.set_captured',
  text: `UPDATE sandbox_transactions SET captured = $2 WHERE reference = $1`,
};
