import { SEALED_COLUMNS } from './shops.queries.js';

/** What tokens of payment methods are sealed for, with the charges that may have to be repeated. */
export const PAYMENT_TOKEN_PURPOSE = 'operation:payment_token';

/** A column that holds secrets, and how its rows are found again. */
export interface SealedSecret {
  table: string;
  column: string;
  purpose: string;
  /** Columns: of the shop, and what leads to the row with its id. */
  shopId: string;
  ownerId: string;
  where: string;
}

const OF_SHOPS = Object.entries(SEALED_COLUMNS).map(([column, purpose]): SealedSecret => {
  return { table: 'shops', column, purpose, shopId: 'id', ownerId: 'id', where: `${column} IS NOT NULL` };
});

/** Of charges that are not settled; it is erased when they are. */
const PAYMENT_TOKEN: SealedSecret = {
  table: 'provider_operations',
  column: 'sealed_payment_token',
  purpose: PAYMENT_TOKEN_PURPOSE,
  shopId: 'shop_id',
  ownerId: 'payment_id',
  where: `state IN ('open', 'pending', 'unknown') AND sealed_payment_token IS NOT NULL`,
};

/** Every column that holds what `ENCRYPTION_KEY` seals. */
export const SEALED_SECRETS: readonly SealedSecret[] = [...OF_SHOPS, PAYMENT_TOKEN];
