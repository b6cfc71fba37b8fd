export type { ShopSummary } from '@payment-orchestrator/routing/facts/shop';

/** A shop's account at its provider; the credentials are decrypted. */
export interface ProviderAccount {
  provider: string;
  credentials: Record<string, unknown>;
}

// SQL parts that other features include in their statements, so that one statement reads all inputs of a decision.

/**
 * JSON text: the summaries of `merchant`'s shops among `shopIds`, an array. Sorted by id, so that the text is unchanged
 * as long as the shops are. `withFees`: few flows use them, and they may be long.
 */
export const summariesOf = (merchant: string, shopIds: string, withFees: boolean): string =>
  `(SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'provider', s.provider, 'enabled', s.enabled,
      'account', s.provider_account, 'acceptsAnyToken', s.accepts_any_token${withFees ? ", 'fees', s.fees" : ''})
      ORDER BY s.id), '[]')::text
    FROM shops s WHERE s.merchant_id = ${merchant} AND s.id = ANY (${shopIds}))`;

/** The ciphertext for `ShopsService.decryptAccount`. */
export const encryptedCredentialsOf = (merchant: string, shopId: string): string =>
  `(SELECT s.provider_credentials FROM shops s WHERE s.merchant_id = ${merchant} AND s.id = ${shopId})`;

/** Whether the latest secret of `s` does not sign yet; the previous one does. */
const IS_ANNOUNCED = 's.webhook_secret_active_from > statement_timestamp()';

/** The secret that a shop `s` signs with, the previous one while it is valid, and the announced next one. */
export const CURRENT_SECRET = `CASE WHEN ${IS_ANNOUNCED} THEN s.previous_webhook_secret ELSE s.webhook_secret END`;
export const PREVIOUS_SECRET = `CASE WHEN NOT coalesce(${IS_ANNOUNCED}, false)
      AND s.previous_webhook_secret_expires_at > statement_timestamp() THEN s.previous_webhook_secret END`;
export const NEXT_SECRET = `CASE WHEN ${IS_ANNOUNCED} THEN s.webhook_secret END`;

/** The previous ed25519 key of a shop `s` while it is valid. */
export const PREVIOUS_SIGNING_KEY = `CASE WHEN s.previous_webhook_signing_key_expires_at > clock_timestamp() THEN s.previous_webhook_signing_key END`;

/** JSON: an array of `EncryptedWebhookSecrets`, one per shop among `shopIds`; `null` for none. */
export const encryptedWebhookSecretsOf = (shopIds: string): string =>
  `(SELECT json_agg(json_build_object('shop_id', s.id, 'merchant_id', s.merchant_id, 'current', encode(${CURRENT_SECRET}, 'base64'),
      'previous', encode(${PREVIOUS_SECRET}, 'base64'), 'next', encode(${NEXT_SECRET}, 'base64'),
      'signing_keys', CASE WHEN s.webhook_signing_key IS NOT NULL THEN
        json_build_array(encode(s.webhook_signing_key, 'base64'), encode(${PREVIOUS_SIGNING_KEY}, 'base64')) END))
    FROM shops s WHERE s.id = ANY (${shopIds}))`;

/** Whether one of the shops has an outage that has not ended. */
export const haveOutage = (shopIds: string): string =>
  `EXISTS (SELECT FROM shop_outages o WHERE o.shop_id = ANY (${shopIds}) AND o.ended_at IS NULL)`;
