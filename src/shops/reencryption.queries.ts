import type { Statement } from '../platform/database/database.js';
import type { SealedColumn } from './shops.queries.js';

/** Where `Encryption` puts the key's id. */
const keyIdIn = (column: string): string => `encode(substring(${column} FROM 2 FOR 4), 'hex')`;

/** Tokens of charges that are open are not walked through: they go within days, and their key is needed until then. */
const ALL_SEALED = `(SELECT provider_credentials AS sealed FROM shops
    UNION ALL SELECT previous_provider_credentials FROM shops WHERE previous_provider_credentials IS NOT NULL
    UNION ALL SELECT webhook_secret FROM shops
    UNION ALL SELECT previous_webhook_secret FROM shops WHERE previous_webhook_secret IS NOT NULL
    UNION ALL SELECT webhook_signing_key FROM shops WHERE webhook_signing_key IS NOT NULL
    UNION ALL SELECT previous_webhook_signing_key FROM shops WHERE previous_webhook_signing_key IS NOT NULL
   UNION ALL SELECT sealed_payment_token FROM provider_operations
     WHERE state IN ('open', 'pending', 'unknown') AND sealed_payment_token IS NOT NULL) secrets`;

/** → each key id that something is sealed with, and how many secrets are. */
export const SECRETS_BY_KEY: Statement = {
  name: 'reencryption_by_key',
  text: `SELECT ${keyIdIn('sealed')} AS id, count(*)::int AS secrets FROM ${ALL_SEALED} GROUP BY 1 ORDER BY 1`,
};

/** $1 id of the current key, $2 shop to start behind, $3 limit → what another key sealed, in the order of the shops. */
export const outdated = (column: SealedColumn): Statement => ({
  name: `reencryption_outdated_${column}`,
  text: `SELECT id, ${column} AS sealed FROM shops
    WHERE id > $2 AND ${keyIdIn(column)} <> $1 ORDER BY id LIMIT $3`,
});

/**
 * $1 shop, $2 what was read, $3 the same under the current key → the shop, unless somebody else has written meanwhile.
 * `updated_at` stays: nothing that a merchant sees has changed.
 */
export const replaceSealed = (column: SealedColumn): Statement => ({
  name: `reencryption_replace_${column}`,
  text: `UPDATE shops SET ${column} = $3 WHERE id = $1 AND ${column} = $2 RETURNING id`,
});
