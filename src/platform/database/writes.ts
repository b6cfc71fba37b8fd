import { LOCKED_MERCHANT } from '../../shared/relations.js';
import type { Statement, Transaction } from './database.js';
import { isRowFault } from './postgres-errors.js';

const LOCK_MERCHANT: Statement = { name: 'merchants.lock', text: LOCKED_MERCHANT };

/**
 * Locks the merchant until the end of the transaction. Other transactions with this lock wait, so that counts of the
 * merchant's rows stay valid.
 */
export async function lockMerchant(transaction: Transaction, merchantId: number): Promise<void> {
  await transaction.query(LOCK_MERCHANT, [merchantId]);
}

/**
 * How requests share statements that write. They use at most half of the smallest usual pool, so that other statements
 * get a connection while commits wait for the disk.
 */
export const GROUPED_WRITES = { maxSize: 100, maxConcurrent: 5, isolates: isRowFault };

/**
 * A CTE named `lazy` that lets its statement commit without waiting for the disk. Put it first, and `lazy` into a FROM,
 * or it is not evaluated. Other sessions see the commit at once. A crash of the server may lose it until a later commit
 * that waits for the disk, because WAL is flushed in order. So use it for rows that are worthless without a later
 * commit, or after a crash. https://www.postgresql.org/docs/current/wal-async-commit.html
 */
export const LAZY_COMMIT = `lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** The fields of a record and the types that PostgreSQL reads them as. */
export type Fields<R> = Readonly<Record<keyof R & string, string>>;

/**
 * A row `r` for each record of a JSON array: `parameter` is its text. One parameter carries any number of records. A single
 * record is cheaper as {@link parametersOf}: nothing is parsed, kept or joined.
 */
export const recordsFrom = (parameter: string, fields: object): string => {
  const columns = Object.entries(fields).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset(${parameter}) AS r (${columns.join(', ')})`;
};

/** SQL of one parameter per field, of which `$first` is the first. */
export const parametersOf = (first: number, fields: object): string[] =>
  Object.values(fields).map((type, index) => `$${first + index}::${type}`);

/** A query of the one row that {@link valuesOf} gives, from `$first` on. */
export const recordFrom = (first: number, fields: object): string => {
  const names = Object.keys(fields);
  return `SELECT ${parametersOf(first, fields)
    .map((parameter, index) => `${parameter} AS ${names[index]}`)
    .join(', ')}`;
};

/** Values of the parameters of a record; `null`: there is no record. */
export const valuesOf = <R extends object>(record: R | null, fields: Fields<R>): unknown[] =>
  Object.entries<string>(fields).map(([name, type]) => {
    const value = record?.[name as keyof R] ?? null;
    return value !== null && type.startsWith('json') ? JSON.stringify(value) : value;
  });
