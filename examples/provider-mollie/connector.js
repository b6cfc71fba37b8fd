// A connector to Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api
import {
  credentialErrors,
  credentialFields,
  NotificationRefused,
  PORT_VERSION,
} from '@payment-orchestrator/provider-kit';
import { MollieApi, MollieRefusal, unavailableReason } from './api.js';
import {
  chargeAnswer,
  CURRENCIES,
  disputeEvent,
  mollieAmount,
  operationAnswer,
  referenceOf,
  restOf,
  stateOf,
  statusOf,
} from './payments.js';

const CREDENTIALS = {
  api_key: {
    pattern: /^(live|test)_\w{30,64}$/,
    takes: 'an API key of Mollie: live_ or test_ and at least 30 letters and digits',
    required: true,
  },
};

/** Mollie keeps keys for an hour; five minutes are left for a slow repeat. */
const IDEMPOTENCY_WINDOW_MS = 55 * 60_000;
/** How far Mollie's clock may be behind ours when a payment is searched by its time. */
const CLOCK_MARGIN_MS = 5 * 60_000;
const PAYMENT_ID = /^tr_\w{1,60}$/;

/** Fields of `payment_method.data` that are passed on: none of them changes the amount, the addresses or the reference. */
const METHOD_FIELDS = [
  'method',
  'issuer',
  'cardToken',
  'applePayPaymentToken',
  'customerId',
  'mandateId',
  'sequenceType',
];

/** Mollie's fields of a payment method; without any the payer chooses on Mollie's page. */
function methodOf({ token, data = {} } = {}) {
  const given = Object.fromEntries(METHOD_FIELDS.flatMap((name) => (name in data ? [[name, data[name]]] : [])));
  return { ...(token !== undefined && { method: 'creditcard', cardToken: token }), ...given };
}

class MollieProvider {
  portVersion = PORT_VERSION;
  name = 'mollie';
  /** A shop system or the dashboard makes payments under the same key; ours have our reference. */
  accountsAreShared = true;
  credentialFields = credentialFields(CREDENTIALS);

  constructor(api) {
    this.api = api;
  }

  capabilities() {
    return {
      lookup: 'by_transaction_id', // there is no search by metadata
      idempotencyWindowMs: IDEMPOTENCY_WINDOW_MS,
      choosesTransactionIds: true,
      manualCapture: true,
      partialCapture: true,
      partialRefund: true,
      operationLookup: ['capture', 'refund'],
      currencies: CURRENCIES,
    };
  }

  validateCredentials(credentials) {
    return credentialErrors('Mollie', CREDENTIALS, credentials);
  }

  async checkCredentials(credentials, signal) {
    try {
      if (await this.accountId(credentials, signal)) return { outcome: 'accepted' };
      return { outcome: 'unknown', reason: 'Mollie gave an answer without a profile' };
    } catch (error) {
      if (error instanceof MollieRefusal && error.status === 401)
        return { outcome: 'refused', errors: [{ field: 'api_key', message: 'is not a key that Mollie knows' }] };
      return { outcome: 'unknown', reason: unavailableReason(error) ?? 'Mollie gave no answer' };
    }
  }

  /** Card tokens and mandates are valid in one profile. */
  async accountId(credentials, signal) {
    const { id } = await this.api.call(credentials, 'GET', '/profiles/me', signal);
    return id;
  }

  async charge(request, signal) {
    const { value: amount, refusal, reason } = mollieAmount(request.amount, request.currency);
    if (refusal) return { outcome: 'soft_declined', declineCode: refusal, metadata: { reason } };
    const body = {
      ...methodOf(request.paymentMethod),
      amount,
      description: `Payment ${request.paymentId}`,
      redirectUrl: request.returnUrl,
      webhookUrl: request.notificationUrl,
      ...(request.capture === 'manual' && { captureMode: 'manual' }),
      metadata: { reference: request.reference, payment_id: request.paymentId },
    };
    const { credentials, idempotencyKey: key } = request;
    try {
      return chargeAnswer(
        await this.api.call(credentials, 'POST', '/payments', signal, { body, key }),
        request.capture,
      );
    } catch (error) {
      return notCharged(error);
    }
  }

  async lookup({ credentials, transactionId, reference }, signal) {
    if (transactionId === null) throw new Error('Mollie finds a payment only by its id');
    const payment = await this.api.payment(credentials, transactionId, signal);
    if (referenceOf(payment) !== reference) throw new Error('Mollie answered a payment of another reference');
    return stateOf(payment);
  }

  async findReference(transactionId, { credentials }, signal) {
    const payment = await this.find(credentials, transactionId, signal);
    return payment && referenceOf(payment);
  }

  async listCharges({ credentials }, since, after, signal) {
    const { payments, next } = await this.api.page(credentials, after, signal);
    const charges = payments
      .filter(({ createdAt }) => new Date(createdAt) >= since)
      .map((payment) => ({
        reference: referenceOf(payment) ?? null,
        paymentId: payment.metadata?.payment_id ?? null,
        transactionId: payment.id,
        status: statusOf(payment),
        amount: payment.amount.value,
        currency: payment.amount.currency,
        createdAt: new Date(payment.createdAt),
      }));
    return { charges, next: charges.length < payments.length ? null : next };
  }

  async void(request, signal) {
    return operation(async () => {
      const id = request.transactionId ?? (await this.search(request, signal));
      if (id === undefined) return { outcome: 'confirmed' }; // Mollie has no payment with the reference
      try {
        await this.api.call(request.credentials, 'DELETE', `/payments/${id}`, signal);
        return { outcome: 'confirmed' };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const payment = await this.api.payment(request.credentials, id, signal);
        const { status } = payment;
        if (['canceled', 'expired', 'failed'].includes(status)) return { outcome: 'confirmed' };
        // an unfinished payment that cannot be cancelled expires, or is paid
        const retryable = ['open', 'pending'].includes(status);
        const reason = `Mollie does not cancel a payment that is ${status}`;
        return { outcome: 'refused', reason, retryable, charge: stateOf(payment) };
      }
    });
  }

  capture(request, signal) {
    return operation(() => this.operate(request, 'captures', mollieAmount(request.amount, request.currency), signal));
  }

  refund(request, signal) {
    return operation(async () => {
      if (!request.isRest)
        return this.operate(request, 'refunds', mollieAmount(request.amount, request.currency), signal);
      const made = await this.made(request, 'refunds', signal);
      if (made) return operationAnswer(made);
      const value = restOf(await this.api.payment(request.credentials, request.transactionId, signal));
      return value ? this.operate(request, 'refunds', { value }, signal) : { outcome: 'confirmed' };
    });
  }

  /** A cancellation has no object at Mollie: the payment shows it. */
  async lookupOperation(request, signal) {
    const made = await this.made(request, `${request.kind}s`, signal);
    return made ? operationAnswer(made) : { outcome: 'not_found' };
  }

  /**
   * Mollie's webhook is not signed and only names the payment: the service looks it up. A look-up shows no chargeback,
   * so this asks Mollie for them.
   */
  async parseNotification({ rawBody }, credentials, signal) {
    const id = new URLSearchParams(rawBody.toString()).get('id');
    if (id === null || !PAYMENT_ID.test(id))
      throw new NotificationRefused('validation_failed', {
        errors: [{ field: 'id', message: 'must be the id of a payment, such as tr_7UhSN1zuXS' }],
      });
    const payment = await this.find(credentials, id, signal);
    const chargebacks = payment && referenceOf(payment) ? (payment._embedded?.chargebacks ?? []) : [];
    return { events: chargebacks.map((chargeback) => disputeEvent(payment, chargeback)), ask: [id] };
  }

  /** `undefined`: Mollie has no such payment in this profile and mode. */
  async find(credentials, id, signal) {
    try {
      return await this.api.payment(credentials, id, signal);
    } catch (error) {
      if (error instanceof MollieRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The id of the payment with the reference; payments are listed from the newest, so the attempt's time ends it. */
  async search({ credentials, reference, attemptedAt }, signal) {
    const since = attemptedAt.getTime() - CLOCK_MARGIN_MS;
    for (let from = null; ;) {
      const { payments, next } = await this.api.page(credentials, from, signal);
      const found = payments.find((payment) => referenceOf(payment) === reference);
      if (found) return found.id;
      const oldest = payments.at(-1);
      if (next === null || !oldest || new Date(oldest.createdAt).getTime() < since) return undefined;
      from = next;
    }
  }

  /** The capture or refund of an earlier call: by its id, or by the key in its metadata. */
  async made({ credentials, transactionId, operationId, idempotencyKey }, kind, signal) {
    const path = `/payments/${transactionId}/${kind}`;
    const { _embedded: embedded } = await this.api.call(credentials, 'GET', `${path}?limit=250`, signal);
    return embedded[kind].find(({ id, metadata }) => id === operationId || metadata?.key === idempotencyKey);
  }

  /** A refusal may be of a repeat after Mollie forgot the key, so an earlier call is looked for. */
  async operate(request, kind, { value: amount, reason }, signal) {
    if (!amount) return { outcome: 'refused', reason, retryable: false };
    const { credentials, transactionId, idempotencyKey: key } = request;
    const body = { amount, description: `Payment ${request.paymentId}`, metadata: { key } };
    try {
      const path = `/payments/${transactionId}/${kind}`;
      return operationAnswer(await this.api.call(credentials, 'POST', path, signal, { body, key }));
    } catch (error) {
      const made = isRefusal(error) && (await this.made(request, kind, signal));
      if (made) return operationAnswer(made);
      throw error;
    }
  }
}

/** Mollie processed the call and refused it. */
const isRefusal = (error) => error instanceof MollieRefusal && unavailableReason(error) === undefined;

/** The code of a refusal by its field. The shop's account is not to blame: that is 401 or 403. */
const REFUSED_FIELDS = {
  amount: 'invalid_amount',
  applePayPaymentToken: 'payment_method_unusable',
  cardToken: 'payment_method_unusable',
  customerId: 'payment_method_unusable',
  mandateId: 'payment_method_unusable',
};

/** Rethrows an error after which the outcome is unknown. */
function notCharged(error) {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof MollieRefusal)) throw error;
  const metadata = { reason: error.message };
  return { outcome: 'soft_declined', declineCode: REFUSED_FIELDS[error.field] ?? 'request_refused', metadata };
}

/** Rethrows an error after which the outcome is unknown. */
async function operation(call) {
  try {
    return await call();
  } catch (error) {
    const reason = unavailableReason(error);
    if (reason !== undefined) return { outcome: 'refused', reason, retryable: true, isUnavailable: true };
    if (error instanceof MollieRefusal) return { outcome: 'refused', reason: error.message, retryable: false };
    throw error;
  }
}

export default ({ http, settings }) =>
  new MollieProvider(new MollieApi(http, settings['MOLLIE_API_BASE'] ?? 'https://api.mollie.com'));
