import type { Statement, Transaction } from './database.js';

/** Lets foreign keys to the merchant be checked meanwhile: what does not count with the lock is not held up. */
const LOCK_MERCHANT: Statement = {
  name: 'lock_merchant',
  text: `SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE`,
};

/** Until the transaction ends no other one holds this lock: what it counts of the merchant's stays counted. */
export async function lockMerchant(transaction: Transaction, merchantId: number): Promise<void> {
  await transaction.query(LOCK_MERCHANT, [merchantId]);
}
