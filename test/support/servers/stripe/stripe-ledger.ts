import { randomBytes } from 'node:crypto';
import { textOf } from './form.js';
import { StripeMethods } from './stripe-methods.js';
import { StripeDisputes } from './stripe-disputes.js';
import {
  type Behaviour,
  type FakeCharge,
  type FakeIntent,
  type FakeRefund,
  invalidRequest,
  MAGIC_TOKENS,
  StripeFault,
  type StripeErrorFields,
  TEST_CARD,
} from './stripe-objects.js';
import { amountOf, checkNames, type Emit, newId, now, type Params } from './stripe-params.js';

/** States that can be canceled; Stripe also cancels `processing` "in rare cases". */
const CANCELABLE = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture']);
const CREATE_PARAMS = new Set(
  'amount currency payment_method confirm capture_method metadata automatic_payment_methods return_url error_on_requires_action use_stripe_sdk customer setup_future_usage off_session statement_descriptor statement_descriptor_suffix'.split(
    ' ',
  ),
);
const CAPTURE_PARAMS = new Set(['amount_to_capture']);
const REFUND_PARAMS = new Set(['payment_intent', 'amount', 'metadata']);
const HOLD_SECONDS = 7 * 86_400;

/** The first step of 3-D Secure 2 by Stripe.js, which names its own source. */
const FINGERPRINT = { type: 'stripe_3ds2_fingerprint', directory_server_name: 'visa', three_ds_method_url: '' };

/** The money of the fake: one account's intents, charges, refunds and disputes, and the rules of their changes. */
export class StripeLedger {
  readonly intents = new Map<string, FakeIntent>();
  readonly charges = new Map<string, FakeCharge>();
  readonly refunds = new Map<string, FakeRefund>();
  readonly disputes: StripeDisputes;
  /** By token; overrides the magic ones. */
  readonly tokens = new Map<string, Behaviour>();
  readonly methods = new StripeMethods(this.intents);

  constructor(
    private readonly emit: Emit,
    private readonly pageUrl: (intentId: string) => string,
  ) {
    this.disputes = new StripeDisputes(emit);
  }

  createIntent(params: Params): FakeIntent {
    checkNames(params, CREATE_PARAMS);
    const intent = this.newIntent(params);
    const token = params['payment_method'];
    const behaviour = typeof token === 'string' ? this.behaviourOf(token) : undefined;
    this.intents.set(intent.id, intent);
    this.emit('payment_intent.created', intent);
    if (params['confirm'] !== 'true') return intent;
    if (!behaviour) throw invalidRequest('A payment method is needed to confirm', { param: 'payment_method' });
    this.methods.check(token as string, params);
    const isNew = intent.setup_future_usage !== null && this.methods.ownerOf(token as string) === undefined;
    intent.payment_method = isNew ? this.copyOf(behaviour) : (token as string);
    this.confirm(intent, behaviour, params);
    return intent;
  }

  /** Stripe captures once and releases the rest. */
  captureIntent(id: string, params: Params = {}): FakeIntent {
    checkNames(params, CAPTURE_PARAMS);
    const intent = this.intent(id);
    if (intent.status !== 'requires_capture') throw unexpectedState('captured', intent);
    const { amount_to_capture: given } = params;
    const amount =
      given === undefined ? intent.amount_capturable : amountOf(given, intent.currency, 'amount_to_capture');
    if (amount > intent.amount_capturable) {
      const message = 'The requested capture amount is greater than the amount you can capture.';
      throw invalidRequest(message, { code: 'amount_too_large', param: 'amount_to_capture' });
    }
    const charge = this.chargeOf(intent);
    Object.assign(charge, { captured: true, amount_captured: amount });
    Object.assign(intent, { status: 'succeeded', amount_received: amount, amount_capturable: 0 });
    this.emit('charge.captured', charge);
    this.emit('payment_intent.succeeded', intent);
    this.openDispute(intent, charge);
    return intent;
  }

  cancelIntent(id: string): FakeIntent {
    const intent = this.intent(id);
    if (!CANCELABLE.has(intent.status)) throw unexpectedState('canceled', intent);
    return this.cancel(intent, null);
  }

  /** An authorisation lapses: Stripe cancels the intent by itself, since 2025-03-31.basil with this reason. */
  expireIntent(id: string): void {
    const intent = this.intent(id);
    if (intent.status !== 'requires_capture') throw new Error(`an intent never lapses in ${intent.status}`);
    this.emit('charge.expired', this.chargeOf(intent));
    this.cancel(intent, 'expired');
  }

  createRefund(params: Params): FakeRefund {
    checkNames(params, REFUND_PARAMS);
    const intent = this.intent(textOf(params['payment_intent']), 400);
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (charge?.status !== 'succeeded' || !charge.captured)
      throw invalidRequest('This PaymentIntent does not have a successful charge to refund.');
    const rest = charge.amount_captured - charge.amount_refunded;
    if (rest === 0) {
      throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
    }
    if (this.disputes.blocksRefund(charge)) {
      throw invalidRequest(`Charge ${charge.id} has been charged back.`, { code: 'charge_disputed' });
    }
    const amount = params['amount'] === undefined ? rest : amountOf(params['amount'], charge.currency);
    if (amount > rest) {
      const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${rest})`;
      throw invalidRequest(message, { param: 'amount' });
    }
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
        if (intent.capture_method === 'manual') {
          const message = 'The payment method type cannot be captured manually.';
          const code = 'payment_intent_incompatible_payment_method';
          throw invalidRequest(message, { code, param: 'payment_method' });
        }
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
    const returnUrl = params['use_stripe_sdk'] === 'true' ? undefined : params['return_url'];
    intent.status = 'requires_action';
    intent.next_action =
      typeof returnUrl === 'string'
        ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: this.pageUrl(intent.id) } }
        : { type: 'use_stripe_sdk', use_stripe_sdk: { ...FINGERPRINT, three_d_secure_2_source: newId('payatt') } };
    this.emit('payment_intent.requires_action', intent);
  }

  private succeed(intent: FakeIntent): void {
    const charge = this.addCharge(intent, 'succeeded');
    this.emit('charge.succeeded', charge);
    if (!charge.captured) {
      Object.assign(intent, { status: 'requires_capture', amount_capturable: intent.amount });
      this.emit('payment_intent.amount_capturable_updated', intent);
      return;
    }
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    this.emit('payment_intent.succeeded', intent);
    this.openDispute(intent, charge);
  }

  private openDispute(intent: FakeIntent, charge: FakeCharge): void {
    const behaviour = this.behaviourOf(intent.payment_method ?? '');
    if (behaviour.charge === 'succeeds' && behaviour.dispute) this.disputes.open(charge, behaviour.dispute);
  }

  private cancel(intent: FakeIntent, reason: string | null): FakeIntent {
    const changes = { status: 'canceled', canceled_at: now(), next_action: null, amount_capturable: 0 } as const;
    Object.assign(intent, changes, { cancellation_reason: reason });
    this.emit('payment_intent.canceled', intent);
    return intent;
  }

  private decline(intent: FakeIntent, error: Partial<StripeErrorFields>): StripeErrorFields {
    const charge = this.addCharge(intent, 'failed');
    const fields: StripeErrorFields = {
      type: 'card_error',
      message: 'Your card was declined.',
      charge: charge.id,
      payment_method: { id: intent.payment_method, object: 'payment_method', type: 'card', card: TEST_CARD },
      ...error,
    };
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: fields });
    this.emit('charge.failed', charge);
    this.emit('payment_intent.payment_failed', intent);
    return { ...fields, payment_intent: { ...intent } };
  }

  private addCharge(intent: FakeIntent, status: 'succeeded' | 'failed'): FakeCharge {
    const isPaid = status === 'succeeded';
    const isManual = intent.capture_method === 'manual';
    const isCaptured = isPaid && !isManual;
    const charge: FakeCharge = {
      id: newId('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_captured: isCaptured ? intent.amount : 0,
      amount_refunded: 0,
      refunded: false,
      paid: isPaid,
      captured: isCaptured,
      disputed: false,
      status,
      currency: intent.currency,
      payment_intent: intent.id,
      payment_method_details: isPaid ? this.detailsOf(intent, isManual) : null,
      metadata: { ...intent.metadata },
      created: now(),
      livemode: false,
      billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    return charge;
  }

  private detailsOf(intent: FakeIntent, isManual: boolean): FakeCharge['payment_method_details'] {
    const behaviour = this.behaviourOf(intent.payment_method ?? '');
    const { holdsSeconds = HOLD_SECONDS } = behaviour.charge === 'succeeds' ? behaviour : {};
    const isKnown = isManual && holdsSeconds !== null;
    const card = { ...TEST_CARD, network_transaction_id: '584000000000001' };
    return { type: 'card', card: { ...card, ...(isKnown && { capture_before: now() + holdsSeconds }) } };
  }

  private chargeOf(intent: FakeIntent): FakeCharge {
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (!charge) throw new Error(`${intent.id} has no charge`);
    return charge;
  }

  /** Stripe counts pending refunds, too. */
  private count(charge: FakeCharge): void {
    const counted = [...this.refunds.values()].filter(
      (refund) => refund.charge === charge.id && refund.status !== 'failed' && refund.status !== 'canceled',
    );
    charge.amount_refunded = counted.reduce((sum, { amount }) => sum + amount, 0);
    charge.refunded = charge.amount_refunded === charge.amount_captured;
  }

  private behaviourOf(token: string): Behaviour {
    const behaviour = this.tokens.get(token) ?? MAGIC_TOKENS[token];
    if (behaviour) return behaviour;
    throw invalidRequest(`No such PaymentMethod: '${token}'`, { code: 'resource_missing', param: 'payment_method' });
  }

  /** A charge with a magic token uses a new PaymentMethod, like Stripe. */
  private copyOf(behaviour: Behaviour): string {
    const id = newId('pm');
    this.tokens.set(id, behaviour);
    return id;
  }

  private newIntent(params: Params): FakeIntent {
    const currency = textOf(params['currency']);
    const id = newId('pi');
    return {
      id,
      object: 'payment_intent',
      amount: amountOf(params['amount'], currency),
      amount_capturable: 0,
      amount_received: 0,
      currency,
      status: 'requires_payment_method',
      metadata: (params['metadata'] ?? {}) as Record<string, string>,
      latest_charge: null,
      last_payment_error: null,
      next_action: null,
      payment_method: null,
      customer: params['customer'] === undefined ? null : textOf(params['customer']),
      setup_future_usage: params['setup_future_usage'] === undefined ? null : textOf(params['setup_future_usage']),
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

function unexpectedState(change: 'captured' | 'canceled', intent: FakeIntent): StripeFault {
  const message = `This PaymentIntent could not be ${change} because it has a status of ${intent.status}.`;
  return invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: { ...intent } });
}
