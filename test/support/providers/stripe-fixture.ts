import {
  type IncomingNotification,
  NotificationRefused,
  type PaymentProvider,
} from '@payment-orchestrator/provider-kit';
import {
  type PlayedAnswer,
  type ProviderFixture,
  systemContext,
  type WantedOutcome,
} from '@payment-orchestrator/provider-kit/testing';
import { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { parseSignedJson } from '../../../src/platform/http/body/json-body.js';
import { FakeStripe } from '../servers/fake-stripe.js';
import { signPayload } from '../servers/stripe/stripe-events.js';
import { heldIn, received, RETURN_URL } from './fixture-parts.js';
import { chargeRequest, CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from './stripe-requests.js';

const OTHER = { secret_key: 'sk_test_51qrstuvwxyzabcdef', webhook_secret: 'whsec_abcdefghij0123456789' };
const TOKENS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclinedLostCard',
  soft_declined: 'pm_card_visa_chargeDeclined',
  processing: 'pm_usBankAccount_success',
  next_action: 'pm_card_threeDSecure2Required',
};

const error = (status: number, fields: Record<string, string>): PlayedAnswer => ({
  status,
  body: { error: { type: 'invalid_request_error', message: 'Stripe does not do this.', ...fields } },
});

export async function stripeFixture(): Promise<ProviderFixture> {
  const fake = await FakeStripe.start();
  const { context, wire, close } = systemContext({ STRIPE_API_BASE: fake.url });
  const create = () => new StripeProvider({ ...context, parseJson: parseSignedJson });
  const account = fake.account(SECRET_KEY);
  const { ledger, events } = account;
  const signed = (event: object): IncomingNotification =>
    received(signPayload(JSON.stringify(event, null, 2), WEBHOOK_SECRET));
  const about = (reference: string) => events.all.filter((event) => JSON.stringify(event).includes(reference));
  return {
    provider: create(),
    wire,
    another: create,
    credentials: CREDENTIALS,
    secondAccount: { credentials: OTHER, held: heldIn(fake.account(OTHER.secret_key)) },
    revoked: { ...CREDENTIALS, secret_key: 'sk_test_51revokedrevoked' },
    // a capture or a cancellation that Stripe accepted is done
    lacks: ['capture_declined', 'void_declined'],
    answers: {
      key_in_use: error(409, { code: 'idempotency_key_in_use' }),
      key_of_another_call: error(400, { type: 'idempotency_error' }),
      rate_limit: error(429, { code: 'rate_limit' }),
      permission: error(403, {}),
      wrong_credentials: error(401, {}),
      refused_request: error(400, { code: 'parameter_invalid_empty', param: 'metadata' }),
      refused_state: error(400, { code: 'payment_intent_unexpected_state' }),
      unusable_method: error(400, { code: 'resource_missing', param: 'payment_method' }),
      not_found: error(404, { code: 'resource_missing', param: 'intent' }),
      outage: error(500, { type: 'api_error' }),
    },
    blocksUnknown: true,
    request: (wanted, fields) =>
      chargeRequest({ paymentMethod: { token: TOKENS[wanted] }, returnUrl: RETURN_URL, ...fields }),
    held: heldIn(account),
    settle: (_, { transactionId }) => Promise.resolve(ledger.settleIntent(transactionId!, 'succeeded')),
    notifications: (reference) => Promise.resolve(about(reference).map(signed)),
    sign: (body, signer) =>
      received(
        signer === 'no_one'
          ? { rawBody: Buffer.from(body), headers: {} }
          : signPayload(body, signer === 'this_shop' ? WEBHOOK_SECRET : OTHER.webhook_secret),
      ),
    later: {
      charge_declined: { play: ({ answer }) => ledger.settleIntent(answer.transactionId!, 'failed') },
      refund_declined: {
        fields: { paymentMethod: { token: 'pm_card_pendingRefund' } },
        play: ({ operationId }) => ledger.settleRefund(operationId!, 'failed'),
      },
      lapse: { play: ({ answer }) => ledger.expireIntent(answer.transactionId!) },
    },
    pageActions: {
      fields: { paymentMethod: { token: TOKENS.next_action, nextActionType: 'provider_action' } },
      approve({ transactionId }) {
        ledger.settleIntent(transactionId!, 'succeeded');
        return Promise.resolve({ payment_intent: transactionId! });
      },
    },
    dispute(_, { transactionId }) {
      const charge = [...ledger.charges.values()].find(({ payment_intent: intent }) => intent === transactionId);
      ledger.disputes.open(charge!);
      const disputes = events.all.filter(({ type }) => type.startsWith('charge.dispute.'));
      return Promise.resolve(disputes.filter((event) => JSON.stringify(event).includes(transactionId!)).map(signed));
    },
    async stop() {
      await close();
      await fake.close();
    },
  };
}

const ONLY_REQUIRED = {
  lookup: 'by_transaction_id',
  manualCapture: false,
  partialCapture: false,
  partialRefund: false,
  currencies: ['EUR'],
} as const;

/** Stripe with few capabilities, whose unsigned notifications only name transactions. */
export async function askingFixture(): Promise<ProviderFixture> {
  const fixture = await stripeFixture();
  const capabilities: PaymentProvider['capabilities'] = (credentials) => {
    const { operationLookup: _, ...others } = fixture.provider.capabilities(credentials);
    return { ...others, ...ONLY_REQUIRED };
  };
  const parseNotification: PaymentProvider['parseNotification'] = async ({ rawBody }) => {
    const ask = [...new Set(rawBody.toString().match(/\bpi_[a-z0-9]+\b/gi))];
    if (ask.length === 0) throw new NotificationRefused('validation_failed');
    return Promise.resolve({ events: [], ask });
  };
  const credentialFields = fixture.provider.credentialFields.filter(({ usedFor }) => usedFor === 'calls');
  const lacks = { capture: undefined, lookupOperation: undefined };
  const overrides = { capabilities, parseNotification, credentialFields, ...lacks };
  const provider = Object.assign(Object.create(fixture.provider) as PaymentProvider, overrides);
  for (const name of ['dispute', 'sign', 'another'] as const) delete fixture[name];
  return { ...fixture, provider, lacks: [...(fixture.lacks ?? []), 'dispute', 'saved_method', 'refund_declined'] };
}
