import { randomBytes } from 'node:crypto';
import { AdyenModifications } from './adyen-modifications.js';
import {
  AdyenFault,
  type Behaviour,
  type FakePayment,
  MAGIC_METHODS,
  type Money,
  newPspReference,
} from './adyen-objects.js';
import type { FakeItem } from './adyen-webhooks.js';

/** The fields of `/payments` that the fake reads. */
export interface PaymentParams {
  amount: Money;
  reference: string;
  returnUrl: string;
  paymentMethod: { type: string; storedPaymentMethodId?: string };
  authenticationData?: { attemptAuthentication?: string };
  additionalData?: { manualCapture?: string };
}

interface Return {
  payment: FakePayment;
  approved: boolean;
}

/** The money of the fake: one merchant account's payments, and the rules of when they change. */
export class AdyenLedger extends AdyenModifications {
  /** By stored payment method; over the magic ones. */
  readonly methods = new Map<string, Behaviour>();
  private readonly returns = new Map<string, Return>();

  constructor(
    merchantAccount: string,
    emit: (item: FakeItem) => void,
    private readonly pageUrl: (pspReference: string) => string,
  ) {
    super(merchantAccount, emit);
  }

  createPayment(params: PaymentParams): object {
    const behaviour = this.behaviourOf(params.paymentMethod);
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
      captured: 0,
      refunded: 0,
      chargedBack: 0,
    };
    this.payments.push(payment);
    const isRedirect = behaviour.result === 'RedirectShopper';
    if (isRedirect && params.authenticationData?.attemptAuthentication === 'never') {
      return this.refuse(payment, { result: 'Refused', code: '38', reason: 'Authentication required' });
    }
    return this.start(payment, behaviour);
  }

  /** The payer has acted. Returns the URL for the payer, with the parameter for `/payments/details`. */
  authenticate(pspReference: string, approved: boolean): string {
    const payment = this.find(pspReference);
    const redirectResult = `X6Xt${randomBytes(24).toString('base64url')}`;
    this.returns.set(redirectResult, { payment, approved });
    const url = new URL(payment.returnUrl);
    url.searchParams.set('redirectResult', redirectResult);
    return url.href;
  }

  knowsReturn(redirectResult: string): boolean {
    return this.returns.has(redirectResult);
  }

  submitDetails(redirectResult: string): object {
    const found = this.returns.get(redirectResult);
    if (!found) throw new AdyenFault(422, '14_0416', 'Could not find any payment for the redirectResult');
    const { payment, approved } = found;
    if (payment.status !== 'open') throw new AdyenFault(422, '14_0417', 'The payment has its result');
    payment.pspReference = newPspReference(); // after a redirect it differs from the answer of /payments
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

  private start(payment: FakePayment, behaviour: Exclude<Behaviour, { error: AdyenFault }>): object {
    switch (behaviour.result) {
      case 'Authorised':
        return this.authorise(payment);
      case 'Refused':
      case 'Error':
      case 'Cancelled':
        return this.refuse(payment, behaviour);
      case 'RedirectShopper':
        return this.answer(payment, behaviour.result, { action: this.redirectOf(payment, behaviour.method ?? 'GET') });
      case 'ChallengeShopper':
      case 'IdentifyShopper':
        return this.answer(payment, behaviour.result, { action: { type: 'threeDS2', token: 'eyJ0', subtype: 'x' } });
      case 'PresentToShopper':
        return this.answer(payment, behaviour.result, { action: { type: 'voucher', reference: '59 2001 0' } });
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
    this.notifyResult(payment, true, '045678:1142:03/2030');
    const { behaviour, amount } = payment;
    const value = 'partly' in behaviour ? behaviour.partly : undefined;
    return this.answer(payment, 'Authorised', { amount: value === undefined ? amount : { ...amount, value } });
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

  private notifyResult({ pspReference, reference, amount }: FakePayment, isSuccess: boolean, reason: string): void {
    const success = isSuccess ? 'true' : 'false';
    this.notify({ eventCode: 'AUTHORISATION', pspReference, merchantReference: reference, amount, success, reason });
  }

  private behaviourOf({ storedPaymentMethodId: id = '' }: PaymentParams['paymentMethod']): Behaviour {
    const behaviour = this.methods.get(id) ?? MAGIC_METHODS[id];
    if (behaviour) return behaviour;
    throw new AdyenFault(422, '803', 'PaymentDetail not found');
  }
}
