/** What other features know of a shop. */
export interface ShopSummary {
  id: number;
  name: string;
  provider: string;
  /** A disabled shop takes no new payments. */
  enabled: boolean;
}
