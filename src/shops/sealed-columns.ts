/**
 * Every column that holds what `Encryption` sealed, with the purpose that it is sealed for. `ReencryptionService` walks
 * through these: a secret that is stored elsewhere would be lost with its key.
 */
export const SEALED_COLUMNS = {
  provider_credentials: 'shop:provider_credentials',
  previous_provider_credentials: 'shop:provider_credentials',
  webhook_secret: 'shop:webhook_secret',
  previous_webhook_secret: 'shop:webhook_secret',
} as const;

/** A column of `shops`. */
export type SealedColumn = keyof typeof SEALED_COLUMNS;
