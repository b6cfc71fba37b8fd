import type { EventData } from './event-data.js';

/** The statuses that a payment can have. */
export type PaymentStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'refunded';

/** The payment after the change. Times are ISO 8601 UTC with milliseconds. */
export interface WebhookPayment {
  id: number;
  payment_session_id: string;
  provider_transaction_id: string | null;
  amount: number;
  /** ISO 4217. */
  currency: string;
  status: PaymentStatus;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  payment_provider: string;
  flow_id: number;
  created_at?: string;
  updated_at?: string;
  expires_at?: string;
  /** Amount that the provider holds or has charged; absent from services before this field. */
  amount_authorized?: number;
  /** Charged amount. */
  amount_captured?: number;
  /** Amount of refunds that are pending or have succeeded. */
  amount_refunded?: number;
}

/** The customer. Unknown fields are absent, except that unknown names and an unknown email are `null`. */
export interface WebhookCustomer {
  id: number;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  phone?: string;
  full_name?: string;
  address?: string;
  city?: string;
  region?: string;
  postal_code?: string;
  country_code?: string;
  /** YYYY-MM-DD. */
  date_of_birth?: string;
  gender?: string;
  company?: string;
  vat_number?: string;
}

/** A payment changed its status. */
export interface PaymentStatusChanged {
  event: 'payment.status_changed';
  /** When the status changed. Of two events of a payment, the later timestamp counts, regardless of the order of arrival. */
  timestamp: string;
  /** The same for every endpoint, and in `GET /events`. Absent from changes before the service was upgraded. */
  id?: string;
  payment: WebhookPayment;
  /** `null` for a payment without a customer. */
  customer: WebhookCustomer | null;
  shop: { id: number; name: string };
  /** The metadata of the payment. */
  metadata?: Record<string, unknown>;
  provider_metadata?: Record<string, unknown>;
  /** The provider's notification, when that caused the change. */
  original_webhook?: { provider: string; data: Record<string, unknown>; processed_at: string };
  /** Set on test webhooks, whose payment does not exist. */
  test?: true;
}

/** An event of this type, as it is sent to standing endpoints. */
export interface EventOf<Type extends keyof EventData> {
  event: Type;
  /** The time of the event. */
  timestamp: string;
  /** The same for every endpoint, and in `GET /events`. */
  id: string;
  /** `null`: the event is about no single shop. */
  shop_id: number | null;
  /** `null`: the event is about no payment. */
  payment_id: number | null;
  data: EventData[Type];
  /** Set on test webhooks. */
  test?: true;
}

/** Any other text, as a type of its own: with plain `string`, `event` would not narrow the union. Only a type. */
declare enum UnknownType {
  newer = '',
}

/** An event of a type that is newer than this package: acknowledge and ignore it. */
export interface UnknownEvent {
  event: UnknownType;
  timestamp?: string;
  [field: string]: unknown;
}

/** Any event. `event` narrows it: after `event.event === 'refund.created'`, `event.data` is a refund. */
export type WebhookEvent =
  PaymentStatusChanged | { [Type in keyof EventData]: EventOf<Type> }[keyof EventData] | UnknownEvent;

/** Distinguishes a change of a payment's status from other events. */
export const isPaymentStatusChanged = (event: WebhookEvent): event is PaymentStatusChanged =>
  event.event === 'payment.status_changed';
