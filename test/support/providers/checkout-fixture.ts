import type { IncomingNotification, SignedRequest } from '@payment-orchestrator/provider-kit';
import type { Held, ProviderFixture, WantedOutcome } from '@payment-orchestrator/provider-kit/testing';
import type { CheckoutAccount } from '../servers/checkout/checkout-account.js';
import { signEvent, type WebhookEvent } from '../servers/checkout/checkout-events.js';
import { bare, refusal, type StoredPayment, tokenOf, unprocessable } from '../servers/checkout/checkout-objects.js';
import { CHECKOUT_CREDENTIALS, checkoutCharge, SIGNATURE_KEY, startCheckout } from './checkout-requests.js';

const OTHER_KEY = 'sk_sbox_zyxwvutsrqponmlkjihgfedcba=';
const TOKENS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'approved',
  declined: 'lostcard',
  soft_declined: 'donothonour',
  processing: 'slow',
  next_action: 'threeds',
};
const DIGITS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, KWD: 3 };
const STATUSES: Readonly<Record<string, Held['status']>> = {
  Pending: 'open',
  Authorized: 'authorized',
  Captured: 'captured',
  'Partially Captured': 'captured',
  'Partially Refunded': 'captured',
  Refunded: 'refunded',
  Voided: 'voided',
  Expired: 'voided',
  Declined: 'declined',
};

function heldOf({ status, amount, currency, balances }: StoredPayment): Held {
  const inUnits = (minor: number): string => String(minor / 10 ** DIGITS[currency]!);
  return {
    status: STATUSES[status]!,
    amount: inUnits(amount),
    currency,
    captured: inUnits(balances.total_captured),
    refunded: inUnits(balances.total_refunded),
  };
}

const received = (signed: SignedRequest): IncomingNotification => ({ ...signed, shopId: 1, query: {} });
const heldIn = (account: CheckoutAccount) => (reference: string) =>
  Promise.resolve(
    account
      .transactions()
      .filter((one) => one.reference === reference)
      .map(heldOf),
  );
const failing = (name: string) => ({ fields: { paymentMethod: { token: tokenOf(name) } } });

/** Checkout.com's connector and fake for `conformance`. */
export async function checkoutFixture(): Promise<ProviderFixture> {
  const { fake, account, wire, another, provider, stop } = await startCheckout();
  const { events } = account;
  const signed = (event: WebhookEvent) => received(signEvent(JSON.stringify(event), { key: SIGNATURE_KEY }));
  return {
    provider,
    wire,
    another,
    credentials: CHECKOUT_CREDENTIALS,
    secondAccount: {
      credentials: { ...CHECKOUT_CREDENTIALS, secret_key: OTHER_KEY, api_prefix: 'otherone' },
      held: heldIn(fake.account(OTHER_KEY)),
    },
    revoked: { ...CHECKOUT_CREDENTIALS, secret_key: 'sk_sbox_revokedaaaaaaaaaaaaaaaaaaa=' },
    answers: {
      key_in_use: refusal(409, 'conflict'),
      rate_limit: refusal(429, 'api_calls_quota_exceeded'),
      permission: bare(403),
      wrong_credentials: bare(401),
      refused_request: unprocessable('success_url_invalid'),
      refused_state: bare(403),
      unusable_method: unprocessable('token_expired'),
      not_found: bare(404),
      outage: { status: 502, body: 'html' },
    },
    sign: (body, signer) =>
      received(
        signEvent(body, signer === 'no_one' ? {} : { key: signer === 'this_shop' ? SIGNATURE_KEY : 'another-key' }),
      ),
    blocksUnknown: false, // Checkout.com has nothing to void without a payment
    request: (wanted, fields) => checkoutCharge({ paymentMethod: { token: tokenOf(TOKENS[wanted]) }, ...fields }),
    held: heldIn(account),
    settle: (_, { transactionId }) => Promise.resolve(account.settle(transactionId)),
    notifications: (reference) =>
      Promise.resolve(events.all.filter(({ data }) => data['reference'] === reference).map(signed)),
    later: {
      charge_declined: { play: ({ answer }) => account.settle(answer.transactionId, '20005') },
      capture_declined: failing('capturefails'),
      refund_declined: failing('refundfails'),
      void_declined: failing('voidfails'),
      lapse: { play: ({ answer }) => account.lapse(answer.transactionId) },
    },
    dispute(_, { transactionId }) {
      account.dispute(transactionId);
      return Promise.resolve(events.all.filter(({ data }) => data['payment_id'] === transactionId).map(signed));
    },
    stop,
  };
}
