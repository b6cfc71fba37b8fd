/** What routing knows of a payment. `amount` in the currency's major unit, with at most 15 significant digits. */
export interface RoutingRequest {
  amount: number;
  currency: string;
  country?: string;
  customerId?: number;
  metadata?: Record<string, unknown>;
}
