import type { Statement, Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';

/** The fields of a payment that no other of its merchant may share: `unique` of a request. */
export const UNIQUE_FIELDS = ['payment_session_id'] as const;
export type UniqueField = (typeof UNIQUE_FIELDS)[number];

/** $1 merchant, $2 session: waits for requests that ask the same, until they commit. */
const LOCK_SESSION: Statement = {
  name: 'payments.lock_session',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('payment_session ' || $1::bigint || ' ' || $2::text, 0))`,
};

/** $1 merchant, $2 session: the newest payment that may have been charged. */
const PAYMENT_OF_SESSION: Statement = {
  name: 'payments.of_session',
  text: `SELECT id, status FROM payments
    WHERE merchant_id = $1 AND payment_session_id = $2 AND status NOT IN ('failed', 'cancelled')
    ORDER BY merchant_id DESC, payment_session_id DESC, id DESC LIMIT 1`,
};

/**
 * Throws `payment_session_used` if a payment of the merchant has the session and has neither failed nor been cancelled.
 * Until the transaction ends, another request that asks this waits. A statement of its own for the lock: the other one
 * must see what was committed meanwhile.
 */
export async function requireUnusedSession(
  transaction: Transaction,
  merchantId: number,
  sessionId: string,
): Promise<void> {
  await transaction.query(LOCK_SESSION, [merchantId, sessionId]);
  const [used] = await transaction.query<{ id: number; status: string }>(PAYMENT_OF_SESSION, [merchantId, sessionId]);
  if (!used) return;
  throw new Problem('payment_session_used', {
    detail: `payment ${used.id} has this payment_session_id and is ${used.status}`,
  });
}
