import {
  chargeRequest,
  type Held,
  type ProviderFixture,
  systemContext,
  type WantedOutcome,
} from '@payment-orchestrator/provider-kit/testing';
import createProvider, { type AcmeCharge } from './connector.js';
import { FakeAcme } from './fake-acme.js';

const CREDENTIALS = { api_key: 'acme_0123456789' };
const DIGITS: Readonly<Record<string, number>> = { EUR: 2, JPY: 0 };
const SOURCES: Readonly<Record<WantedOutcome, string>> = {
  approved: 'src_ok',
  declined: 'src_lost',
  soft_declined: 'src_no',
  processing: 'src_slow',
  next_action: 'src_redirect',
};
const STATUSES: Readonly<Record<AcmeCharge['status'], Held['status']>> = {
  pending: 'open',
  waiting_for_payer: 'open',
  paid: 'captured',
  declined: 'declined',
  cancelled: 'voided',
  refunded: 'refunded',
};

/** The connector and the fake for `conformance`. */
export async function acmeFixture(): Promise<ProviderFixture> {
  const fake = await FakeAcme.start();
  const { context, wire, close } = systemContext({ ACME_API_BASE: fake.server.url });
  const provider = await createProvider(context);
  const under = (reference: string) => fake.charges.filter((charge) => charge.reference === reference);
  return {
    provider,
    wire,
    another: () => createProvider(context),
    credentials: CREDENTIALS,
    blocksUnknown: true,
    request: (wanted, fields) =>
      chargeRequest({ credentials: CREDENTIALS, paymentMethod: { token: SOURCES[wanted] }, ...fields }),
    held: (reference) =>
      Promise.resolve(
        under(reference).map(({ status, amount, currency }) => ({
          status: STATUSES[status],
          amount: String(amount / 10 ** DIGITS[currency]!),
          currency,
        })),
      ),
    settle: (_, { transactionId }) => Promise.resolve(fake.settle(transactionId!, 'paid')),
    notifications: (reference) =>
      Promise.resolve(
        under(reference)
          .filter(({ id }) => fake.notifications.all.includes(id))
          .map(({ id }) => ({ shopId: 1, query: {}, headers: {}, rawBody: Buffer.from(`id=${id}`) })),
      ),
    async stop() {
      await close();
      await fake.stop();
    },
  };
}
