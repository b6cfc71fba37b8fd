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

/** Whether one of the shops has an outage that has not ended. */
export const haveOutage = (shopIds: string): string =>
  `EXISTS (SELECT FROM shop_outages o WHERE o.shop_id = ANY (${shopIds}) AND o.ended_at IS NULL)`;
