import { createHash } from 'node:crypto';
import type { Queryable, Statement } from '../database/database.js';
import { isUniqueViolation } from '../database/postgres-errors.js';
import { canonicalJson } from '../../shared/json.js';
import { Problem } from '../../shared/problem.js';

/** The sender of a key. */
export interface KeyOwner {
  merchantId: number;
  clientId: string;
}

/**
 * The `Idempotency-Key` of a request that makes one row, which has the key and answers repeats: with the row as it is then,
 * and for as long as the row has the key. The row's transaction stores it, so it needs no lock and no answer.
 */
export interface RowKey extends KeyOwner {
  key: string;
  hash: Buffer;
}

/** A hash that tells a repeat from another request under the same key. */
export const requestHash = (request: unknown): Buffer => createHash('sha256').update(canonicalJson(request)).digest();

export const rowKey = (
  { merchantId, clientId }: KeyOwner,
  key: string | undefined,
  request: unknown,
): RowKey | undefined => (key === undefined ? undefined : { merchantId, clientId, key, hash: requestHash(request) });

/**
 * The row that an earlier request with the key has made. `statement`: $1 merchant, $2 key; returns `request_hash`. Throws
 * `idempotency_key_reused` for another request.
 */
export async function findByRowKey<Row extends object>(
  on: Queryable,
  statement: Statement,
  { merchantId, key, hash }: RowKey,
): Promise<Row | undefined> {
  const [found] = await on.query<Row & { request_hash: Buffer }>(statement, [merchantId, key]);
  if (found && !found.request_hash.equals(hash)) throw new Problem('idempotency_key_reused');
  return found;
}

/**
 * Runs `work`, which looks for the key and then inserts the row, once more if another request took the key in between: now
 * it finds it. `constraint`: the unique index of keys.
 */
export async function makingRow<Result>(constraint: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, constraint)) throw error;
    return work();
  }
}
