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
  /** SQL: what a value is bound to, as `Encryption` is given it. */
  row: string;
}

/** Whose secret it is. With the merchant, so that a shop's row does not show its secrets to another one. */
export interface SecretOwner {
  merchantId: number;
  shopId: number;
}

/** What the secrets of a shop are bound to. A rotation moves them from one column to another, under one purpose. */
export const rowOfShop = ({ merchantId, shopId }: SecretOwner): string => `${merchantId}:${shopId}`;

/** What the payment token of a charge is bound to: `reference` is random, and no other charge has it. */
export const rowOfCharge = (owner: SecretOwner, reference: string): string => `${rowOfShop(owner)}:${reference}`;

const OF_SHOPS = Object.entries(SEALED_COLUMNS).map(([column, purpose]): SealedSecret => {
  const where = `${column} IS NOT NULL`;
  return { table: 'shops', column, purpose, shopId: 'id', ownerId: 'id', where, row: `merchant_id || ':' || id` };
});

/** Of charges that are not settled; it is erased when they are. */
const PAYMENT_TOKEN: SealedSecret = {
  table: 'provider_operations',
  column: 'sealed_payment_token',
  purpose: PAYMENT_TOKEN_PURPOSE,
  shopId: 'shop_id',
  ownerId: 'payment_id',
  where: `state IN ('open', 'pending', 'unknown') AND sealed_payment_token IS NOT NULL`,
  row: `merchant_id || ':' || shop_id || ':' || reference`,
};

/** Every column that holds what `ENCRYPTION_KEY` seals. */
export const SEALED_SECRETS: readonly SealedSecret[] = [...OF_SHOPS, PAYMENT_TOKEN];
