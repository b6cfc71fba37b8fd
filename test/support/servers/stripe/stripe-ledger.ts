import { randomBytes } from 'node:crypto';
import { type FormValue, textOf } from './form.js';
import {
  type Behaviour,
  type FakeCharge,
  type FakeIntent,
  type FakeRefund,
  invalidRequest,
  MAGIC_TOKENS,
  StripeFault,
  type StripeErrorFields,
} from './stripe-objects.js';

type Params = Record<string, FormValue>;
type Emit = (type: string, object: object) => void;

const CANCELABLE = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action', 'processing']);
const CREATE_PARAMS = new Set(
  'amount currency payment_method confirm capture_method metadata automatic_payment_methods return_url error_on_requires_action'.split(
    ' ',
  ),
);
const WHOLE_HUNDREDS = new Set(['isk', 'ugx']);
const WHOLE_TENS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
const now = (): number => Math.floor(Date.now() / 1_000);

/** The money of the fake: one account's intents, charges and refunds, and the rules of their changes. */
export class StripeLedger {
  readonly intents = new Map<string, FakeIntent>();
  readonly charges = new Map<string, FakeCharge>();
  readonly refunds = new Map<string, FakeRefund>();
  /** By token; overrides the magic ones. */
  readonly tokens = new Map<string, Behaviour>();

  constructor(
    private readonly emit: Emit,
    private readonly pageUrl: (intentId: string) => string,
  ) {}

  createIntent(params: Params): FakeIntent {
    const unknown = Object.keys(params).find((name) => !CREATE_PARAMS.has(name));
    if (unknown)
      throw invalidRequest(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
    const intent = this.newIntent(params);
    const token = params['payment_method'];
    const behaviour = typeof token === 'string' ? this.behaviourOf(token) : undefined;
    this.intents.set(intent.id, intent);
    this.emit('payment_intent.created', intent);
    if (params['confirm'] !== 'true') return intent;
    if (!behaviour) throw invalidRequest('A payment method is needed to confirm', { param: 'payment_method' });
    intent.payment_method = token as string;
    this.confirm(intent, behaviour, params);
    return intent;
  }

  cancelIntent(id: string): FakeIntent {
    const intent = this.intent(id);
    if (!CANCELABLE.has(intent.status) || intent.status === 'processing') {
      const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
      throw invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: { ...intent } });
    }
    Object.assign(intent, { status: 'canceled', canceled_at: now(), next_action: null });
    this.emit('payment_intent.canceled', intent);
    return intent;
  }

  createRefund(params: Params): FakeRefund {
    const intent = this.intent(textOf(params['payment_intent']), 400);
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (charge?.status !== 'succeeded')
      throw invalidRequest('This PaymentIntent does not have a successful charge to refund.');
    const remaining = charge.amount - charge.amount_refunded;
    if (remaining === 0) {
      throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
    }
    const amount = params['amount'] === undefined ? remaining : Number(params['amount']);
    if (amount > remaining)
      throw invalidRequest('Refund amount is greater than unrefunded amount', { param: 'amount' });
    const behaviour = this.behaviourOf(intent.payment_method ?? '');
    const begins = behaviour.charge === 'succeeds' ? behaviour.refund : undefined;
    const refund: FakeRefund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency: charge.currency,
      status: begins === 'pending' || begins === 'requires_action' ? begins : 'succeeded',
      charge: charge.id,
      payment_intent: intent.id,
      metadata: (params['metadata'] ?? {}) as Record<string, string>,
      created: now(),
    };
    this.refunds.set(refund.id, refund);
    this.count(charge);
    this.emit('refund.created', refund);
    this.emit('charge.refunded', charge);
    return refund;
  }

  /** Ends a pending refund, or lets a succeeded one fail later. */
  settleRefund(id: string, status: 'succeeded' | 'failed' | 'canceled'): void {
    const refund = this.refund(id);
    const mayBe = { pending: ['succeeded', 'failed'], requires_action: ['succeeded', 'failed', 'canceled'] };
    const ways: Partial<Record<FakeRefund['status'], string[]>> = { ...mayBe, succeeded: ['failed'] };
    if (!ways[refund.status]?.includes(status))
      throw new Error(`a refund never goes from ${refund.status} to ${status}`);
    Object.assign(refund, { status, ...(status === 'failed' && { failure_reason: 'expired_or_canceled_card' }) });
    const charge = this.charges.get(refund.charge);
    if (charge) this.count(charge);
    if (status === 'failed') this.emit('refund.failed', refund);
    this.emit('refund.updated', refund);
    this.emit('charge.refund.updated', refund);
  }

  refund(id: string): FakeRefund {
    const refund = this.refunds.get(id);
    if (refund) return refund;
    throw invalidRequest(`No such refund: '${id}'`, { code: 'resource_missing', param: 'refund' }, 404);
  }

  /** Ends an intent that is `processing` or waits for the payer. */
  settleIntent(id: string, outcome: 'succeeded' | 'failed', code = 'payment_intent_authentication_failure'): void {
    const intent = this.intent(id);
    if (intent.status !== 'processing' && intent.status !== 'requires_action') return;
    intent.next_action = null;
    if (outcome === 'succeeded') return this.succeed(intent);
    this.decline(intent, { code, message: 'The payment failed.' });
  }

  intent(id: string, status = 404): FakeIntent {
    const intent = this.intents.get(id);
    if (intent) return intent;
    throw invalidRequest(`No such payment_intent: '${id}'`, { code: 'resource_missing', param: 'intent' }, status);
  }

  private confirm(intent: FakeIntent, behaviour: Behaviour, params: Params): void {
    switch (behaviour.charge) {
      case 'succeeds':
        return this.succeed(intent);
      case 'processes':
        intent.status = 'processing';
        this.emit('payment_intent.processing', intent);
        return;
      case 'authenticates':
        return this.authenticate(intent, params);
      case 'declined':
        throw new StripeFault(402, this.decline(intent, behaviour.error));
    }
  }

  private authenticate(intent: FakeIntent, params: Params): void {
    if (params['error_on_requires_action'] === 'true') {
      const code = 'authentication_required';
      throw new StripeFault(402, this.decline(intent, { code, decline_code: 'authentication_not_handled' }));
    }
    const { return_url: returnUrl } = params;
    intent.status = 'requires_action';
    intent.next_action =
      typeof returnUrl === 'string'
        ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: this.pageUrl(intent.id) } }
        : { type: 'use_stripe_sdk' };
    this.emit('payment_intent.requires_action', intent);
  }

  private succeed(intent: FakeIntent): void {
    const charge = this.addCharge(intent, 'succeeded');
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    this.emit('charge.succeeded', charge);
    this.emit('payment_intent.succeeded', intent);
  }

  private decline(intent: FakeIntent, error: Partial<StripeErrorFields>): StripeErrorFields {
    const charge = this.addCharge(intent, 'failed');
    const fields: StripeErrorFields = {
      type: 'card_error',
      message: 'Your card was declined.',
      charge: charge.id,
      ...error,
    };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: fields });
    this.emit('charge.failed', charge);
    this.emit('payment_intent.payment_failed', intent);
    return { ...fields, payment_intent: { ...intent } };
  }

  private addCharge(intent: FakeIntent, status: 'succeeded' | 'failed'): FakeCharge {
    const isPaid = status === 'succeeded';
    const charge: FakeCharge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_captured: isPaid ? intent.amount : 0,
      amount_refunded: 0,
      refunded: false,
      paid: isPaid,
      captured: isPaid,
      disputed: false,
      status,
      currency: intent.currency,
      payment_intent: intent.id,
      metadata: { ...intent.metadata },
      created: now(),
      livemode: false,
      billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    return charge;
  }

  /** Stripe counts pending refunds, too. */
  private count(charge: FakeCharge): void {
    const counted = [...this.refunds.values()].filter(
      (refund) => refund.charge === charge.id && refund.status !== 'failed' && refund.status !== 'canceled',
    );
    charge.amount_refunded = counted.reduce((sum, { amount }) => sum + amount, 0);
    charge.refunded = charge.amount_refunded === charge.amount;
  }

  private behaviourOf(token: string): Behaviour {
    const behaviour = this.tokens.get(token) ?? MAGIC_TOKENS[token];
    if (behaviour) return behaviour;
    throw invalidRequest(`No such PaymentMethod: '${token}'`, { code: 'resource_missing', param: 'payment_method' });
  }

  private newIntent(params: Params): FakeIntent {
    const currency = textOf(params['currency']);
    const id = newId('pi');
    return {
      id,
      object: 'payment_intent',
      amount: amountOf(params['amount'], currency),
      amount_received: 0,
      currency,
      status: 'requires_payment_method',
      metadata: (params['metadata'] ?? {}) as Record<string, string>,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      payment_method: null,
      cancellation_reason: null,
      canceled_at: null,
      capture_method: textOf(params['capture_method']) || 'automatic_async',
      confirmation_method: 'automatic',
      client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
      created: now(),
      livemode: false,
      payment_method_types: ['card'],
    };
  }
}

function amountOf(text: FormValue | undefined, currency: string): number {
  const amount = Number(text);
  const step = WHOLE_HUNDREDS.has(currency) ? 100 : WHOLE_TENS.has(currency) ? 10 : 1;
  if (!Number.isInteger(amount))
    throw invalidRequest(`Invalid integer: ${textOf(text)}`, { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount < 1) throw invalidRequest('Amount must be at least 1', { code: 'amount_too_small', param: 'amount' });
  if (amount > 99_999_999)
    throw invalidRequest('Amount must be no more than 99999999', { code: 'amount_too_large', param: 'amount' });
  if (amount % step > 0) throw invalidRequest(`Invalid amount in ${currency}`, { param: 'amount' });
  if (currency === 'xyz') throw invalidRequest('Invalid currency: xyz', { param: 'currency' });
  return amount;
}
