// Mollie's objects, as far as the connector reads them, by the types of Mollie's own SDK.
import type { ChargebackData } from '@mollie/api-client/dist/types/data/chargebacks/Chargeback.js';
import type { PaymentData } from '@mollie/api-client/dist/types/data/payments/data.js';
import type { CaptureData } from '@mollie/api-client/dist/types/data/payments/captures/data.js';
import type { RefundData } from '@mollie/api-client/dist/types/data/refunds/data.js';
import type { PaymentCreateParams } from '@mollie/api-client';

/** A type of the SDK as JSON: enums are texts, and `undefined` is absence. */
type Json<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Field in keyof T]: Json<T[Field]> }
      : T;

/** Our metadata of a payment. */
interface PaymentMetadata {
  reference?: string;
  payment_id?: number;
}

/** Our metadata of a capture or a refund. */
interface OperationMetadata {
  key?: string;
}

export type Amount = Json<PaymentData['amount']>;
export type Refund = Json<Pick<RefundData, 'id' | 'amount' | 'status'>> & { metadata?: OperationMetadata | null };
export type Capture = Json<Pick<CaptureData, 'id' | 'status'>> & { metadata?: OperationMetadata | null };
export type Chargeback = Json<Pick<ChargebackData, 'id' | 'amount' | 'createdAt'>> & {
  reversedAt?: string | null;
  reason?: { code: string } | null;
};

export type Payment = Json<Pick<PaymentData, 'id' | 'status' | 'amount' | 'createdAt'>> &
  Json<
    Partial<
      Pick<
        PaymentData,
        'amountRefunded' | 'amountCaptured' | 'amountChargedBack' | 'captureBefore' | 'isCancelable' | 'sequenceType'
      >
    >
  > & {
    metadata?: PaymentMetadata | null;
    customerId?: string | null;
    mandateId?: string | null;
    details?: PaymentDetails | null;
    _links: { checkout?: { href: string } | null };
    _embedded?: { refunds?: readonly Refund[]; chargebacks?: readonly Chargeback[] };
  };

/** Facts of a card, and why it was declined. */
interface PaymentDetails {
  cardNumber?: string | null;
  cardBin?: string | null;
  cardLabel?: string | null;
  cardFunding?: string | null;
  cardCountryCode?: string | null;
  failureReason?: string | null;
  bankReasonCode?: string | null;
}

export type NewPayment = Json<
  Partial<Omit<PaymentCreateParams, 'testmode' | 'idempotencyKey' | 'include' | 'metadata'>>
> & { metadata: PaymentMetadata };
