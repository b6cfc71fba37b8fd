// PayPal's objects, as far as the connector reads them, by the types of PayPal's own SDK, whose names are in camel case.
import type {
  AuthorizationWithAdditionalData,
  CaptureRequest,
  Money as SdkMoney,
  Order as SdkOrder,
  OrderRequest,
  OrdersCapture,
  PaypalWallet,
  PurchaseUnit as SdkUnit,
  Refund as SdkRefund,
  RefundRequest,
} from '@paypal/paypal-server-sdk';

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Snake<Rest>}`
    : `${Lowercase<First>}_${Snake<Rest>}`
  : Name;

/** A type of the SDK as the JSON that is sent: names in snake case, and enums are texts. */
type Json<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Field in keyof T as Snake<Field>]: Json<T[Field]> }
      : T;
type Present<T, Fields extends keyof T> = Json<Required<Pick<T, Fields>>>;
type Maybe<T, Fields extends keyof T> = Json<Partial<Pick<T, Fields>>>;

export type Money = Json<SdkMoney>;
export type Capture = Present<OrdersCapture, 'id' | 'status' | 'amount'> & Maybe<OrdersCapture, 'statusDetails'>;
export type Authorization = Present<AuthorizationWithAdditionalData, 'id' | 'status'> &
  Maybe<AuthorizationWithAdditionalData, 'expirationTime'>;
export type Refund = Present<SdkRefund, 'id' | 'status' | 'amount'> & Maybe<SdkRefund, 'customId'>;

type Unit = Present<SdkUnit, 'amount'> &
  Maybe<SdkUnit, 'customId'> & {
    payments?: {
      authorizations?: readonly Authorization[];
      captures?: readonly Capture[];
      refunds?: readonly Refund[];
    };
  };
export type Order = Present<SdkOrder, 'id' | 'status'> &
  Maybe<SdkOrder, 'links' | 'paymentSource'> & { purchase_units: readonly [Unit] };

export type NewOrder = Json<Pick<OrderRequest, 'intent' | 'purchaseUnits'>> & { payment_source: { paypal: Wallet } };
export type Wallet = Json<
  Pick<PaypalWallet, 'vaultId' | 'emailAddress' | 'storedCredential' | 'attributes' | 'experienceContext'>
>;
export type NewCapture = Json<Pick<CaptureRequest, 'amount' | 'finalCapture'>>;
export type NewRefund = Json<Pick<RefundRequest, 'amount' | 'customId'>>;
