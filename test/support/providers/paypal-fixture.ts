import type { IncomingNotification } from '@payment-orchestrator/provider-kit';
import type { Held, ProviderFixture, WantedOutcome } from '@payment-orchestrator/provider-kit/testing';
import type { PayPalAccount } from '../servers/paypal/paypal-account.js';
import { signedEvent } from '../servers/paypal/paypal-notifications.js';
import {
  minorOf,
  NOT_FOUND,
  refundedOf,
  refusal,
  type StoredOrder,
  UNAUTHORIZED,
  unprocessable,
} from '../servers/paypal/paypal-objects.js';
import { PAYPAL_CREDENTIALS, paypalCharge, startPayPal, WEBHOOK_ID } from './paypal-requests.js';

const OTHER = {
  ...PAYPAL_CREDENTIALS,
  client_id: 'client-id-of-another-shop-at-paypal',
  client_secret: 'secret-of-the-app-of-another-shop',
  webhook_id: '1JE4291016473214C',
};
const METHODS: Readonly<Record<WantedOutcome, { type: string; token?: string }>> = {
  approved: { type: 'paypal', token: 'wallet_ok' },
  declined: { type: 'paypal', token: 'wallet_restricted' },
  soft_declined: { type: 'paypal', token: 'wallet_declined' },
  processing: { type: 'paypal', token: 'wallet_review' },
  next_action: { type: 'paypal' },
};
const AUTHORIZED: Readonly<Record<string, Held['status']>> = {
  CREATED: 'authorized',
  VOIDED: 'voided',
  DENIED: 'declined',
};

/** The order in the books as the checks know it. */
function heldOf(order: StoredOrder): Held {
  const { amount, captures, authorizations } = order;
  const made = captures.filter(({ status }) => status !== 'PENDING' && status !== 'DECLINED');
  const captured = made.reduce((sum, one) => sum + minorOf(one.amount), 0);
  const refunded = refundedOf(order, ['COMPLETED']);
  const [authorization] = authorizations;
  const isDeclined = captures.length > 0 && captures.every(({ status }) => status === 'DECLINED');
  const before = authorization ? (AUTHORIZED[authorization.status] ?? 'open') : isDeclined ? 'declined' : 'open';
  const units = minorOf(amount) / Number(amount.value);
  return {
    status: captured === 0 ? before : refunded === captured ? 'refunded' : 'captured',
    amount: String(Number(amount.value)),
    currency: amount.currency_code,
    captured: String(captured / Math.round(units)),
    refunded: String(refunded / Math.round(units)),
  };
}

const under = ({ orders }: PayPalAccount, reference: string): StoredOrder[] =>
  orders.filter(({ custom_id: custom }) => custom === reference);

/** PayPal's connector and fake for `conformance`. */
export async function paypalFixture(): Promise<ProviderFixture> {
  const { fake, account, wire, another, provider, stop } = await startPayPal();
  const heldIn = (one: PayPalAccount) => (reference: string) => Promise.resolve(under(one, reference).map(heldOf));
  const sign: NonNullable<ProviderFixture['sign']> = (body, signer): IncomingNotification => {
    const rawBody = Buffer.from(body);
    const foreign = { ...fake.signer('CERT-foreign'), url: fake.signer('CERT-current').url };
    const signed = signedEvent(rawBody, WEBHOOK_ID, signer === 'another_key' ? foreign : fake.signer('CERT-current'));
    return { shopId: 1, query: {}, rawBody, headers: signer === 'no_one' ? {} : signed.headers };
  };
  return {
    provider,
    wire,
    another,
    sign,
    credentials: PAYPAL_CREDENTIALS,
    secondAccount: { credentials: OTHER, held: heldIn(fake.account(OTHER.client_id)) },
    revoked: { ...PAYPAL_CREDENTIALS, client_secret: 'revoked-secret-of-the-app-of-the-shop' },
    // a void is done at once, and a wallet is saved only with its payer's approval
    lacks: ['void_declined', 'saved_method'],
    answers: {
      key_in_use: refusal(409, 'PREVIOUS_REQUEST_IN_PROGRESS'),
      rate_limit: refusal(429),
      permission: refusal(403, 'PERMISSION_DENIED'),
      wrong_credentials: UNAUTHORIZED,
      refused_request: unprocessable('MAX_VALUE_EXCEEDED'),
      refused_state: unprocessable('AUTHORIZATION_EXPIRED'),
      unusable_method: unprocessable('TOKEN_ID_NOT_FOUND'),
      not_found: NOT_FOUND,
      outage: refusal(503),
    },
    blocksUnknown: false, // PayPal has nothing to cancel without an order
    request: (wanted, fields) => paypalCharge({ paymentMethod: METHODS[wanted], ...fields }),
    held: heldIn(account),
    settle: (_, { transactionId }) => Promise.resolve(account.decide(transactionId, 'COMPLETED')),
    notifications(reference) {
      const reports = account.webhook.all.filter(({ body }) => body.includes(reference));
      return Promise.resolve(reports.map(({ body }) => sign(body, 'this_shop')));
    },
    later: {
      charge_declined: { play: ({ answer }) => account.decide(answer.transactionId, 'DECLINED') },
      capture_declined: {
        fields: { paymentMethod: { token: 'wallet_capture_review' } },
        play: ({ answer }) => account.decide(answer.transactionId, 'DECLINED'),
      },
      refund_declined: {
        fields: { paymentMethod: { token: 'wallet_refund_review' } },
        play: ({ answer }) => account.decideRefund(answer.transactionId, 'FAILED'),
      },
      lapse: { play: ({ answer }) => account.lapse(answer.transactionId) },
    },
    dispute(_, { transactionId }) {
      account.dispute(transactionId);
      return Promise.resolve([sign(account.webhook.all.at(-1)!.body, 'this_shop')]);
    },
    stop,
  };
}
