import { AdyenModifications } from './adyen-modifications.js';
import { behaviourOf, type GivenPaymentMethod } from './adyen-methods.js';
import { AdyenFault, type Behaviour, type FakePayment, type Money, newPspReference } from './adyen-objects.js';
import { type AdditionalDetails, AdyenSteps } from './adyen-steps.js';
import type { FakeItem, Stored } from './adyen-webhooks.js';

/** The fields of `/payments` that the fake reads. */
export interface PaymentParams {
  amount: Money;
  reference: string;
  returnUrl: string;
  paymentMethod: GivenPaymentMethod;
  authenticationData?: { attemptAuthentication?: string; threeDSRequestData?: { nativeThreeDS?: string } };
  channel?: string;
  browserInfo?: object;
  origin?: string;
  shopperReference?: string;
  storePaymentMethod?: boolean;
  additionalData?: { manualCapture?: string };
}

/** Adyen's test card 4111 1111 4555 1142 in `additionalData`, as accounts that include all card data get it. */
const TEST_CARD = {
  cardBin: '411111',
  cardIssuingCountry: 'NL',
  cardPaymentMethod: 'visa',
  cardSummary: '1142',
  expiryDate: '3/2030',
  fundingSource: 'CREDIT',
  issuerBin: '41111145',
  paymentMethod: 'visa',
};

/** The money of the fake: one merchant account's payments, and the rules of when they change. */
export class AdyenLedger extends AdyenModifications {
  /** By stored payment method or card number; over the magic ones. */
  readonly methods = new Map<string, Behaviour>();
  readonly steps = new AdyenSteps();
  /** Messages with the recurring details of a stored payment method: a setting of the account (Developers > Additional data). */
  readonly tellsStored = new Set<'answer' | 'notification'>(['answer']);

  constructor(
    merchantAccount: string,
    emit: (item: FakeItem) => void,
    private readonly emitToken: (eventId: string, stored: Stored) => void,
    private readonly pageUrl: (pspReference: string) => string,
  ) {
    super(merchantAccount, emit);
  }

  createPayment(params: PaymentParams): object {
    const behaviour = behaviourOf(params.paymentMethod, this.methods);
    if ('error' in behaviour) throw behaviour.error;
    const { amount, reference, returnUrl } = params;
    const payment: FakePayment = {
      pspReference: newPspReference(),
      reference,
      amount,
      status: 'open',
      returnUrl,
      behaviour,
      isManual: params.additionalData?.manualCapture === 'true',
      ...(params.storePaymentMethod && { storesFor: params.shopperReference ?? '' }),
      captured: 0,
      refunded: 0,
      chargedBack: 0,
    };
    this.payments.push(payment);
    const isCard = params.paymentMethod['type'] === 'scheme';
    const isAuthenticated = behaviour.result === 'RedirectShopper' || behaviour.result === 'Authenticate';
    if (isCard && isAuthenticated && params.authenticationData?.attemptAuthentication === 'never') {
      return this.refuse(payment, { result: 'Refused', code: '38', reason: 'Authentication required' });
    }
    if (behaviour.result === 'Authenticate') return this.authenticateCard(payment, behaviour.steps, params);
    return this.start(payment, behaviour);
  }

  /** Answers 204 without a body. */
  removeMethod(id: string): { status: number; body: object } {
    behaviourOf({ type: 'scheme', storedPaymentMethodId: id }, this.methods);
    this.methods.delete(id);
    return { status: 204, body: {} };
  }

  /** Stores the payment method of an authorised payment. */
  private store(shopperReference: string): Stored {
    const storedPaymentMethodId = newPspReference();
    this.methods.set(storedPaymentMethodId, { result: 'Authorised' });
    return { storedPaymentMethodId, shopperReference };
  }

  /** The payer has acted. Returns the URL for the payer, with the parameter for `/payments/details`. */
  authenticate(pspReference: string, approved: boolean): string {
    const payment = this.find(pspReference);
    const url = new URL(payment.returnUrl);
    url.searchParams.set('redirectResult', this.steps.redirected(payment, approved));
    return url.href;
  }

  submitDetails(sent: AdditionalDetails): object {
    const { payment, approved, rest } = this.steps.take(sent);
    if (payment.status !== 'open') throw new AdyenFault(422, '14_0417', 'The payment has its result');
    if (rest[0] === 'challenge') {
      const action = this.steps.actionOf(payment, 'challenge');
      return { pspReference: payment.pspReference, resultCode: 'ChallengeShopper', action };
    }
    payment.pspReference = newPspReference(); // after a step of the payer it differs from the answer of /payments
    if (approved) return this.authorise(payment);
    return this.refuse(payment, { result: 'Refused', code: '11', reason: '3D Not Authenticated' });
  }

  /** Ends a payment that is `Pending` or `Received`. */
  settle(reference: string, outcome: 'authorised' | 'refused', reason = 'Refused'): void {
    const payment = this.payments.find((candidate) => candidate.reference === reference);
    if (payment?.status !== 'open') throw new Error(`the fake has no open payment ${reference}`);
    if (outcome === 'authorised') this.authorise(payment);
    else this.refuse(payment, { result: 'Refused', code: '2', reason });
  }

  /** Native only if the request allows it and describes the page; otherwise by redirect. */
  private authenticateCard(
    payment: FakePayment,
    [step, ...rest]: readonly ('fingerprint' | 'challenge')[],
    { authenticationData, channel, browserInfo, origin }: PaymentParams,
  ): object {
    const isWanted = authenticationData?.threeDSRequestData?.nativeThreeDS === 'preferred';
    const isPossible = channel !== 'Web' || (browserInfo !== undefined && origin !== undefined);
    if (!step || !isWanted || !isPossible) {
      return this.answer(payment, 'RedirectShopper', { action: this.redirectOf(payment, 'GET') });
    }
    const resultCode = step === 'fingerprint' ? 'IdentifyShopper' : 'ChallengeShopper';
    return this.answer(payment, resultCode, { action: this.steps.actionOf(payment, step, rest) });
  }

  private actionFields(payment: FakePayment, action: 'sdk' | 'await' | 'qrCode' | 'bankTransfer' | undefined): object {
    if (action === undefined) return {};
    if (action !== 'bankTransfer') return { action: this.steps.actionOf(payment, action) };
    return { action: { type: action, paymentMethodType: 'bankTransfer_IBAN', iban: 'NL13TEST0123456789' } };
  }

  private start(
    payment: FakePayment,
    behaviour: Exclude<Behaviour, { error: AdyenFault } | { result: 'Authenticate' }>,
  ): object {
    switch (behaviour.result) {
      case 'Authorised':
        return this.authorise(payment);
      case 'Refused':
      case 'Error':
      case 'Cancelled':
        return this.refuse(payment, behaviour);
      case 'RedirectShopper':
        return this.answer(payment, behaviour.result, { action: this.redirectOf(payment, behaviour.method ?? 'GET') });
      case 'PresentToShopper':
        return this.answer(payment, behaviour.result, { action: VOUCHER });
      case 'Pending':
      case 'Received':
        return this.answer(payment, behaviour.result, this.actionFields(payment, behaviour.action));
      default:
        return this.answer(payment, behaviour.result, {});
    }
  }

  private redirectOf(payment: FakePayment, method: 'GET' | 'POST'): object {
    const action = { type: 'redirect', paymentMethodType: 'scheme', method, url: this.pageUrl(payment.pspReference) };
    return method === 'POST' ? { ...action, data: { MD: 'OEVudmQ', PaReq: 'eNpVUtt' } } : action;
  }

  private authorise(payment: FakePayment): object {
    payment.status = payment.isManual ? 'authorized' : 'captured';
    if (!payment.isManual) payment.captured = payment.amount.value;
    const stored = payment.storesFor === undefined ? undefined : this.store(payment.storesFor);
    const detailsIn = (where: 'answer' | 'notification') =>
      stored && this.tellsStored.has(where) ? detailsOf(stored) : {};
    this.notifyResult(payment, true, '045678:1142:03/2030', detailsIn('notification'));
    if (stored) this.emitToken(payment.pspReference, stored);
    const { behaviour, amount } = payment;
    const value = 'partly' in behaviour ? behaviour.partly : undefined;
    return this.answer(payment, 'Authorised', {
      amount: value === undefined ? amount : { ...amount, value },
      additionalData: { ...TEST_CARD, ...detailsIn('answer') },
    });
  }

  private refuse(
    payment: FakePayment,
    {
      result,
      code,
      reason = 'Cancelled',
      additionalData,
    }: Extract<Behaviour, { result: 'Refused' | 'Error' | 'Cancelled' }>,
  ): object {
    payment.status = 'declined';
    this.notifyResult(payment, false, reason);
    return this.answer(payment, result, {
      ...(code !== undefined && { refusalReason: reason, refusalReasonCode: code }),
      ...(additionalData && { additionalData }),
    });
  }

  private answer({ pspReference, reference }: FakePayment, resultCode: string, fields: object): object {
    return { pspReference, resultCode, merchantReference: reference, ...fields };
  }

  private notifyResult(
    { pspReference, reference, amount }: FakePayment,
    isSuccess: boolean,
    reason: string,
    additionalData: Record<string, string> = {},
  ): void {
    const about = {
      pspReference,
      merchantReference: reference,
      amount,
      additionalData: { paymentMethodVariant: 'visa', ...additionalData },
    };
    this.notify({ ...about, eventCode: 'AUTHORISATION', success: isSuccess ? 'true' : 'false', reason });
  }
}

const detailsOf = ({ storedPaymentMethodId, shopperReference }: Stored): Record<string, string> => ({
  'tokenization.storedPaymentMethodId': storedPaymentMethodId,
  'tokenization.shopperReference': shopperReference,
  'recurring.recurringDetailReference': storedPaymentMethodId,
  'recurring.shopperReference': shopperReference,
  networkTxReference: 'MCC123456789012',
});

const VOUCHER = { type: 'voucher', paymentMethodType: 'multibanco', entity: '12101', reference: '501 422 944' };
