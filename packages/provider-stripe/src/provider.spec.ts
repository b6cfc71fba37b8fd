import { describe, expect, it } from '@jest/globals';
import type { ApiClient } from '@payment-orchestrator/provider-kit';
import { chargeRequest, systemContext } from '@payment-orchestrator/provider-kit/testing';
import { StripeProvider } from './provider.js';

interface Answer {
  status: number;
  body: object | string;
}

const CREDENTIALS = { secret_key: 'sk_test_51abcdefghijklmnop' };
const signal = AbortSignal.timeout(60_000);

/** An adapter whose calls get the answer to their method and path. */
function stripeAnswering(answerTo: (call: string) => Answer): StripeProvider {
  const call: ApiClient['call'] = ({ method, url }) => {
    const { status, body } = answerTo(`${method} ${url.pathname}`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return Promise.resolve({ statusCode: status, headers: {}, body: Buffer.from(text) });
  };
  const { context } = systemContext({ STRIPE_API_BASE: 'http://stripe.invalid' });
  return new StripeProvider({ ...context, http: { call } });
}

const request = chargeRequest({ credentials: CREDENTIALS, paymentMethod: { token: 'pm_1' } });
const made = { ...request, transactionId: 'pi_1', idempotencyKey: 'key' };
const intent = (fields: object) => ({
  id: 'pi_1',
  object: 'payment_intent',
  amount: 10_010,
  amount_received: 0,
  currency: 'eur',
  created: 1_790_000_000,
  metadata: { reference: request.reference },
  latest_charge: null,
  last_payment_error: null,
  client_secret: 'pi_1_secret_1',
  payment_method: 'pm_1',
  ...fields,
});
const error = (status: number, fields: object): Answer => ({ status, body: { error: { message: 'm', ...fields } } });

const CALLS: Readonly<Record<string, (provider: StripeProvider) => Promise<unknown>>> = {
  charge: (provider) => provider.charge(request, signal),
  'charge that saves': (provider) => provider.charge({ ...request, save: true }, signal),
  completeAction: (provider) => provider.completeAction(made, {}, signal),
  lookup: (provider) => provider.lookup(made, signal),
  capture: (provider) => provider.capture({ ...made, authorizedAmount: made.amount }, signal),
  void: (provider) => provider.void(made, signal),
  'void without an id': (provider) => provider.void({ ...made, transactionId: null }, signal),
  refund: (provider) => provider.refund({ ...made, reason: undefined }, signal),
  lookupOperation: (provider) => provider.lookupOperation({ ...made, kind: 'refund', operationId: null }, signal),
  listCharges: (provider) => provider.listCharges({ credentials: CREDENTIALS }, new Date(), null, signal),
  accountId: (provider) => provider.accountId(CREDENTIALS, signal),
  detach: (provider) => provider.detach({ token: 'pm_1', credentials: CREDENTIALS }, signal),
};

const NO_ANSWERS: [name: string, body: string][] = [
  ['no body', ''],
  ['an empty object', '{}'],
  ['another object', '{"object":"event","id":"evt_1"}'],
  ['a list without data', '{"object":"list"}'],
  ['a page', '<html></html>'],
];

describe('StripeProvider', () => {
  describe.each(NO_ANSWERS)('after a 200 with %s', (_name, body) => {
    const provider = stripeAnswering(() => ({ status: 200, body }));

    it.each(Object.keys(CALLS))('rejects without an outcome: %s', async (call) => {
      await expect(CALLS[call]!(provider)).rejects.toThrow();
    });

    it('accepts no credentials', async () => {
      expect(await provider.checkCredentials(CREDENTIALS, signal)).toMatchObject({ outcome: 'unknown' });
    });
  });

  it('accepts credentials after a list', async () => {
    const provider = stripeAnswering(() => ({ status: 200, body: { object: 'list', data: [] } }));
    expect(await provider.checkCredentials(CREDENTIALS, signal)).toEqual({ outcome: 'accepted' });
  });

  it('says which permission is missing to save a payment method, without an outage', async () => {
    const provider = stripeAnswering((call) =>
      call === 'POST /v1/customers'
        ? error(403, { type: 'invalid_request_error', code: 'more_permissions_required' })
        : { status: 200, body: intent({ status: 'succeeded' }) },
    );
    expect(await provider.charge({ ...request, save: true }, signal)).toEqual({
      outcome: 'soft_declined',
      declineCode: 'permission_missing',
      metadata: { reason: 'Stripe answered 403 more_permissions_required to creating a Customer' },
    });
    expect(await provider.charge(request, signal)).toMatchObject({ outcome: 'approved' });
  });

  it.each(['requires_payment_method', 'requires_confirmation', 'processing', 'succeeded'])(
    'rejects without an outcome while the call under the key is under way and the intent is %s',
    async (status) => {
      const found = intent({ status });
      const provider = stripeAnswering((call) => {
        if (call.startsWith('POST')) return error(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
        const isSearch = call.endsWith('/search');
        return { status: 200, body: isSearch ? { object: 'search_result', data: [found], has_more: false } : found };
      });
      await expect(provider.charge(request, signal)).rejects.toMatchObject({ statusCode: 409 });
    },
  );

  it('rejects without an outcome if an intent was not confirmed', async () => {
    const body = intent({ status: 'requires_payment_method' });
    const provider = stripeAnswering(() => ({ status: 200, body }));
    await expect(provider.charge(request, signal)).rejects.toThrow('not confirmed');
    await expect(provider.completeAction(made, {}, signal)).rejects.toThrow('not confirmed');
    expect(await provider.lookup(made, signal)).toMatchObject({ status: 'open' });
  });
});
