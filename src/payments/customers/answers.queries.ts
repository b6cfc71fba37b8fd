import type { Statement } from '../../platform/database/database.js';
import { completeKeys } from '../../platform/idempotency/idempotency.queries.js';

/**
 * The customer of the payment of the key `k` is not erased. Customers are looked up and not joined: the planner would find
 * the payment by the index of customers if it assumes that few payments have one.
 */
const IS_NOT_ERASED =
  '(SELECT (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) FROM payments p WHERE p.id = k.payment_id) IS NULL';

/** Skips a key that was lost or is locked, and one whose customer was erased meanwhile. */
export const COMPLETE_KEYS: Statement = {
  name: 'idempotency.complete_many',
  text: completeKeys(IS_NOT_ERASED, 'SKIP LOCKED'),
};

/** For a single answer: waits for its key. */
export const COMPLETE_KEY: Statement = { name: 'idempotency.complete', text: completeKeys(IS_NOT_ERASED, '') };
