import { chargeRequest, systemContext } from '@payment-orchestrator/provider-kit/testing';
import createProvider from './connector.js';
import { FakeMollie } from './fake-mollie.js';

const CREDENTIALS = { api_key: 'test_abcdefghijklmnopqrstuvwxyz0123' };
const TOKENS = {
  approved: 'tkn_paid',
  declined: 'tkn_fraud',
  soft_declined: 'tkn_poor',
  processing: 'tkn_slow',
  next_action: 'tkn_3ds',
};

const STATUSES = { pending: 'open', failed: 'declined', canceled: 'voided', expired: 'voided', paid: 'captured' };

/** The record in the books as the checks know it. */
function heldOf({ payment: { status, amount }, refunds }) {
  const refunded = refunds.filter((one) => one.status === 'refunded').map((one) => Number(one.amount.value) * 100);
  const isRefunded = Math.round(refunded.reduce((sum, one) => sum + one, 0)) === Math.round(Number(amount.value) * 100);
  return {
    status: isRefunded ? 'refunded' : (STATUSES[status] ?? status),
    amount: String(Number(amount.value)),
    currency: amount.currency,
  };
}

/** The connector and the fake for `conformance`, and the fake itself. */
export async function mollieFixture() {
  const fake = await FakeMollie.start();
  const { context, wire, close } = systemContext({ MOLLIE_API_BASE: fake.server.url });
  const provider = createProvider(context);
  const notification = (id) => ({ shopId: 1, query: {}, headers: {}, rawBody: Buffer.from(`id=${id}`) });
  return {
    fake,
    provider,
    wire,
    another: () => createProvider(context),
    credentials: CREDENTIALS,
    blocksUnknown: false, // Mollie has nothing to cancel without a payment
    request: (wanted, fields) =>
      chargeRequest({
        credentials: CREDENTIALS,
        paymentMethod: { token: TOKENS[wanted] },
        returnUrl: 'https://shop.example/return',
        ...fields,
      }),
    held: async (reference) => fake.under(reference).map(heldOf),
    settle: async (_, { transactionId }) => fake.settle(transactionId, 'paid'),
    notifications: async (reference) =>
      fake.under(reference).flatMap(({ webhook }) => webhook.all.map((id) => notification(id))),
    later: { capture_declined: { fields: { paymentMethod: { token: 'tkn_capture_fails' } } } },
    dispute: async (_, { transactionId }) => {
      fake.chargeBack(transactionId);
      return [notification(transactionId)];
    },
    async stop() {
      await close();
      await fake.stop();
    },
  };
}
