export const WEBHOOK_EVENT = 'payment.status_changed';

/** How each body begins; the id of its event follows, which PostgreSQL adds (`withEventIdOf`). */
export const BODY_START = `{"event":"${WEBHOOK_EVENT}",`;

/** The body with the id of its event, which is the same in `GET /events`. */
export const withEventId = (body: string, id: string): string =>
  `${BODY_START}${JSON.stringify({ id }).slice(1, -1)},${body.slice(BODY_START.length)}`;

/** The provider's notification that caused the change. */
export interface OriginalWebhook {
  provider: string;
  data: Record<string, unknown>;
  processedAt: Date;
}

/**
 * Fields of the specification's Payment in its order, then the amounts of its life, with their kinds. Rows, responses, webhooks and their schemas are
 * derived from this list.
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
  amount_authorized: 'amount',
  amount_captured: 'amount',
  amount_refunded: 'amount',
} as const;

type PaymentField = keyof typeof PAYMENT_FIELDS;
export type PaymentFieldKind = (typeof PAYMENT_FIELDS)[PaymentField];

/** Types of each kind in a row (amounts as decimal text) and in JSON (times in ISO 8601 UTC with milliseconds). */
interface Kinds extends Record<PaymentFieldKind, { row: unknown; json: unknown }> {
  integer: { row: number; json: number };
  text: { row: string; json: string };
  'text or null': { row: string | null; json: string };
  amount: { row: string; json: number };
  time: { row: Date; json: string };
}

export type PaymentFieldsRow = { [F in PaymentField]: Kinds[(typeof PAYMENT_FIELDS)[F]]['row'] };

export const PAYMENT_COLUMNS = Object.keys(PAYMENT_FIELDS) as PaymentField[];

/** Fields of the specification's Customer after `id`, in its order. Tables, requests and responses are derived from this list. */
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

/** Fields that the specification's shortened Customer has in addition to the id. `null` if unknown. */
export const REQUIRED_CUSTOMER_FIELDS = ['email', 'first_name', 'last_name'] as const satisfies CustomerField[];

/** Fields that are `null` if unknown. Other unknown fields are omitted. */
const ALWAYS_PRESENT: ReadonlySet<string> = new Set<string>([...PAYMENT_COLUMNS, ...REQUIRED_CUSTOMER_FIELDS]);

/** A payment. Unknown fields are absent. */
export type WebhookPayment = { [F in Exclude<PaymentField, Unknowable>]: Json<F> } & { [F in Unknowable]?: Json<F> };
type Json<F extends PaymentField> = Kinds[(typeof PAYMENT_FIELDS)[F]]['json'];
type Unknowable = { [F in PaymentField]: null extends PaymentFieldsRow[F] ? F : never }[PaymentField];

/** A customer. Unknown fields are absent. */
type WebhookCustomer = { id: number } & Partial<Record<CustomerField, string>>;

export interface WebhookBodyInput {
  /** The body is a sample without a payment. The signature covers this field. */
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
 * Renders the webhook payload of the specification as JSON text, with its order of fields. Unknown fields are omitted
 * where the specification allows it, otherwise `null` (docs/integrate/clarifications.md). Rendered once per change of
 * status: every attempt sends and signs exactly these bytes.
 */
export function renderWebhookBody(input: WebhookBodyInput): string {
  const { customer, shop, metadata, originalWebhook } = input;
  // JSON.stringify omits undefined fields
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
    else if (ALWAYS_PRESENT.has(field)) ordered[field] = null;
  }
  return ordered;
}
