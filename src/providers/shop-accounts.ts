/**
 * The accounts of shops at their providers. `shops` imports the providers, so the API's root module connects its service to
 * this port.
 */
export abstract class ShopAccounts {
  /** The account with decrypted credentials; `null`: no such shop. */
  abstract providerAccount(shopId: number): Promise<{ credentials: Record<string, unknown> } | null>;
}
