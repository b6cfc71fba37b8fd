/** The encryption purpose of payment tokens, which are stored with charges that may be repeated. */
export const PAYMENT_TOKEN_PURPOSE = 'operation:payment_token';

/** A column that holds secrets, and the columns that identify its rows. */
export interface SecretColumn {
  table: string;
  column: string;
  purpose: string;
  /** The columns of the shop's id, and of the owner that identifies the row together with its id. */
  shopId: string;
  ownerId: string;
  where: string;
  /** SQL for the row that a value is bound to, as `Encryption` receives it. */
  row: string;
}

/**
 * The owner of a secret. Includes the merchant, so that a shop moved to another merchant cannot decrypt the secrets.
 */
export interface SecretOwner {
  merchantId: number;
  shopId: number;
}

/**
 * The row that a shop's secrets are bound to. A rotation moves secrets from one column to another with the same
 * purpose.
 */
export const rowOfShop = ({ merchantId, shopId }: SecretOwner): string => `${merchantId}:${shopId}`;

/** The row that a charge's payment token is bound to: `reference` is random and unique to the charge. */
export const rowOfCharge = (owner: SecretOwner, reference: string): string => `${rowOfShop(owner)}:${reference}`;

/**
 * Every column with values encrypted by `Encryption`, and the encryption purpose. `ReencryptionService` uses this list:
 * a secret in any other column would be lost with its key.
 */
export const SHOP_SECRET_PURPOSES = {
  provider_credentials: 'shop:provider_credentials',
  previous_provider_credentials: 'shop:provider_credentials',
  webhook_secret: 'shop:webhook_secret',
  previous_webhook_secret: 'shop:webhook_secret',
  webhook_signing_key: 'shop:webhook_signing_key',
  previous_webhook_signing_key: 'shop:webhook_signing_key',
} as const;

const SHOP_COLUMNS = Object.entries(SHOP_SECRET_PURPOSES).map(([column, purpose]): SecretColumn => {
  const where = `${column} IS NOT NULL`;
  return { table: 'shops', column, purpose, shopId: 'id', ownerId: 'id', where, row: `merchant_id || ':' || id` };
});

/** Tokens of charges without a final outcome; erased when the charge is settled. */
const PAYMENT_TOKEN: SecretColumn = {
  table: 'provider_operations',
  column: 'sealed_payment_token',
  purpose: PAYMENT_TOKEN_PURPOSE,
  shopId: 'shop_id',
  ownerId: 'payment_id',
  where: `state IN ('open', 'pending', 'unknown') AND sealed_payment_token IS NOT NULL`,
  row: `merchant_id || ':' || shop_id || ':' || reference`,
};

/** The encryption purpose of the tokens of saved payment methods. */
export const SAVED_TOKENS_PURPOSE = 'saved_payment_method:tokens';

/** The row that the tokens of a saved payment method are bound to. */
export const rowOfSavedMethod = (merchantId: number, id: number): string => `${merchantId}:${id}`;

/** Tokens may be of several shops. They stay encrypted until the providers have detached them. */
const SAVED_TOKENS: SecretColumn = {
  table: 'saved_payment_methods',
  column: 'sealed_tokens',
  purpose: SAVED_TOKENS_PURPOSE,
  shopId: 'NULL::bigint',
  ownerId: 'customer_id',
  where: 'sealed_tokens IS NOT NULL',
  row: `merchant_id || ':' || id`,
};

/** Columns of standing endpoints that are encrypted, and their encryption purposes. */
export const ENDPOINT_SECRET_PURPOSES = {
  sealed_secret: 'webhook_endpoint:secret',
  sealed_previous_secret: 'webhook_endpoint:secret',
  sealed_headers: 'webhook_endpoint:headers',
  sealed_auth: 'webhook_endpoint:auth',
} as const;

/** The row that the secrets of a standing endpoint are bound to. */
export const rowOfEndpoint = (merchantId: number, id: number): string => `${merchantId}:${id}`;

/** The table of standing endpoints, which belong to no shop. */
export const ENDPOINTS = 'webhook_endpoints';

const ENDPOINT_COLUMNS = Object.entries(ENDPOINT_SECRET_PURPOSES).map(([column, purpose]): SecretColumn => {
  const where = `${column} IS NOT NULL`;
  const row = `merchant_id || ':' || id`;
  return { table: ENDPOINTS, column, purpose, shopId: 'NULL::bigint', ownerId: 'id', where, row };
});

/** Every column that is encrypted with `ENCRYPTION_KEY`. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  ...SHOP_COLUMNS,
  ...ENDPOINT_COLUMNS,
  PAYMENT_TOKEN,
  SAVED_TOKENS,
];
