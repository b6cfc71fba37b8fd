export interface FakeCard {
  brand: string;
  country: string;
  exp_month: number;
  exp_year: number;
  funding: string;
  last4: string;
}

/** Stripe's test card 4242…. */
export const TEST_CARD: FakeCard = {
  brand: 'visa',
  country: 'US',
  exp_month: 8,
  exp_year: 2034,
  funding: 'credit',
  last4: '4242',
};

/** Objects of Stripe's API in the fake: the fields of its OpenAPI document that are required or used. */
export interface FakeIntent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_received: number;
  currency: string;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
  metadata: Record<string, string>;
  latest_charge: string | null;
  last_payment_error: StripeErrorFields | null;
  next_action: {
    type: string;
    redirect_to_url?: { return_url: string; url: string };
    use_stripe_sdk?: Record<string, string>;
  } | null;
  payment_method: string | null;
  customer: string | null;
  setup_future_usage: string | null;
  cancellation_reason: string | null;
  canceled_at: number | null;
  capture_method: string;
  confirmation_method: string;
  client_secret: string;
  created: number;
  livemode: boolean;
  payment_method_types: string[];
}

export interface FakeCharge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  refunded: boolean;
  paid: boolean;
  captured: boolean;
  disputed: boolean;
  status: 'succeeded' | 'pending' | 'failed';
  currency: string;
  payment_intent: string;
  payment_method_details: {
    type: 'card';
    card: FakeCard & { network_transaction_id: string; capture_before?: number };
  } | null;
  metadata: Record<string, string>;
  created: number;
  livemode: boolean;
  billing_details: Record<string, null>;
}

export interface FakeRefund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  failure_reason?: string;
  charge: string;
  payment_intent: string;
  metadata: Record<string, string>;
  created: number;
}

export type FakeDisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'appeal_needs_response'
  | 'appeal_under_review'
  | 'won'
  | 'lost'
  | 'prevented';

export interface FakeDispute {
  id: string;
  object: 'dispute';
  amount: number;
  balance_transactions: object[];
  charge: string;
  created: number;
  currency: string;
  evidence: { appeal: object | null };
  evidence_details: { due_by: number | null; has_evidence: boolean; past_due: boolean; submission_count: number };
  is_charge_refundable: boolean;
  livemode: boolean;
  metadata: Record<string, string>;
  network_reason_code: string;
  payment_intent: string;
  payment_method_details: {
    type: 'card';
    card: { brand: string; case_type: DisputeCase; network: string; network_reason_code: string };
  };
  reason: string;
  status: FakeDisputeStatus;
}

export type DisputeCase = 'block' | 'chargeback' | 'compliance' | 'inquiry' | 'resolution';

export interface StripeErrorFields {
  type: 'card_error' | 'invalid_request_error' | 'api_error' | 'idempotency_error';
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  network_advice_code?: string;
  network_decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: FakeIntent;
  payment_method?: { id: string | null; object: 'payment_method'; type: 'card'; card: FakeCard };
}

/** An answer with an error object. */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly fields: StripeErrorFields,
  ) {
    super(fields.message);
  }
}

export const invalidRequest = (message: string, fields: Partial<StripeErrorFields> = {}, status = 400): StripeFault =>
  new StripeFault(status, { type: 'invalid_request_error', message, ...fields });

/** The effect of a magic PaymentMethod on a charge (https://docs.stripe.com/testing). */
export type Behaviour =
  | {
      charge: 'succeeds';
      refund?: 'pending' | 'requires_action' | 'fails_later';
      /** Opened as soon as the charge is captured. */
      dispute?: { reason: string; caseType: DisputeCase };
      /** How long the card holds a manual authorisation; `null`: the charge does not say. */
      holdsSeconds?: number | null;
    }
  | { charge: 'processes'; then: 'succeeded' | 'failed' }
  | { charge: 'authenticates' }
  | { charge: 'declined'; error: Partial<StripeErrorFields> };

const declined = (code: string, decline_code?: string, advice_code?: string): Behaviour => ({
  charge: 'declined',
  error: { code, ...(decline_code && { decline_code }), ...(advice_code && { advice_code }) },
});

export const MAGIC_TOKENS: Readonly<Record<string, Behaviour>> = {
  pm_card_visa: { charge: 'succeeds' },
  pm_card_mastercard: { charge: 'succeeds' },
  pm_card_pendingRefund: { charge: 'succeeds', refund: 'pending' },
  pm_card_refundFail: { charge: 'succeeds', refund: 'fails_later' },
  pm_card_createDispute: { charge: 'succeeds', dispute: { reason: 'fraudulent', caseType: 'chargeback' } },
  pm_card_createDisputeProductNotReceived: {
    charge: 'succeeds',
    dispute: { reason: 'product_not_received', caseType: 'chargeback' },
  },
  pm_card_createDisputeInquiry: { charge: 'succeeds', dispute: { reason: 'fraudulent', caseType: 'inquiry' } },
  pm_card_authenticationRequired: { charge: 'authenticates' },
  pm_card_threeDSecure2Required: { charge: 'authenticates' },
  pm_usBankAccount_success: { charge: 'processes', then: 'succeeded' },
  pm_usBankAccount_accountClosed: { charge: 'processes', then: 'failed' },
  pm_card_visa_chargeDeclined: declined('card_declined', 'generic_decline', 'try_again_later'),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined('card_declined', 'insufficient_funds', 'try_again_later'),
  pm_card_visa_chargeDeclinedLostCard: declined('card_declined', 'lost_card', 'do_not_try_again'),
  pm_card_visa_chargeDeclinedStolenCard: declined('card_declined', 'stolen_card', 'do_not_try_again'),
  pm_card_chargeDeclinedExpiredCard: declined('expired_card', undefined, 'confirm_card_data'),
  pm_card_chargeDeclinedIncorrectCvc: declined('incorrect_cvc', undefined, 'confirm_card_data'),
  pm_card_chargeDeclinedProcessingError: declined('processing_error', undefined, 'try_again_later'),
  pm_card_radarBlock: declined('card_declined', 'fraudulent'),
};
