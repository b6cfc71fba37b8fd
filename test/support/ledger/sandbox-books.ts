import assert from 'node:assert/strict';
import type { Query } from './ledger.js';

// Actions of people in a provider's own dashboard. The sandbox has none, so its books are written here; its
// notification is sent by the caller, as the provider would.

/** A refund that the merchant makes at the provider. Returns its id there. `amount`: decimal text. */
export async function refundInSandbox(query: Query, transactionId: string, amount: string): Promise<string> {
  const [refund] = await query<{ id: string }>(
    `INSERT INTO sandbox_refunds (id, reference, amount)
     SELECT 'sbr_' || gen_random_uuid(), reference, $2::numeric FROM sandbox_transactions WHERE transaction_id = $1
     RETURNING id`,
    [transactionId, amount],
  );
  assert.ok(refund, `the sandbox has no transaction ${transactionId}`);
  await query(
    `UPDATE sandbox_transactions t SET status = 'refunded' WHERE transaction_id = $1 AND coalesce(captured, amount) =
       (SELECT sum(r.amount) FROM sandbox_refunds r WHERE r.reference = t.reference)`,
    [transactionId],
  );
  return refund.id;
}

/** The payer's bank sends a refund back: it is not made, although the provider has reported it. */
export async function failRefundInSandbox(query: Query, refundId: string): Promise<void> {
  const [refund] = await query<{ reference: string; idempotency_key: string | null }>(
    'DELETE FROM sandbox_refunds WHERE id = $1 RETURNING reference, idempotency_key',
    [refundId],
  );
  assert.ok(refund, `the sandbox has no refund ${refundId}`);
  await query(
    `UPDATE sandbox_transactions SET status = 'captured', settles_as = NULL, settles_at = NULL
     WHERE reference = $1 AND 'refunded' IN (status, settles_as)`,
    [refund.reference],
  );
  const refusal = JSON.stringify({ reason: 'refund_failed', retryable: false });
  await query('UPDATE sandbox_operations SET refusal = $2 WHERE idempotency_key = $1', [
    refund.idempotency_key,
    refusal,
  ]);
}

/** Ends all authorisations, here and there: the time for their capture is over. */
export async function endAuthorizations(query: Query): Promise<void> {
  await query(`UPDATE sandbox_transactions SET capture_before = clock_timestamp()
    WHERE status = 'open' AND settles_as IS NULL AND authorized_at IS NOT NULL AND capture_before > clock_timestamp()`);
  await query(`UPDATE payments SET capture_before = now() WHERE status = 'processing' AND capture_before > now()`);
}
