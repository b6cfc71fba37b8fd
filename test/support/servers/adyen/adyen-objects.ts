import { randomBytes } from 'node:crypto';

export interface Money {
  value: number;
  currency: string;
}

export type FakeStatus = 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';

/** One payment as the fake keeps it. */
export interface FakePayment {
  pspReference: string;
  /** Our reference, the `reference` of the request. */
  reference: string;
  amount: Money;
  status: FakeStatus;
  returnUrl: string;
  behaviour: Behaviour;
  isManual: boolean;
  /** The `shopperReference` that the payment method is stored for when the payment is authorised. */
  storesFor?: string;
  /** In minor units, like `refunded`. */
  captured: number;
  /** Sum of all refunds that went through. */
  refunded: number;
  /** Taken back by chargebacks; a defended one is given back. */
  chargedBack: number;
}

/** The effect of a payment method on a payment. `Authenticate`: native if the request allows it, else by redirect. */
export type Behaviour =
  | {
      result: 'Authorised';
      refund?: 'refused' | 'fails_later';
      capture?: 'refused' | 'fails_later';
      partly?: number;
    }
  | {
      result: 'Refused' | 'Error' | 'Cancelled';
      code?: string;
      reason?: string;
      additionalData?: Record<string, string>;
    }
  | { result: 'RedirectShopper'; method?: 'GET' | 'POST' }
  | { result: 'Authenticate'; steps: readonly ('fingerprint' | 'challenge')[] }
  | { result: 'PresentToShopper' }
  | { result: 'Pending' | 'Received'; action?: 'sdk' | 'await' | 'qrCode' | 'bankTransfer' }
  | { result: 'PartiallyAuthorised' }
  | { error: AdyenFault };

/** Magic names of stored payment methods; `AdyenLedger.methods` adds others. */
export const MAGIC_METHODS: Readonly<Record<string, Behaviour>> = {
  AUTHORISED: { result: 'Authorised' },
  REFUNDREFUSED: { result: 'Authorised', refund: 'refused' },
  REFUNDFAILS: { result: 'Authorised', refund: 'fails_later' },
  CAPTUREREFUSED: { result: 'Authorised', capture: 'refused' },
  CAPTUREFAILS: { result: 'Authorised', capture: 'fails_later' },
  REFUSED: { result: 'Refused', code: '2', reason: 'Refused' },
  EXPIRED: { result: 'Refused', code: '6', reason: 'Expired Card' },
  NOBALANCE: { result: 'Refused', code: '12', reason: 'Not enough balance' },
  ACQUIRERERROR: { result: 'Error', code: '4', reason: 'Acquirer Error' },
  CANCELLED: { result: 'Cancelled' },
  REDIRECT: { result: 'RedirectShopper' },
  REDIRECTPOST: { result: 'RedirectShopper', method: 'POST' },
  PENDING: { result: 'Pending' },
  RECEIVED: { result: 'Received' },
  VOUCHER: { result: 'PresentToShopper' },
  PARTLY: { result: 'PartiallyAuthorised' },
};

/** An answer with an error body. */
export class AdyenFault extends Error {
  constructor(
    readonly status: number,
    readonly errorCode: string,
    message: string,
    readonly errorType: 'validation' | 'security' | 'configuration' | 'internal' = 'validation',
  ) {
    super(message);
  }

  get body(): object {
    const { status, errorCode, message, errorType } = this;
    return { status, errorCode, message, errorType, pspReference: newPspReference() };
  }
}

const CHARACTERS = 'BCDFGHJKLMNPQRSTVWXZ23456789';

/** Sixteen characters, like Adyen's. */
export const newPspReference = (): string =>
  Array.from(randomBytes(16), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('');
