import { everyRow } from '../platform/database/session-settings.js';
import type { Statement } from '../platform/database/database.js';
import { SECRET_COLUMNS, type SecretColumn } from './secret-columns.js';

/** A secret in its stored form. */
export interface EncryptedRow {
  id: number;
  owner_id: number;
  /** `null`: the secret belongs to no shop. */
  shop_id: number | null;
  encrypted: Buffer;
  /** The row that the ciphertext is bound to, unless an older release encrypted it. */
  row: string;
}

/** The position of the key's id in a ciphertext of `Encryption`. */
const keyIdIn = (column: string): string => `encode(substring(${column} FROM 2 FOR 4), 'hex')`;

const ALL_SECRETS = SECRET_COLUMNS.map(
  ({ table, column, where }) => `SELECT ${column} AS encrypted FROM ${table} WHERE ${everyRow(table)} AND ${where}`,
).join(' UNION ALL ');

/** → each key id that encrypts secrets, and the number of these secrets. */
export const SECRETS_BY_KEY: Statement = {
  name: 'reencryption.by_key',
  text: `SELECT ${keyIdIn('encrypted')} AS id, count(*)::int AS secrets FROM (${ALL_SECRETS}) secrets GROUP BY 1 ORDER BY 1`,
};

/** $1 id of the current key → whether another key encrypted the secret, or it is not bound to its row. */
const isOutdated = (column: string): string => `(${keyIdIn(column)} <> $1 OR get_byte(${column}, 0) = 1)`;

/** $1 as above → the number of outdated secrets. */
export const COUNT_OUTDATED: Statement = {
  name: 'reencryption.count',
  text: `SELECT count(*)::int AS secrets FROM (${ALL_SECRETS}) secrets WHERE ${isOutdated('encrypted')}`,
};

/** $1 as above, $2 id to start after, $3 limit → outdated secrets, by id. */
export const outdated = ({ table, column, shopId, ownerId, where, row }: SecretColumn): Statement => ({
  name: `reencryption.outdated_${column}`,
  text: `SELECT id, ${ownerId} AS owner_id, ${shopId} AS shop_id, ${column} AS encrypted, ${row} AS row FROM ${table}
    WHERE id > $2 AND ${where} AND ${isOutdated(column)} ORDER BY ${table}.id LIMIT $3`,
});

/**
 * $1 id, $2 its owner, $3 the ciphertext that was read, $4 the same secret under the current key → the id; no row if
 * the secret was changed meanwhile. `updated_at` stays unchanged, because nothing visible to the merchant changes.
 */
export const replaceCiphertext = ({ table, column, ownerId }: SecretColumn): Statement => ({
  name: `reencryption.replace_${column}`,
  text: `UPDATE ${table} SET ${column} = $4 WHERE id = $1 AND ${ownerId} = $2 AND ${column} = $3 RETURNING id`,
});
