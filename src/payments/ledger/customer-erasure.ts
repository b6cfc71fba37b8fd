import type { Statement, Transaction } from '../../platform/database/database.js';
import type { CustomerRow } from './customer.js';

/**
 * Transactions that have read the customer before it was erased may write what they read for so long. Everything is blanked
 * once more after that.
 */
export const ERASURE_SETTLING_MS = 60_000;

/** $1 customer, $2 in how many ms. Nothing unless the customer was erased. */
const REOPEN_ERASURE: Statement = {
  name: 'erasure.reopen',
  text: `UPDATE customers SET erasure_due_at = now() + $2 * interval '1 ms' WHERE id = $1 AND erased_at IS NOT NULL`,
};

/** In a transaction that stores something new about a customer who was erased: it is to be blanked, too. */
export async function reopenErasure(
  transaction: Transaction,
  customer: Pick<CustomerRow, 'id' | 'erased_at'> | null,
): Promise<void> {
  if (customer && customer.erased_at !== null) {
    await transaction.query(REOPEN_ERASURE, [customer.id, ERASURE_SETTLING_MS]);
  }
}
