import { AdyenFault, type FakePayment, type Money, newPspReference } from './adyen-objects.js';
import type { FakeItem } from './adyen-webhooks.js';

/** Events of disputes that move the money: 1 from the merchant, -1 back. */
const TAKES: Readonly<Record<string, number>> = { CHARGEBACK: 1, CHARGEBACK_REVERSED: -1, SECOND_CHARGEBACK: 1 };

type Told = Pick<FakeItem, 'eventCode' | 'pspReference' | 'success'> & Partial<FakeItem>;

/**
 * Changes of one merchant account's payments after they were made. Each request is accepted with a reference;
 * only a notification reports its result.
 */
export class AdyenModifications {
  readonly payments: FakePayment[] = [];

  constructor(
    private readonly merchantAccount: string,
    private readonly emit: (item: FakeItem) => void,
  ) {}

  find(pspReference: string): FakePayment {
    const payment = this.payments.find((candidate) => candidate.pspReference === pspReference);
    if (payment) return payment;
    throw new AdyenFault(422, '167', 'Original pspReference required for this operation');
  }

  cancelByReference(reference: string): string {
    const payment = this.payments.findLast((candidate) => candidate.reference === reference);
    return this.cancel('TECHNICAL_CANCEL', payment, reference);
  }

  cancel(
    eventCode: 'TECHNICAL_CANCEL' | 'CANCELLATION',
    payment: FakePayment | undefined,
    reference = payment?.reference ?? '',
  ): string {
    const pspReference = newPspReference();
    const isCancelable = payment !== undefined && ['open', 'authorized', 'voided'].includes(payment.status);
    if (isCancelable) payment.status = 'voided';
    const reason = payment ? 'Transaction is not in a state to be cancelled' : 'Transaction not found';
    this.notify({
      eventCode,
      pspReference,
      merchantReference: reference,
      ...(payment && { originalReference: payment.pspReference, amount: payment.amount }),
      success: isCancelable ? 'true' : 'false',
      reason: isCancelable ? '' : reason,
    });
    return pspReference;
  }

  /** Captures once and releases the rest. An automatic payment is never captured again. */
  capture(payment: FakePayment, amount: Money): string {
    const pspReference = newPspReference();
    const reason = captureProblem(payment, amount);
    if (reason === '') Object.assign(payment, { status: 'captured', captured: amount.value });
    const report = { ...aboutPayment(payment), pspReference, amount };
    this.notify({ ...report, eventCode: 'CAPTURE', success: reason === '' ? 'true' : 'false', reason });
    if (reason === '' && 'capture' in payment.behaviour && payment.behaviour.capture === 'fails_later') {
      Object.assign(payment, { status: 'authorized', captured: 0 });
      this.notify({ ...report, eventCode: 'CAPTURE_FAILED', success: 'true', reason: 'Capture Failed' });
    }
    return pspReference;
  }

  /** Refunds by a call, or in the Customer Area. */
  refund(payment: FakePayment, amount: Money): string {
    const pspReference = newPspReference();
    const reason = refundProblem(payment, amount);
    if (reason === '') countRefund(payment, amount.value);
    const report = { ...aboutPayment(payment), pspReference, amount };
    this.notify({ ...report, eventCode: 'REFUND', success: reason === '' ? 'true' : 'false', reason });
    if (reason === '' && 'refund' in payment.behaviour && payment.behaviour.refund === 'fails_later') {
      countRefund(payment, -amount.value);
      this.notify({ ...report, eventCode: 'REFUND_FAILED', success: 'true', reason: 'Refund Failed' });
    }
    return pspReference;
  }

  /** The scheme takes the capture back. */
  failCapture(payment: FakePayment): void {
    const report = { ...aboutPayment(payment), amount: payment.amount, pspReference: newPspReference() };
    this.notify({ ...report, eventCode: 'CAPTURE_FAILED', success: 'true', reason: 'Capture Failed' });
  }

  /** Adyen repairs a failed capture by itself. https://docs.adyen.com/online-payments/capture/failure-reasons */
  recapture(payment: FakePayment): void {
    const report = { ...aboutPayment(payment), amount: payment.amount, pspReference: newPspReference() };
    this.notify({ ...report, eventCode: 'CAPTURE', success: 'true', reason: 'Transaction Recaptured' });
  }

  /** The authorisation ends without a capture. */
  expire(payment: FakePayment): void {
    payment.status = 'voided';
    this.notifyOf(payment, 'EXPIRE');
  }

  /** The payer never finished. */
  closeOffer(payment: FakePayment): void {
    payment.status = 'declined';
    this.notifyOf(payment, 'OFFER_CLOSED');
  }

  /** Refuses the payment in Adyen's case management, which cancels it. */
  rejectReview(payment: FakePayment): void {
    payment.status = 'voided';
    payment.captured = 0;
    const report = { ...aboutPayment(payment), amount: payment.amount, pspReference: newPspReference() };
    this.notify({ ...report, eventCode: 'MANUAL_REVIEW_REJECT', success: 'true' });
    this.cancel('CANCELLATION', payment);
  }

  /** An event of a dispute, whose events have one `pspReference`, which it answers. */
  dispute(
    payment: FakePayment,
    eventCode: string,
    { pspReference = newPspReference(), ...fields }: Partial<FakeItem> = {},
  ): string {
    if (payment.captured === 0)
      throw new Error(`nothing was captured of ${payment.pspReference}, so nothing is disputed`);
    const amount = fields.amount ?? { ...payment.amount, value: payment.captured };
    payment.chargedBack += amount.value * (TAKES[eventCode] ?? 0);
    this.notify({ ...aboutPayment(payment), ...fields, amount, eventCode, pspReference, success: 'true' });
    return pspReference;
  }

  /** An event with the payment's own reference. */
  private notifyOf({ pspReference, reference, amount }: FakePayment, eventCode: string): void {
    this.notify({ eventCode, pspReference, merchantReference: reference, amount, success: 'true' });
  }

  protected notify(item: Told): void {
    this.emit({
      additionalData: { paymentMethodVariant: 'visa' },
      amount: { value: 0, currency: 'EUR' },
      eventDate: new Date().toISOString(),
      merchantAccountCode: this.merchantAccount,
      merchantReference: '',
      paymentMethod: 'visa',
      reason: '',
      ...structuredClone(item),
    });
  }
}

const aboutPayment = ({ reference, pspReference }: FakePayment) => ({
  merchantReference: reference,
  originalReference: pspReference,
});

function captureProblem(payment: FakePayment, { value, currency }: Money): string {
  const { status, isManual, amount, behaviour } = payment;
  if (status !== 'authorized') return isManual ? 'Transaction is not authorised' : 'Transaction is captured already';
  if (currency !== amount.currency) return 'Currency is not the one of the payment';
  if (value > amount.value) return 'Insufficient balance on payment';
  return 'capture' in behaviour && behaviour.capture === 'refused' ? 'Capture not supported' : '';
}

function refundProblem(payment: FakePayment, { value, currency }: Money) {
  const { status, captured, refunded, chargedBack, amount, behaviour } = payment;
  if (status !== 'captured' && status !== 'refunded') {
    return "Transaction hasn't been captured, refund not possible";
  }
  if (currency !== amount.currency) return 'Currency is not the one of the payment';
  if (value > captured - refunded - chargedBack) return 'Insufficient balance on payment';
  return 'refund' in behaviour && behaviour.refund === 'refused' ? 'Refund not supported' : '';
}

function countRefund(payment: FakePayment, value: number): void {
  payment.refunded += value;
  payment.status = payment.refunded >= payment.captured ? 'refunded' : 'captured';
}
