/** What other features know of a shop. */
export interface ShopSummary {
  id: number;
  name: string;
  provider: string;
  /** A disabled shop takes no new payments. */
  enabled: boolean;
}

/** A shop's account at its provider; the credentials are decrypted. */
export interface ProviderAccount {
  provider: string;
  credentials: Record<string, unknown>;
}

// What other features put into a statement of their own, so that what they decide by is one look at the database.

/**
 * JSON text: the summaries of `merchant`'s shops among `shopIds`, an array. In the order of their ids, so that the text is
 * the same for as long as the shops are.
 */
export const summariesOf = (merchant: string, shopIds: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'provider', s.provider, 'enabled', s.enabled)
      ORDER BY s.id), '[]')::text
    FROM shops s WHERE s.merchant_id = ${merchant} AND s.id = ANY (${shopIds}))`;

/** What `ShopsService.openAccount` opens. */
export const sealedAccountOf = (merchant: string, shopId: string): string =>
  `(SELECT s.provider_credentials FROM shops s WHERE s.merchant_id = ${merchant} AND s.id = ${shopId})`;

/** Whether the outage of one of them is not over. */
export const haveOutage = (shopIds: string): string =>
  `EXISTS (SELECT FROM shop_outages o WHERE o.shop_id = ANY (${shopIds}) AND o.ended_at IS NULL)`;
