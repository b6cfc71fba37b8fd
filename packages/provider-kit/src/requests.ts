// The requests to a connector.
import type { NextAction } from './answers.js';

/** `automatic`: the charge captures. `manual`: it only authorises, and is captured later. */
export type CaptureMode = 'automatic' | 'manual';

/** A transaction and its ids on both sides. */
export interface OperationReference {
  paymentId: number;
  shopId: number;
  /** Our reference: a UUID of 36 characters, unguessable, one per attempt, sent with the charge and repeated by the provider. */
  reference: string;
  /** The provider's id; `null` until it is known. */
  transactionId: string | null;
  /** The shop's decrypted credentials, as `validateCredentials` accepted them. */
  credentials: Record<string, unknown>;
}

/** A charge whose payer has taken a step ({@link NextAction}). */
export interface ActionReference extends OperationReference {
  /** Decimal text in units of the currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  capture: CaptureMode;
}

/** A call that changes something at the provider. */
export interface OperationRequest extends OperationReference {
  /**
   * A random UUID of 36 characters, recorded before the call, the same on every repeat; changed only after a definite refusal.
   */
  idempotencyKey: string;
  /**
   * A call under this key may have reached the provider before. A provider without idempotency keys is asked first then.
   * Absent: this is the first call under it.
   */
  isRepeat?: boolean;
  /** Decimal text in units of the currency, such as `"100.10"`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** When the attempt was recorded, the same on every repeat and for every operation of the attempt. */
  attemptedAt: Date;
  /** Our address for the shop's notifications; `undefined`: our public address is not configured. */
  notificationUrl: string | undefined;
}

/** The payer's payment method in the shop's account: a token of it, or what the provider's page components collected. */
export interface PaymentMethodInput {
  /** The merchant's own name of the kind, such as `card`. */
  type?: string;
  token?: string;
  /** In the provider's own format, unchanged. */
  data?: Record<string, unknown>;
  /** `provider_action`: the payer's page has the provider's script, so a step of the payer needs no redirect. */
  nextActionType?: NextAction['type'];
}

export interface ChargeRequest extends OperationRequest {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  sessionId: string;
  /** `undefined`: none was given. */
  paymentMethod: PaymentMethodInput | undefined;
  /** Address to which the payer returns after a redirect; https. */
  returnUrl: string | undefined;
  customer: { id: number; email: string | null; firstName: string | null; lastName: string | null } | null;
  metadata: Record<string, unknown> | null;
  /** `manual`: authorise only. Requested only if `capabilities` have `manualCapture`. */
  capture: CaptureMode;
  /** The party that begins the payment; absent: the merchant's system did not say. */
  initiator?: Initiator;
  /**
   * The agreement of the payer, or one made now with `save`; absent: the merchant's system did not say. With
   * `initiator: 'merchant'` it is the reason for the charge.
   */
  agreement?: Agreement;
  /** The charge that began the agreement, with a saved payment method, as far as it is known. */
  firstCharge?: FirstCharge;
  /** The payer's facts for the provider's risk checks. Personal data: never in a log or an error. */
  payer?: Payer;
  /**
   * The text for the payer's statement, as the merchant gives it: 1 to 22 printable ASCII characters. A provider with a shorter
   * limit gets its beginning. Never in a log or an error.
   */
  statementDescriptor?: string;
  /** The provider is to save the payment method for later charges: its answer or a notification tells it (`SavedMethod`). */
  save?: boolean;
}

/** `customer`: the payer is there. `merchant`: a charge of a saved payment method without the payer. */
export type Initiator = 'customer' | 'merchant';

/**
 * An agreement of the payer about later charges without the payer. `subscription`: at regular intervals. `unscheduled`: at no
 * fixed time, such as a top-up.
 */
export type Agreement = 'subscription' | 'unscheduled';

/** The charge that later ones of a saved payment method refer to (`SavedMethod`). */
export interface FirstCharge {
  /** The card network's id, valid at every provider. */
  networkTransactionId?: string;
  /** The provider's id of the charge; only for the account that made it. */
  transactionId?: string;
}

/** Facts about the payer's person and device, as the merchant's system tells them. */
export interface Payer {
  /** IPv4 or IPv6. */
  ipAddress?: string;
  billingAddress?: BillingAddress;
}

/** Each text has 1 to 255 characters. */
export interface BillingAddress {
  line1?: string;
  line2?: string;
  city?: string;
  postalCode?: string;
  /** A state, province or region. */
  state?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
}

/** A saved payment method that is to be removed. */
export interface SavedMethodReference {
  token: string;
  credentials: Record<string, unknown>;
}

/** A void of an attempt. */
export interface VoidRequest extends OperationRequest {
  /** The key of the attempt's charge, for providers that cancel by it; `null`: not recorded. */
  chargeIdempotencyKey: string | null;
}

/** A capture of `amount`, once per authorisation; the provider releases the rest. */
export interface CaptureRequest extends OperationRequest {
  /** The authorised amount, decimal text. */
  authorizedAmount: string;
}

/** A refund of `amount`, one of several of the charge. */
export interface RefundRequest extends OperationRequest {
  reason: string | undefined;
  /**
   * The reversal of a charge that the payment must not keep: refund the remaining amount. That is less than `amount`
   * after a refund at the provider. A provider that needs an amount uses `amount`.
   */
  isRest?: boolean;
}

/** A look-up of a recorded capture, void or refund. */
export interface OperationLookup extends OperationRequest {
  kind: 'capture' | 'void' | 'refund';
  /** The provider's id of the operation; `null`: its answer was lost. */
  operationId: string | null;
}
