/** A shop's account at its provider; the credentials are decrypted. */
export interface ProviderAccount {
  provider: string;
  credentials: Record<string, unknown>;
}
