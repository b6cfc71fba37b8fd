import type { Statement, Transaction } from './database.js';
import { isRowFault } from './postgres-errors.js';

/** Lets foreign keys to the merchant be checked meanwhile: what does not count with the lock is not held up. */
const LOCK_MERCHANT: Statement = {
  name: 'lock_merchant',
  text: `SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE`,
};

/** Until the transaction ends no other one holds this lock: what it counts of the merchant's stays counted. */
export async function lockMerchant(transaction: Transaction, merchantId: number): Promise<void> {
  await transaction.query(LOCK_MERCHANT, [merchantId]);
}

/**
 * How requests share statements that write. As many statements at once as leave half of the smallest usual pool to
 * everybody else: a commit that waits for the disk does not hold up who comes next.
 */
export const GROUPED_WRITES = { maxSize: 100, maxConcurrent: 5, isolates: isRowFault };

/**
 * A CTE named `lazy` that keeps its statement from waiting for the disk when it commits; put it first and `lazy` into a
 * FROM, or it is not evaluated. Others see the commit at once. A crash of the server may lose it for as long as nothing
 * that waits has been committed after it: WAL is flushed in order. So it is for what is worth nothing without a later
 * commit, or after a crash. https://www.postgresql.org/docs/current/wal-async-commit.html
 */
export const LAZY_COMMIT = `lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** The fields of a record and the types that PostgreSQL reads them as. */
export type Fields<R> = Readonly<Record<keyof R & string, string>>;

/** A row `r` for each record of a JSON array: `parameter` is its text. One parameter carries any number of records. */
export const recordsFrom = (parameter: string, fields: object): string => {
  const columns = Object.entries(fields).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset(${parameter}) AS r (${columns.join(', ')})`;
};
