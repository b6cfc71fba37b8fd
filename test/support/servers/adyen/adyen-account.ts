import paymentRequest from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import { AdyenLedger, type PaymentParams } from './adyen-ledger.js';
import { AdyenFault, type FakeStatus, type Money, newPspReference } from './adyen-objects.js';
import type { GivenPaymentMethod } from './adyen-methods.js';
import type { AdditionalDetails } from './adyen-steps.js';
import { AdyenTokenWebhooks, AdyenWebhooks } from './adyen-webhooks.js';

export interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

/** The fake's transaction of a payment, with the names of the provider port. */
export interface FakeTransaction {
  id: string;
  reference: string;
  status: FakeStatus;
  /** Minor units. */
  amount: number;
  currency: string;
  captured: number;
  refunded: number;
}

export interface AdyenCall {
  /** The path without the version, such as `/payments`. */
  path: string;
  body: Record<string, unknown>;
  key: string | undefined;
}

const { PaymentRequest } = paymentRequest;
/** Adyen refuses other fields. */
const FIELDS = new Set(PaymentRequest.getAttributeTypeMap().map(({ baseName }) => baseName));
const DETAILS_FIELDS = new Set(['details', 'paymentData']);
const MODIFICATION_FIELDS = new Set(['merchantAccount', 'amount', 'reference']);
const REQUIRED = ['amount', 'paymentMethod', 'reference'];

/** One merchant account: routes of the Checkout API and idempotency keys. */
export class AdyenAccount {
  readonly webhooks = new AdyenWebhooks();
  /** Another webhook of the account, with an endpoint of its own. */
  readonly tokenWebhooks = new AdyenTokenWebhooks();
  readonly ledger: AdyenLedger;
  /** `undefined` while the first call is in progress. */
  private readonly keys = new Map<string, Answer | undefined>();

  constructor(
    readonly name: string,
    pageUrl: (pspReference: string) => string,
  ) {
    this.ledger = new AdyenLedger(
      name,
      this.webhooks.emit,
      (eventId, stored) => this.tokenWebhooks.emit(name, eventId, stored),
      pageUrl,
    );
  }

  /**
   * `during` runs after the call took effect and before its answer is sent. It may replace the sent answer, not the
   * stored one.
   */
  async handle(call: AdyenCall, during: (answer: Answer) => Promise<Answer>): Promise<Answer> {
    const { key } = call;
    if (key === undefined) return during(this.execute(call));
    if (key.length > 64) return faultAnswer(new AdyenFault(422, '702', 'Idempotency-Key is too long'));
    if (this.keys.has(key)) return this.replay(key);
    this.keys.set(key, undefined);
    const answer = this.execute(call);
    const sent = await during(answer);
    this.keys.set(key, answer);
    return { ...sent, headers: { ...sent.headers, 'idempotency-key': key } };
  }

  /** Forgets the keys, as Adyen may after a week. */
  forgetKeys(): void {
    this.keys.clear();
  }

  stop(): void {
    this.webhooks.stop();
    this.tokenWebhooks.stop();
  }

  transactions(): FakeTransaction[] {
    return this.ledger.payments.map(({ pspReference: id, reference, status, amount, captured, refunded }) => ({
      id,
      reference,
      status,
      amount: amount.value,
      currency: amount.currency,
      captured,
      refunded,
    }));
  }

  private replay(key: string): Answer {
    const answer = this.keys.get(key);
    if (answer) return { ...answer, headers: { ...answer.headers, 'idempotency-key': key } };
    const fault = new AdyenFault(422, '704', 'request already processed or in progress');
    return { ...faultAnswer(fault), headers: { 'transient-error': 'true' } };
  }

  private execute({ path, body }: AdyenCall): Answer {
    try {
      return structuredClone(this.route(path, body));
    } catch (error) {
      if (error instanceof AdyenFault) return faultAnswer(error);
      throw error;
    }
  }

  private route(path: string, body: Record<string, unknown>): Answer {
    if (path === '/payments') return { status: 200, body: this.ledger.createPayment(paymentParams(body)) };
    if (path === '/paymentMethods')
      return { status: 200, body: { paymentMethods: [{ name: 'Cards', type: 'scheme' }] } };
    if (path === '/payments/details') {
      refuseUnknown(body, DETAILS_FIELDS);
      return { status: 200, body: this.ledger.submitDetails(body as unknown as AdditionalDetails) };
    }
    if (path === '/cancels') {
      const paymentReference = String(body['paymentReference']);
      return this.received(this.ledger.cancelByReference(paymentReference), body, { paymentReference });
    }
    const [, stored] = /^\/storedPaymentMethods\/(\w+)$/.exec(path) ?? [];
    if (stored !== undefined) return this.ledger.removeMethod(stored);
    return this.modify(path, body);
  }

  private modify(path: string, body: Record<string, unknown>): Answer {
    const [, paymentPspReference = '', action] = /^\/payments\/(\w+)\/(cancels|captures|refunds)$/.exec(path) ?? [];
    if (action === undefined) throw new AdyenFault(404, '000', `no such path: ${path}`);
    const payment = this.ledger.find(paymentPspReference);
    if (action === 'cancels') {
      return this.received(this.ledger.cancel('CANCELLATION', payment), body, { paymentPspReference });
    }
    const amount = modificationAmount(body);
    const change = action === 'captures' ? this.ledger.capture(payment, amount) : this.ledger.refund(payment, amount);
    return this.received(change, body, { paymentPspReference, amount });
  }

  private received(pspReference: string, { reference }: Record<string, unknown>, fields: object): Answer {
    const body = { merchantAccount: this.name, pspReference, reference, status: 'received', ...fields };
    return { status: 201, body };
  }
}

export const faultAnswer = (fault: AdyenFault): Answer => ({
  status: fault.status,
  body: fault.body,
  headers: { pspreference: newPspReference() },
});

/** Refuses at once what is no amount; a notification reports an amount that is too large. */
function modificationAmount(body: Record<string, unknown>): Money {
  refuseUnknown(body, MODIFICATION_FIELDS);
  const amount = body['amount'] as Partial<Money> | undefined;
  if (amount === undefined) throw new AdyenFault(422, '100', "Required field 'amount' is not provided.");
  const { value, currency } = amount;
  if (!Number.isInteger(value) || Number(value) <= 0) throw new AdyenFault(422, '137', 'Invalid amount specified');
  if (currency === undefined) throw new AdyenFault(422, '138', 'Unsupported currency specified');
  return { value: Number(value), currency };
}

function refuseUnknown(body: Record<string, unknown>, known: ReadonlySet<string>): void {
  const unknown = Object.keys(body).find((name) => !known.has(name));
  if (unknown) throw new AdyenFault(400, '702', `Unrecognized field: ${unknown}`);
}

function paymentParams(body: Record<string, unknown>): PaymentParams {
  refuseUnknown(body, FIELDS);
  const missing = REQUIRED.find((name) => body[name] === undefined);
  if (missing) throw new AdyenFault(422, '100', `Required field '${missing}' is not provided.`);
  if (typeof body['returnUrl'] !== 'string') throw new AdyenFault(422, '14_030', 'Return URL is missing.');
  const { storedPaymentMethodId } = body['paymentMethod'] as GivenPaymentMethod;
  const isRecurring = storedPaymentMethodId !== undefined || body['storePaymentMethod'] === true;
  if (isRecurring && typeof body['shopperReference'] !== 'string') {
    throw new AdyenFault(422, '14_018', "Required field 'shopperReference' is not provided");
  }
  const { value, currency } = body['amount'] as Money;
  if (!Number.isInteger(value) || value < 0) throw new AdyenFault(422, '137', 'Invalid amount specified');
  if (currency === 'XYZ') throw new AdyenFault(422, '138', 'Unsupported currency specified');
  return body as unknown as PaymentParams;
}
