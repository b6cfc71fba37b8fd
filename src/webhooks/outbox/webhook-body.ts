export const WEBHOOK_EVENT = 'payment.status_changed';

/** The provider's notification that caused the change. */
export interface OriginalWebhook {
  provider: string;
  data: Record<string, unknown>;
  processedAt: Date;
}

/**
 * The specification's Payment, in its order of fields, with what each holds. The one list: rows, answers, webhooks and
 * their documents follow.
 */
export const PAYMENT_FIELDS = {
  id: 'integer',
  payment_session_id: 'text',
  provider_transaction_id: 'text or null',
  amount: 'amount',
  currency: 'text',
  status: 'text',
  country: 'text or null',
  payment_provider: 'text',
  flow_id: 'integer',
  created_at: 'time',
  updated_at: 'time',
  expires_at: 'time',
} as const;

type PaymentField = keyof typeof PAYMENT_FIELDS;
export type PaymentFieldKind = (typeof PAYMENT_FIELDS)[PaymentField];

/** What a row holds of each kind, amounts as decimal text, and what JSON holds, times in ISO 8601 UTC with milliseconds. */
interface Kinds extends Record<PaymentFieldKind, { row: unknown; json: unknown }> {
  integer: { row: number; json: number };
  text: { row: string; json: string };
  'text or null': { row: string | null; json: string };
  amount: { row: string; json: number };
  time: { row: Date; json: string };
}

export type PaymentFieldsRow = { [F in PaymentField]: Kinds[(typeof PAYMENT_FIELDS)[F]]['row'] };

export const PAYMENT_COLUMNS = Object.keys(PAYMENT_FIELDS) as PaymentField[];

/** The specification's Customer, in its order of fields; `id` comes first. The one list: tables, requests and answers follow. */
export const CUSTOMER_FIELDS = [
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
] as const;

export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

/** What the specification's shortened variant still has of a customer beside the id: `null` when it is not known. */
export const REQUIRED_CUSTOMER_FIELDS = ['email', 'first_name', 'last_name'] as const satisfies CustomerField[];

/** `null` when they are not known; others are left out then. */
const ALWAYS_THERE: ReadonlySet<string> = new Set<string>([...PAYMENT_COLUMNS, ...REQUIRED_CUSTOMER_FIELDS]);

/** What is not known is absent. */
export type WebhookPayment = { [F in Exclude<PaymentField, Unknowable>]: Json<F> } & { [F in Unknowable]?: Json<F> };
type Json<F extends PaymentField> = Kinds[(typeof PAYMENT_FIELDS)[F]]['json'];
type Unknowable = { [F in PaymentField]: null extends PaymentFieldsRow[F] ? F : never }[PaymentField];

/** What is not known is absent. */
type WebhookCustomer = { id: number } & Partial<Record<CustomerField, string>>;

export interface WebhookBodyInput {
  /** No payment of anybody's: a sample, and says so where the signature covers it. */
  isTest?: boolean;
  /** When the status changed. */
  timestamp: Date;
  payment: WebhookPayment;
  customer: WebhookCustomer | null;
  shop: { id: number; name: string };
  metadata: Record<string, unknown> | null;
  providerMetadata: Record<string, unknown>;
  originalWebhook?: OriginalWebhook | undefined;
}

/**
 * The webhook payload of the specification as JSON text, fields in its order. What is not known is left out
 * where the specification allows that, and `null` elsewhere (docs/integrate/clarifications.md).
 * Rendered once per change of status: every attempt sends, and the signatures cover, exactly these bytes.
 */
export function renderWebhookBody(input: WebhookBodyInput): string {
  const { customer, shop, metadata, originalWebhook } = input;
  // what is undefined is not in the text
  return JSON.stringify({
    event: WEBHOOK_EVENT,
    test: input.isTest || undefined,
    timestamp: input.timestamp.toISOString(),
    payment: inOrder(input.payment, PAYMENT_COLUMNS),
    customer: customer && inOrder(customer, CUSTOMER_IN_ORDER),
    shop: { id: shop.id, name: shop.name },
    metadata: metadata ?? undefined,
    provider_metadata: input.providerMetadata,
    original_webhook: originalWebhook && {
      provider: originalWebhook.provider,
      data: originalWebhook.data,
      processed_at: originalWebhook.processedAt.toISOString(),
    },
  });
}

const CUSTOMER_IN_ORDER = ['id', ...CUSTOMER_FIELDS] as const;

function inOrder<T extends object>(source: T, fields: readonly (keyof T & string)[]): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const field of fields) {
    const value = source[field];
    if (value !== undefined) ordered[field] = value;
    else if (ALWAYS_THERE.has(field)) ordered[field] = null;
  }
  return ordered;
}
