import type { Statement } from '../platform/database/database.js';
import { CURRENT_SECRET, NEXT_SECRET, PREVIOUS_SECRET, PREVIOUS_SIGNING_KEY } from './shop-summary.js';

const SHOP = `id, merchant_id AS "merchantId", name, provider, enabled, webhook_signing AS "webhookSigning", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** $1 merchant, $2 shop */
export const FIND_SHOP: Statement = {
  name: 'shops_find',
  text: `SELECT ${SHOP} FROM shops WHERE merchant_id = $1 AND id = $2`,
};

/** $1 merchant, $2 shop → what of a rotation is under way: moments to come, null for those that are over or never were. */
export const SHOP_ROTATION: Statement = {
  name: 'shops_rotation',
  text: `SELECT CASE WHEN webhook_secret_active_from > now.at THEN webhook_secret_active_from END AS "secretActiveFrom",
      CASE WHEN previous_webhook_secret IS NOT NULL AND previous_webhook_secret_expires_at > now.at
        THEN previous_webhook_secret_expires_at END AS "previousSecretExpiresAt",
      CASE WHEN previous_webhook_signing_key IS NOT NULL AND previous_webhook_signing_key_expires_at > now.at
        THEN previous_webhook_signing_key_expires_at END AS "previousKeyExpiresAt"
    FROM shops, (SELECT statement_timestamp() AS at) now WHERE merchant_id = $1 AND id = $2`,
};

/** $1 merchant, $2 how many at most → how many shops it has, counted no further than that */
export const COUNT_SHOPS: Statement = {
  name: 'shops_count',
  text: `SELECT count(*) AS count FROM (SELECT FROM shops WHERE merchant_id = $1 LIMIT $2) AS counted`,
};

/** → the id of a shop that is about to be made: its secrets are sealed to it */
export const TAKE_SHOP_ID: Statement = {
  name: 'shops_take_id',
  text: `SELECT nextval(pg_get_serial_sequence('shops', 'id')) AS id`,
};

/** $1 merchant, $2 name, $3 provider, $4 sealed credentials, $5 sealed webhook secret, $6 id → the shop */
export const INSERT_SHOP: Statement = {
  name: 'shops_insert',
  text: `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret, id)
    VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${SHOP}`,
};

/**
 * $1 merchant, $2 shop → its sealed credentials, those before them and the time, locked: of two changes at once the second is
 * made of what the first left.
 */
export const LOCK_CREDENTIALS: Statement = {
  name: 'shops_lock_credentials',
  text: `SELECT provider_credentials AS sealed, previous_provider_credentials AS previous,
      previous_provider_credentials_expires_at AS until, clock_timestamp() AS now
    FROM shops WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/**
 * $1 merchant, $2 shop, then what changes, null for what stays: $3 name, $4 enabled, $5 sealed credentials, with $6 what
 * notifications are verified with besides and $7 until when, null for nothing, $8 signing, $9 sealed key to sign with from now
 * on. Of two requests for a key the first one's key stays → the shop
 */
export const UPDATE_SHOP: Statement = {
  name: 'shops_update',
  text: `UPDATE shops SET name = coalesce($3, name), enabled = coalesce($4, enabled),
      provider_credentials = coalesce($5, provider_credentials), updated_at = clock_timestamp(),
      previous_provider_credentials = CASE WHEN $5 IS NULL THEN previous_provider_credentials ELSE $6 END,
      previous_provider_credentials_expires_at =
        CASE WHEN $5 IS NULL THEN previous_provider_credentials_expires_at ELSE $7 END,
      webhook_signing = coalesce($8, webhook_signing),
      webhook_signing_key = CASE $8 WHEN 'shared_secret' THEN NULL ELSE coalesce(webhook_signing_key, $9) END,
      previous_webhook_signing_key = CASE $8 WHEN 'shared_secret' THEN NULL ELSE previous_webhook_signing_key END
    WHERE merchant_id = $1 AND id = $2 RETURNING ${SHOP}`,
};

/** $1 shop, $2 provider → what its credentials were before, sealed, until when the last of them verifies, and the time. */
export const PREVIOUS_CREDENTIALS: Statement = {
  name: 'shops_previous_credentials',
  text: `SELECT previous_provider_credentials AS sealed, previous_provider_credentials_expires_at AS until,
      clock_timestamp() AS now, merchant_id AS "merchantId"
    FROM shops WHERE id = $1 AND provider = $2 AND previous_provider_credentials_expires_at > clock_timestamp()`,
};

/**
 * $1 merchant, $2 shop → its sealed webhook secrets and the time, locked: of two rotations at once the second replaces what
 * the first one set, so that both answers' secrets are valid, one as the current and one as the previous.
 */
export const LOCK_WEBHOOK_SECRETS: Statement = {
  name: 'shops_lock_webhook_secrets',
  text: `SELECT webhook_secret AS latest, webhook_secret_active_from AS "activeFrom", previous_webhook_secret AS previous,
      previous_webhook_secret_expires_at AS "previousExpiresAt", clock_timestamp() AS now
    FROM shops WHERE merchant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
};

/** $1 merchant, $2 shop, $3 latest secret, $4 since when it signs, $5 the one before, $6 until when that is valid → the shop */
export const SET_WEBHOOK_SECRETS: Statement = {
  name: 'shops_set_webhook_secrets',
  text: `UPDATE shops SET webhook_secret = $3, webhook_secret_active_from = $4, previous_webhook_secret = $5,
      previous_webhook_secret_expires_at = $6, updated_at = clock_timestamp()
    WHERE merchant_id = $1 AND id = $2 RETURNING ${SHOP}`,
};

/**
 * $1 merchant, $2 shop, $3 new sealed key, $4 overlap in seconds → whether the shop signs with a key, its present and its
 * previous one, sealed. Of two rotations at once the second replaces what the first one set: both answers' keys are valid.
 */
export const ROTATE_SIGNING_KEY: Statement = {
  name: 'shops_rotate_signing_key',
  text: `UPDATE shops s SET webhook_signing_key = $3, updated_at = clock_timestamp(),
      previous_webhook_signing_key = CASE WHEN $4::integer > 0 THEN webhook_signing_key END,
      previous_webhook_signing_key_expires_at = clock_timestamp() + make_interval(secs => $4::integer)
    WHERE merchant_id = $1 AND id = $2 AND webhook_signing_key IS NOT NULL
    RETURNING array_remove(ARRAY[webhook_signing_key, previous_webhook_signing_key], NULL) AS "signingKeys"`,
};

/** $1 merchant, $2 shop ids; unknown ids and those of other merchants are left out */
export const SHOP_SUMMARIES: Statement = {
  name: 'shops_summaries',
  text: `SELECT id, name, provider, enabled FROM shops WHERE merchant_id = $1 AND id = ANY ($2::bigint[])`,
};

/** $1 shop. */
export const PROVIDER_ACCOUNT: Statement = {
  name: 'shops_provider_account',
  text: `SELECT merchant_id AS "merchantId", provider, provider_credentials AS sealed FROM shops WHERE id = $1`,
};

/**
 * $1 shop ids → the sealed secrets; the previous one only while it is valid, the next one until it is the current. A
 * subquery: a plan for a known number of ids is no better, and would be made for each call.
 */
export const WEBHOOK_SECRETS: Statement = {
  name: 'shops_webhook_secrets',
  text: `SELECT id, merchant_id AS "merchantId", ${CURRENT_SECRET} AS current, ${PREVIOUS_SECRET} AS previous, ${NEXT_SECRET} AS next,
      array_remove(ARRAY[webhook_signing_key, ${PREVIOUS_SIGNING_KEY}], NULL) AS "signingKeys"
    FROM shops s WHERE id = ANY (ARRAY(SELECT unnest($1::bigint[])))`,
};

/** $1 merchant, $2 a shop of it, $3 limit → every sealed secret of that shop and the newest others, also of those that sign no more. */
export const MERCHANT_SECRETS: Statement = {
  name: 'shops_merchant_secrets',
  text: `SELECT s.id AS "shopId", k.sealed FROM (
      SELECT id, webhook_secret, previous_webhook_secret FROM shops WHERE merchant_id = $1 ORDER BY id = $2 DESC, id DESC LIMIT $3) s
    CROSS JOIN LATERAL unnest(ARRAY[webhook_secret, previous_webhook_secret]) AS k (sealed) WHERE k.sealed IS NOT NULL`,
};

/**
 * Every column that holds what `Encryption` sealed, with the purpose that it is sealed for. `ReencryptionService` walks
 * through these: a secret that is stored elsewhere would be lost with its key.
 */
export const SEALED_COLUMNS = {
  provider_credentials: 'shop:provider_credentials',
  previous_provider_credentials: 'shop:provider_credentials',
  webhook_secret: 'shop:webhook_secret',
  previous_webhook_secret: 'shop:webhook_secret',
  webhook_signing_key: 'shop:webhook_signing_key',
  previous_webhook_signing_key: 'shop:webhook_signing_key',
} as const;
