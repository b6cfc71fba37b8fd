import type { IncomingNotification } from '@payment-orchestrator/provider-kit';
import type { Held, ProviderFixture, WantedOutcome } from '@payment-orchestrator/provider-kit/testing';
import type { MollieAccount, MollieRecord } from '../servers/mollie/mollie-account.js';
import { refusal, unprocessable } from '../servers/mollie/mollie-objects.js';
import { MOLLIE_CREDENTIALS, mollieCharge, startMollie } from './mollie-requests.js';

const OTHER_KEY = 'test_another0123456789abcdefghijklm';
const TOKENS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'tkn_paid',
  declined: 'tkn_fraud',
  soft_declined: 'tkn_refused',
  processing: 'tkn_slow',
  next_action: 'tkn_3ds',
};

const STATUSES: Readonly<Record<MollieRecord['payment']['status'], Held['status']>> = {
  open: 'open',
  pending: 'open',
  authorized: 'authorized',
  paid: 'captured',
  canceled: 'voided',
  expired: 'voided',
  failed: 'declined',
};

const sumOf = (operations: MollieRecord['refunds'], status: string): number =>
  operations
    .filter((one) => one.status === status)
    .reduce((sum, one) => sum + Math.round(Number(one.amount.value) * 100), 0);

/** The record in the books as the checks know it. */
function heldOf({ payment: { status, amount, captureMode }, captures, refunds }: MollieRecord): Held {
  const whole = Math.round(Number(amount.value) * 100);
  const captured = captureMode === 'manual' ? sumOf(captures, 'succeeded') : status === 'paid' ? whole : 0;
  const refunded = sumOf(refunds, 'refunded');
  return {
    status: refunded > 0 && refunded === captured ? 'refunded' : STATUSES[status],
    amount: String(Number(amount.value)),
    currency: amount.currency,
    captured: String(captured / 100),
    refunded: String(refunded / 100),
  };
}

const notification = (id: string): IncomingNotification => ({
  shopId: 1,
  query: {},
  headers: {},
  rawBody: Buffer.from(`id=${id}`),
});

const under = ({ records }: MollieAccount, reference: string): MollieRecord[] =>
  records.filter(({ payment }) => payment.metadata?.['reference'] === reference);

/** Mollie's connector and fake for `conformance`. */
export async function mollieFixture(): Promise<ProviderFixture> {
  const { fake, account, wire, another, provider, stop } = await startMollie();
  const heldIn = (one: MollieAccount) => (reference: string) => Promise.resolve(under(one, reference).map(heldOf));
  return {
    provider,
    wire,
    another,
    credentials: MOLLIE_CREDENTIALS,
    secondAccount: { credentials: { api_key: OTHER_KEY }, held: heldIn(fake.account(OTHER_KEY)) },
    revoked: { api_key: 'test_revoked0123456789abcdefghijklm' },
    // a release that fails is not reported: the authorisation lapses
    lacks: ['void_declined', 'initiator'],
    answers: {
      key_in_use: refusal(409, 'Conflict'),
      key_of_another_call: refusal(400, 'Bad Request'),
      rate_limit: refusal(429, 'Too Many Requests'),
      permission: refusal(403, 'Forbidden'),
      wrong_credentials: refusal(401, 'Unauthorized Request'),
      refused_request: unprocessable('redirectUrl'),
      refused_state: unprocessable(),
      unusable_method: unprocessable('cardToken'),
      not_found: refusal(404, 'Not Found'),
      outage: refusal(503, 'Service Unavailable'),
    },
    blocksUnknown: false, // Mollie has nothing to cancel without a payment
    request: (wanted, fields) => mollieCharge({ paymentMethod: { token: TOKENS[wanted] }, ...fields }),
    held: heldIn(account),
    settle: (_, { transactionId }) => Promise.resolve(account.settle(transactionId, 'paid')),
    notifications: (reference) =>
      Promise.resolve(under(account, reference).flatMap(({ webhook }) => webhook.all.map((id) => notification(id)))),
    later: {
      charge_declined: {
        play: ({ answer }) => account.settle(answer.transactionId, 'failed', { failureReason: 'refused_by_issuer' }),
      },
      capture_declined: { fields: { paymentMethod: { token: 'tkn_capture_fails' } } },
      refund_declined: { fields: { paymentMethod: { token: 'tkn_refund_fails' } } },
      lapse: { play: ({ answer }) => account.lapse(answer.transactionId) },
    },
    dispute(_, { transactionId }) {
      account.chargeBack(transactionId);
      return Promise.resolve([notification(transactionId!)]);
    },
    stop,
  };
}
