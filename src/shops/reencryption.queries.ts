import type { Statement } from '../platform/database/database.js';
import { SEALED_SECRETS, type SealedSecret } from './sealed-secrets.js';

/** A secret as it is stored. */
export interface SealedRow {
  id: number;
  owner_id: number;
  shop_id: number;
  sealed: Buffer;
  /** What it is bound to, unless an older version sealed it. */
  row: string;
}

/** Where `Encryption` puts the key's id. */
const keyIdIn = (column: string): string => `encode(substring(${column} FROM 2 FOR 4), 'hex')`;

const ALL_SEALED = SEALED_SECRETS.map(
  ({ table, column, where }) => `SELECT ${column} AS sealed FROM ${table} WHERE ${where}`,
).join(' UNION ALL ');

/** → each key id that something is sealed with, and how many secrets are. */
export const SECRETS_BY_KEY: Statement = {
  name: 'reencryption_by_key',
  text: `SELECT ${keyIdIn('sealed')} AS id, count(*)::int AS secrets FROM (${ALL_SEALED}) secrets GROUP BY 1 ORDER BY 1`,
};

/** $1 id of the current key, $2 whether rows are bound: what another key sealed, or is not bound to its row. */
const isOutdated = (column: string): string =>
  `(${keyIdIn(column)} <> $1 OR ($2::boolean AND get_byte(${column}, 0) = 1))`;

/** $1 and $2 as above → how many secrets are outdated. */
export const COUNT_OUTDATED: Statement = {
  name: 'reencryption_count',
  text: `SELECT count(*)::int AS secrets FROM (${ALL_SEALED}) secrets WHERE ${isOutdated('sealed')}`,
};

/** $1 and $2 as above, $3 id to start behind, $4 limit → what is outdated, in the order of ids. */
export const outdated = ({ table, column, shopId, ownerId, where, row }: SealedSecret): Statement => ({
  name: `reencryption_outdated_${column}`,
  text: `SELECT id, ${ownerId} AS owner_id, ${shopId} AS shop_id, ${column} AS sealed, ${row} AS row FROM ${table}
    WHERE id > $3 AND ${where} AND ${isOutdated(column)} ORDER BY ${table}.id LIMIT $4`,
});

/**
 * $1 id, $2 its owner, $3 what was read, $4 the same under the current key → the id, unless somebody else has written
 * meanwhile. `updated_at` stays: nothing that a merchant sees has changed.
 */
export const replaceSealed = ({ table, column, ownerId }: SealedSecret): Statement => ({
  name: `reencryption_replace_${column}`,
  text: `UPDATE ${table} SET ${column} = $4 WHERE id = $1 AND ${ownerId} = $2 AND ${column} = $3 RETURNING id`,
});
