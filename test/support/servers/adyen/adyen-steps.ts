import { randomBytes, randomUUID } from 'node:crypto';
import { AdyenFault, type FakePayment } from './adyen-objects.js';

/** Steps of the payer at an action; the first two are those of native 3-D Secure 2. */
export type StepKind = 'fingerprint' | 'challenge' | 'sdk' | 'await' | 'qrCode' | 'redirect';

interface Step {
  payment: FakePayment;
  kind: StepKind;
  /** Steps that Adyen requires after this one. */
  rest: readonly StepKind[];
  /** The payer approved. */
  approved: boolean;
  isSubmitted: boolean;
}

/** The data that `onAdditionalDetails` of Drop-in gets, for `/payments/details`. */
export interface AdditionalDetails {
  details: Record<string, string>;
  paymentData?: string;
}

/**
 * The payer's steps of one merchant account: the actions in answers, what Adyen's script makes of them in the payer's
 * page, and the details that come back. Details of a step are accepted once.
 */
export class AdyenSteps {
  private readonly steps = new Map<string, Step>();

  /** Begins a step; returns its id, which is the `paymentData` of its action. */
  private begin(payment: FakePayment, kind: StepKind, rest: readonly StepKind[] = []): string {
    const id = `Ab02b4c0!${randomBytes(48).toString('base64url')}`;
    this.steps.set(id, { payment, kind, rest, approved: true, isSubmitted: false });
    return id;
  }

  /** The payer's outcome on the page of a redirect. Returns the `redirectResult`. */
  redirected(payment: FakePayment, approved: boolean): string {
    const id = this.begin(payment, 'redirect');
    this.steps.get(id)!.approved = approved;
    return id;
  }

  /** The action that makes Drop-in begin the step. */
  actionOf(payment: FakePayment, kind: Exclude<StepKind, 'redirect'>, rest: readonly StepKind[] = []): object {
    const paymentData = this.begin(payment, kind, rest);
    if (kind === 'fingerprint' || kind === 'challenge') {
      const token = encode({ threeDSServerTransID: randomUUID(), messageVersion: '2.2.0' });
      const authorisationToken = paymentData;
      return { type: 'threeDS2', subtype: kind, paymentMethodType: 'scheme', token, authorisationToken, paymentData };
    }
    const common = { type: kind, paymentData };
    if (kind === 'qrCode') return { ...common, paymentMethodType: 'pix', qrCodeData: '00020126580014br.gov.bcb.pix' };
    if (kind === 'sdk') return { ...common, paymentMethodType: 'paypal', sdkData: { token: 'EC-42N19135GM6949000' } };
    return { ...common, paymentMethodType: 'blik' };
  }

  /**
   * Acts as `handleAction` of Drop-in with a payer who approves or declines. It takes a challenge in the same page as
   * its fingerprint; `each`: it returns after the fingerprint, like an integration without Adyen's client key.
   * `undefined`: `onAdditionalDetails` is not called for this action.
   */
  handle(action: Record<string, unknown>, approved: boolean, each: boolean): AdditionalDetails | undefined {
    const paymentData = String(action['paymentData']);
    const step = this.steps.get(paymentData);
    if (!step) return undefined;
    const [next, ...rest] = step.rest;
    if (step.kind === 'fingerprint' && each) {
      return { details: { 'threeds2.fingerprint': encode({ threeDSCompInd: 'Y' }) }, paymentData };
    }
    if (step.kind === 'fingerprint' && next) {
      this.submit(step);
      return threeDSResult(this.begin(step.payment, next, rest), approved);
    }
    if (step.kind === 'fingerprint' || step.kind === 'challenge') return threeDSResult(paymentData, approved);
    step.approved = approved;
    const payload = `payload-${randomUUID()}`;
    return { details: step.kind === 'sdk' ? { orderID: payload, payerID: 'X' } : { payload }, paymentData };
  }

  knows(sent: AdditionalDetails): boolean {
    return this.steps.has(idOf(sent));
  }

  /** Takes the details of a step. Throws for unknown ones, and for those that were submitted before. */
  take(sent: AdditionalDetails): Step {
    const step = this.steps.get(idOf(sent));
    if (!step) throw new AdyenFault(422, '14_0416', 'Could not find any payment for the details');
    const answer = decode(sent.details['threeDSResult'] ?? sent.details['threeds2.challengeResult']);
    if (answer?.['transStatus'] !== undefined) step.approved = answer['transStatus'] === 'Y';
    this.submit(step);
    return step;
  }

  private submit(step: Step): void {
    if (step.isSubmitted) throw new AdyenFault(422, '704', 'request already processed or in progress');
    step.isSubmitted = true;
  }
}

const threeDSResult = (authorisationToken: string, approved: boolean): AdditionalDetails => ({
  details: { threeDSResult: encode({ transStatus: approved ? 'Y' : 'N', authorisationToken }) },
});

function idOf({ details, paymentData }: AdditionalDetails): string {
  const token = decode(details['threeDSResult'])?.['authorisationToken'] as string | undefined;
  return details['redirectResult'] ?? token ?? paymentData ?? '';
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

function decode(text: string | undefined): Record<string, unknown> | undefined {
  try {
    return JSON.parse(Buffer.from(text ?? '', 'base64').toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
