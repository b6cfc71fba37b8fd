export const WEBHOOK_EVENT = 'payment.status_changed';

/** The provider's notification that caused the change. */
export interface OriginalWebhook {
  provider: string;
  data: Record<string, unknown>;
  processedAt: Date;
}

/** The specification's Payment; times are ISO 8601 UTC with milliseconds. */
interface WebhookPayment {
  id: number;
  payment_session_id: string;
  provider_transaction_id?: string;
  amount: number;
  currency: string;
  status: string;
  country?: string;
  payment_provider: string;
  flow_id: number;
  created_at?: string;
  updated_at?: string;
  expires_at?: string;
}

/** The specification's Customer; what is not known is absent. */
interface WebhookCustomer {
  id: number;
  email?: string;
  phone?: string;
  first_name?: string;
  last_name?: string;
  full_name?: string;
  address?: string;
  city?: string;
  region?: string;
  postal_code?: string;
  country_code?: string;
  date_of_birth?: string;
  gender?: string;
  company?: string;
  vat_number?: string;
}

export interface WebhookBodyInput {
  /** When the status changed. */
  timestamp: Date;
  payment: WebhookPayment;
  customer: WebhookCustomer | null;
  shop: { id: number; name: string };
  metadata: Record<string, unknown> | null;
  providerMetadata: Record<string, unknown>;
  originalWebhook?: OriginalWebhook | undefined;
}

const PAYMENT_FIELDS = [
  'id',
  'payment_session_id',
  'provider_transaction_id',
  'amount',
  'currency',
  'status',
  'country',
  'payment_provider',
  'flow_id',
  'created_at',
  'updated_at',
  'expires_at',
] as const satisfies (keyof WebhookPayment)[];

const CUSTOMER_FIELDS = [
  'id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'full_name',
  'address',
  'city',
  'region',
  'postal_code',
  'country_code',
  'date_of_birth',
  'gender',
  'company',
  'vat_number',
] as const satisfies (keyof WebhookCustomer)[];

/**
 * The webhook payload of the specification as JSON text, fields in its order; what is not known is left out.
 * Rendered once per change of status: every attempt sends, and the signatures cover, exactly these bytes.
 */
export function renderWebhookBody(input: WebhookBodyInput): string {
  const { customer, shop, metadata, originalWebhook } = input;
  return JSON.stringify({
    event: WEBHOOK_EVENT,
    timestamp: input.timestamp.toISOString(),
    payment: inOrder(input.payment, PAYMENT_FIELDS),
    ...(customer && { customer: inOrder(customer, CUSTOMER_FIELDS) }),
    shop: { id: shop.id, name: shop.name },
    ...(metadata && { metadata }),
    provider_metadata: input.providerMetadata,
    ...(originalWebhook && {
      original_webhook: {
        provider: originalWebhook.provider,
        data: originalWebhook.data,
        processed_at: originalWebhook.processedAt.toISOString(),
      },
    }),
  });
}

function inOrder<T extends object>(source: T, fields: readonly (keyof T)[]): Partial<T> {
  const ordered: Partial<T> = {};
  for (const field of fields) if (source[field] !== undefined) ordered[field] = source[field];
  return ordered;
}
