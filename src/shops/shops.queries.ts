import type { Statement } from '../platform/database/database.js';

const SHOP = `id, merchant_id AS "merchantId", name, provider, provider_account AS "providerAccount", enabled, webhook_signing AS "webhookSigning", fees, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** $1 merchant, $2 shop */
export const FIND_SHOP: Statement = {
  name: 'shops.find',
  text: `SELECT ${SHOP} FROM shops WHERE merchant_id = $1 AND id = $2`,
};

/** $1 merchant, $2 shop → pending steps of a rotation: future times, null for past or missing ones. */
export const SHOP_ROTATION: Statement = {
  name: 'shops.rotation',
  text: `SELECT CASE WHEN webhook_secret_active_from > now.at THEN webhook_secret_active_from END AS "secretActiveFrom",
      CASE WHEN previous_webhook_secret IS NOT NULL AND previous_webhook_secret_expires_at > now.at
        THEN previous_webhook_secret_expires_at END AS "previousSecretExpiresAt",
      CASE WHEN previous_webhook_signing_key IS NOT NULL AND previous_webhook_signing_key_expires_at > now.at
        THEN previous_webhook_signing_key_expires_at END AS "previousKeyExpiresAt"
    FROM shops, (SELECT statement_timestamp() AS at) now WHERE merchant_id = $1 AND id = $2`,
};

/** $1 merchant, $2 maximum → the number of the merchant's shops, counted up to the maximum */
export const COUNT_SHOPS: Statement = {
  name: 'shops.count',
  text: `SELECT count(*) AS count FROM (SELECT FROM shops WHERE merchant_id = $1 LIMIT $2) AS counted`,
};

/** → the id of a new shop, needed before the insert because its secrets are bound to the id */
export const TAKE_SHOP_ID: Statement = {
  name: 'shops.take_id',
  text: `SELECT nextval(pg_get_serial_sequence('shops', 'id')) AS id`,
};

/** When the provider is asked next for the account; null: it has answered. */
const askedNext = (isKnown: string): string =>
  `CASE WHEN NOT ${isKnown}::boolean THEN clock_timestamp() + interval '1 minute' END`;

/**
 * $1 merchant, $2 name, $3 provider, $4 encrypted credentials, $5 encrypted webhook secret, $6 id, $7 label, $8 id and
 * $9 any token of its account, $10 whether it is known, $11 fees, null for unknown → the shop
 */
export const INSERT_SHOP: Statement = {
  name: 'shops.insert',
  text: `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret, id, provider_account,
      provider_account_id, accepts_any_token, account_asked_next_at, fees)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${askedNext('$10')}, $11) RETURNING ${SHOP}`,
};

/**
 * $1 merchant, $2 shop → its encrypted credentials, the previous ones and the time. Locks the row: of two concurrent
 * changes, the second is based on the result of the first.
 */
export const LOCK_CREDENTIALS: Statement = {
  name: 'shops.lock_credentials',
  text: `SELECT provider_credentials AS encrypted, previous_provider_credentials AS previous,
      previous_provider_credentials_expires_at AS until, clock_timestamp() AS now
    FROM shops WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/**
 * $1 merchant, $2 shop, then the changes, null for unchanged: $3 name, $4 enabled, $5 encrypted credentials with $6
 * earlier ones and $7 their expiry (both null for none), $8 signing, $9 encrypted signing key, $10 label of the account,
 * $11 its id (null with a label: unknown) and $12 any token; $13 whether it is known, for new credentials; $14 fees, an empty array for unknown. If two requests set a key, the first key stays → the shop
 */
export const UPDATE_SHOP: Statement = {
  name: 'shops.update',
  text: `UPDATE shops SET name = coalesce($3, name), enabled = coalesce($4, enabled),
      provider_credentials = coalesce($5, provider_credentials), updated_at = clock_timestamp(),
      previous_provider_credentials = CASE WHEN $5 IS NULL THEN previous_provider_credentials ELSE $6 END,
      previous_provider_credentials_expires_at =
        CASE WHEN $5 IS NULL THEN previous_provider_credentials_expires_at ELSE $7 END,
      webhook_signing = coalesce($8, webhook_signing),
      webhook_signing_key = CASE $8 WHEN 'shared_secret' THEN NULL ELSE coalesce(webhook_signing_key, $9) END,
      previous_webhook_signing_key = CASE $8 WHEN 'shared_secret' THEN NULL ELSE previous_webhook_signing_key END,
      provider_account = coalesce($10, provider_account), accepts_any_token = coalesce($12, accepts_any_token),
      provider_account_id = CASE WHEN $10::text IS NULL THEN provider_account_id ELSE $11 END,
      account_asked_next_at = CASE WHEN $13::boolean IS NULL THEN account_asked_next_at ELSE ${askedNext('$13')} END,
      fees = CASE WHEN $14::jsonb IS NULL THEN fees WHEN $14 = '[]' THEN NULL ELSE $14 END
    WHERE merchant_id = $1 AND id = $2 RETURNING ${SHOP}`,
};

/** $1 shop, $2 provider → its earlier credentials, encrypted, the expiry of the last ones, and the time. */
export const PREVIOUS_CREDENTIALS: Statement = {
  name: 'shops.previous_credentials',
  text: `SELECT previous_provider_credentials AS encrypted, previous_provider_credentials_expires_at AS until,
      clock_timestamp() AS now, merchant_id AS "merchantId"
    FROM shops WHERE id = $1 AND provider = $2 AND previous_provider_credentials_expires_at > clock_timestamp()`,
};

/** $1 merchant, $2 shop ids; unknown ids and those of other merchants are omitted */
export const SHOP_SUMMARIES: Statement = {
  name: 'shops.summaries',
  text: `SELECT id, name, provider, enabled, provider_account AS account, accepts_any_token AS "acceptsAnyToken", fees
    FROM shops WHERE merchant_id = $1 AND id = ANY ($2::bigint[])`,
};

/** $1 shop. */
export const PROVIDER_ACCOUNT: Statement = {
  name: 'shops.provider_account',
  text: `SELECT merchant_id AS "merchantId", provider, provider_credentials AS encrypted FROM shops WHERE id = $1`,
};
