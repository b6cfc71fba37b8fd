import type { Statement } from '../platform/database/database.js';
import { SEALED_SECRETS, type SealedSecret } from './sealed-secrets.js';

/** A secret as it is stored. */
export interface SealedRow {
  id: number;
  owner_id: number;
  shop_id: number;
  sealed: Buffer;
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

/** $1 id of the current key, $2 id to start behind, $3 limit → what another key sealed, in the order of ids. */
export const outdated = ({ table, column, shopId, ownerId, where }: SealedSecret): Statement => ({
  name: `reencryption_outdated_${column}`,
  text: `SELECT id, ${ownerId} AS owner_id, ${shopId} AS shop_id, ${column} AS sealed FROM ${table}
    WHERE id > $2 AND ${where} AND ${keyIdIn(column)} <> $1 ORDER BY ${table}.id LIMIT $3`,
});

/**
 * $1 id, $2 its owner, $3 what was read, $4 the same under the current key → the id, unless somebody else has written
 * meanwhile. `updated_at` stays: nothing that a merchant sees has changed.
 */
export const replaceSealed = ({ table, column, ownerId }: SealedSecret): Statement => ({
  name: `reencryption_replace_${column}`,
  text: `UPDATE ${table} SET ${column} = $4 WHERE id = $1 AND ${ownerId} = $2 AND ${column} = $3 RETURNING id`,
});
