import type { NextAction } from '@payment-orchestrator/provider-kit';
import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import type { Agreement } from '../../../shared/agreement.js';
import type { Initiator } from '../../../shared/initiator.js';
import type { PaymentMethodFacts } from '../../../shared/payment-method.js';
import type { CustomerField, PaymentFieldsRow } from '../../../webhooks/outbox/webhook-body.js';
import type { PaymentStatus } from './payment-state.js';

/** A stored customer. Fields that were not given are `null`; all fields are `null` after an erasure. */
export type CustomerRow = { id: number; erased_at: Date | string | null } & Record<StoredField, string | null>;

/** A stored field of a customer. `reference` is the merchant's own id. */
export type StoredField = CustomerField | 'reference';

/** A payment with the fields of its shop and customer that webhooks and API answers contain. */
export interface PaymentRow extends PaymentFieldsRow {
  status: PaymentStatus;
  merchant_id: number;
  shop_id: number;
  shop_name: string;
  webhook_endpoint: string | null;
  webhook_lane_id: number | null;
  metadata: Record<string, unknown> | null;
  provider_metadata: Record<string, unknown>;
  /**
   * The number of the current or last attempt, from 1; 0: a rule declined the payment. Shop, provider and transaction id
   * belong to this attempt.
   */
  attempt: number;
  /** How many shops may be tried, the first included. */
  max_attempts: number;
  /** The shops to try after the first one, in order; `null`: none. */
  fallback_shop_ids: number[] | null;
  /** `manual`: the charge only authorises, and the merchant captures later. */
  capture: CaptureMode;
  /** The known facts of the payment method; `null`: none. */
  payment_method: PaymentMethodFacts | null;
  /** The party that begins the payment; `null`: the request did not say. */
  initiator: Initiator | null;
  /** The payer's agreement about later charges; `null`: the request did not say. */
  agreement: Agreement | null;
  /** When the authorisation ends at the provider; `null`: no capture is possible, or it is made with the charge. */
  capture_before: Date | null;
  /** The step that the payer must take before the payment continues. */
  next_action: NextAction | null;
  /** The address to which the payer returns after a redirect. */
  return_url: string | null;
  /** A provider charged the payment after it had ended or moved to another shop. */
  charged_after_end: boolean;
  /** A refund is pending; set only when the payment is read to be shown. */
  is_refund_pending?: boolean;
  /** A capture has no outcome yet; set only when the payment is read to be shown. */
  is_capture_pending?: boolean;
  /** The sum of its disputes, decimal text; set only when the payment is read to be shown. */
  disputed_amount?: string;
  /** When it was captured; `null`: it was not. Set only when the payment is read to be shown. */
  captured_at?: Date | null;
  /** Notifications wait until they are legal changes. */
  has_waiting_notifications: boolean;
  /** Trace context of the request that created the payment; `null`: it was not traced. */
  traceparent: string | null;
  customer: CustomerRow | null;
}
