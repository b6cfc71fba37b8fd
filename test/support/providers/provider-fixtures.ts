import { randomUUID } from 'node:crypto';
import type {
  ChargeRequest,
  IncomingNotification,
  PaymentProvider,
  SignedRequest,
} from '@payment-orchestrator/provider-kit';
import type { Held, ProviderFixture, WantedOutcome } from '@payment-orchestrator/provider-kit/testing';
import { OwnAddress } from '../../../src/providers/connectors/own-address.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi } from '../app/api-app.js';
import { Merchant, NOTIFICATION_SECRET } from '../app/merchant.js';
import { signItems } from '../servers/adyen/adyen-webhooks.js';
import { FakeAdyen } from '../servers/fake-adyen.js';
import { FakeStripe } from '../servers/fake-stripe.js';
import { startReceiver } from '../servers/receiver.js';
import { signEvent } from '../servers/stripe/stripe-events.js';
import {
  ADYEN_CREDENTIALS,
  adyenAt,
  adyenCharge,
  card,
  CHALLENGED,
  collected,
  handleAction,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
} from './adyen-requests.js';
import { replaceSettings } from './shared-provider-api.js';
import { chargeRequest, CREDENTIALS, SECRET_KEY, soon, stripeAt, WEBHOOK_SECRET } from './stripe-requests.js';

/** A notification as our route hands it to the adapter. */
const received = (signed: SignedRequest): IncomingNotification => ({ ...signed, shopId: 1, query: {} });

const RETURN_URL = 'https://shop.example/back';
/** A closed port. */
const NOWHERE = 'http://127.0.0.1:1';
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, KWD: 3 };

interface MinorTransaction {
  reference: string | undefined;
  status: Held['status'];
  amount: number;
  currency: string;
}

const inUnits = ({ status, amount, currency }: MinorTransaction): Held => {
  const code = currency.toUpperCase();
  return { status, amount: String(amount / 10 ** DIGITS[code]!), currency: code };
};

const heldIn =
  (transactions: () => MinorTransaction[]) =>
  (reference: string): Promise<Held[]> =>
    Promise.resolve(
      transactions()
        .filter((one) => one.reference === reference)
        .map(inUnits),
    );

const STRIPE_TOKENS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclinedLostCard',
  soft_declined: 'pm_card_visa_chargeDeclined',
  processing: 'pm_usBankAccount_success',
  next_action: 'pm_card_threeDSecure2Required',
};

export async function stripeFixture(): Promise<ProviderFixture> {
  const fake = await FakeStripe.start();
  const { provider, http } = stripeAt(fake.url);
  const cut = stripeAt(NOWHERE);
  const { ledger, events } = fake.account(SECRET_KEY);
  const signed = (event: (typeof events.all)[number]) => received(signEvent(event, WEBHOOK_SECRET));
  const about = (reference: string) => events.all.filter((event) => JSON.stringify(event).includes(reference));
  return {
    provider,
    credentials: CREDENTIALS,
    blocksUnknown: true,
    request: (wanted, fields) =>
      chargeRequest({ paymentMethod: { token: STRIPE_TOKENS[wanted] }, returnUrl: RETURN_URL, ...fields }),
    held: heldIn(() => fake.transactions()),
    loseAnswer: () => fake.injectFault({ when: 'after', what: 'reset' }),
    chargeUnsent: (request) => cut.provider.charge(request, soon()),
    settle: (_, { transactionId }) => Promise.resolve(ledger.settleIntent(transactionId!, 'succeeded')),
    notifications: (reference) => Promise.resolve(about(reference).map(signed)),
    pageActions: {
      fields: { paymentMethod: { token: STRIPE_TOKENS.next_action, nextActionType: 'provider_action' } },
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
      await Promise.all([http, cut.http].map((each) => each.onApplicationShutdown()));
      await fake.close();
    },
  };
}

/** Stripe with few capabilities, whose unsigned notifications only name transactions. */
export async function askingFixture(): Promise<ProviderFixture> {
  const fixture = await stripeFixture();
  const capabilities: PaymentProvider['capabilities'] = (credentials) => ({
    ...fixture.provider.capabilities(credentials),
    lookup: 'by_transaction_id',
    manualCapture: false,
    partialCapture: false,
    partialRefund: false,
    currencies: ['EUR'],
  });
  const parseNotification: PaymentProvider['parseNotification'] = ({ rawBody }) =>
    Promise.resolve({ events: [], ask: [...new Set(rawBody.toString().match(/\bpi_[a-z0-9]+\b/gi))] });
  const credentialFields = fixture.provider.credentialFields.filter(({ usedFor }) => usedFor === 'calls');
  const lacks = { capture: undefined, lookupOperation: undefined };
  const overrides = { capabilities, parseNotification, credentialFields, ...lacks };
  const provider = Object.assign(Object.create(fixture.provider) as PaymentProvider, overrides);
  delete fixture.dispute;
  return { ...fixture, provider };
}

const ADYEN_METHODS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'AUTHORISED',
  declined: 'EXPIRED',
  soft_declined: 'ACQUIRERERROR',
  processing: 'PENDING',
  next_action: 'REDIRECT',
};

export async function adyenFixture(): Promise<ProviderFixture> {
  const fake = await FakeAdyen.start();
  const { provider, http } = adyenAt(fake.url);
  const cut = adyenAt(NOWHERE);
  const { ledger, webhooks } = fake.account(MERCHANT_ACCOUNT);
  const about = (references: readonly string[]) =>
    webhooks.all.filter(({ merchantReference }) => references.includes(merchantReference));
  return {
    provider,
    credentials: ADYEN_CREDENTIALS,
    // a cancel of an unknown reference has no effect
    blocksUnknown: false,
    request: (wanted, fields) => adyenCharge(ADYEN_METHODS[wanted], { returnUrl: RETURN_URL, ...fields }),
    held: heldIn(() => fake.transactions()),
    loseAnswer: () => fake.injectFault({ when: 'after', what: 'reset' }),
    chargeUnsent: (request) => cut.provider.charge(request, soon()),
    settle: ({ reference }) => Promise.resolve(ledger.settle(reference, 'authorised')),
    pageActions: {
      fields: { paymentMethod: { data: collected(card({ number: CHALLENGED })) } },
      approve: (answer) => handleAction(fake, answer, 'approve'),
    },
    notifications: (reference) =>
      Promise.resolve(about([reference]).map((item) => received(signItems([item], HMAC_KEY)))),
    dispute({ reference }, { transactionId }) {
      const pspReference = ledger.dispute(ledger.find(transactionId!), 'CHARGEBACK');
      const items = about([reference]).filter((item) => item.pspReference === pspReference);
      return Promise.resolve(items.map((item) => received(signItems([item], HMAC_KEY))));
    },
    batch: (references) => Promise.resolve(received(signItems(about(references), HMAC_KEY))),
    async stop() {
      await Promise.all([http, cut.http].map((each) => each.onApplicationShutdown()));
      await fake.close();
    },
  };
}

const SANDBOX_TOKENS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'tok_success',
  declined: 'tok_decline',
  soft_declined: 'tok_soft_decline',
  processing: 'tok_async_success',
  next_action: 'tok_requires_action',
};

/** The sandbox is in the API's own process; its notifications go to a receiver instead of the API. */
export async function sandboxFixture(): Promise<ProviderFixture> {
  const receiver = await startReceiver();
  const api = await sharedApi();
  const putBack = replaceSettings(api.get(OwnAddress), { sandbox: { notificationUrl: receiver.url } });
  const merchant = new Merchant(await api.login());
  const { id: shopId } = await merchant.createShop('Berlin');
  const provider = api.get(SandboxProvider);
  const credentials = { notification_secret: NOTIFICATION_SECRET };
  let lastPaymentId = 1_000;
  return {
    provider,
    credentials,
    blocksUnknown: true,
    request: (wanted, fields): ChargeRequest =>
      chargeRequest({
        paymentId: ++lastPaymentId,
        shopId,
        reference: randomUUID(),
        credentials,
        paymentMethod: { token: SANDBOX_TOKENS[wanted] },
        ...fields,
      }),
    async held(reference) {
      const { rows } = await api.database.pool.query<Held>(
        `SELECT CASE WHEN settles_at <= now() AND fails IS DISTINCT FROM 'capture' THEN settles_as WHEN status = 'open' AND authorized_at <= now() THEN 'authorized'
             ELSE status END AS status,
           trim_scale(amount)::text AS amount, currency
         FROM sandbox_transactions WHERE reference = $1`,
        [reference],
      );
      return rows;
    },
    loseAnswer: () => loseNextAnswer(provider),
    chargeUnsent: (request) => provider.charge({ ...request, paymentMethod: { token: 'tok_unavailable' } }, soon()),
    pageActions: {
      fields: { paymentMethod: { token: 'tok_provider_action' } },
      approve: (_, { challenge }) => Promise.resolve({ challenge, result: 'approved' }),
    },
    later: { capture_declined: { fields: { paymentMethod: { token: 'tok_capture_fails' } } } },
    // completed by the sandbox itself, a moment later
    settle: () => Promise.resolve(),
    notifications: (reference) =>
      Promise.resolve(
        receiver.requests
          .filter(({ body }) => body.includes(reference))
          .map(({ body: rawBody, headers }) => ({ ...received({ rawBody, headers }), shopId })),
      ),
    async stop() {
      putBack();
      await api.stop();
      await receiver.stop();
    },
  };
}

/** For the next charge, capture or refund. */
function loseNextAnswer(provider: SandboxProvider): void {
  const calls = provider as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const names = ['charge', 'capture', 'refund'];
  for (const name of names) {
    const call = calls[name]!;
    calls[name] = async (...args) => {
      for (const each of names) delete calls[each];
      await call.apply(provider, args);
      throw new Error('the answer was lost');
    };
  }
}
