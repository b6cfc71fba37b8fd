import {
  chargeRequest,
  type Held,
  type ProviderFixture,
  systemContext,
  type WantedOutcome,
} from '@payment-orchestrator/provider-kit/testing';
import type { AcmeCharge, AcmeStatus } from './charges.js';
import createProvider from './connector.js';
import { FakeAcme, signAcme } from './fake-acme.js';

const CREDENTIALS = { api_key: 'acme_0123456789', signing_secret: 'sign_0123456789' };
const OTHER_CREDENTIALS = { api_key: 'acme_9876543210', signing_secret: 'sign_9876543210' };
const DIGITS: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, KWD: 3 };
const SOURCES: Readonly<Record<WantedOutcome, string>> = {
  approved: 'src_ok',
  declined: 'src_lost',
  soft_declined: 'src_no',
  processing: 'src_slow',
  next_action: 'src_redirect',
};
const STATUSES: Readonly<Record<AcmeStatus, Held['status']>> = {
  pending: 'open',
  waiting_for_payer: 'open',
  authorized: 'authorized',
  paid: 'captured',
  declined: 'declined',
  cancelled: 'voided',
  expired: 'voided',
  refunded: 'refunded',
};
const PENDING = { paymentMethod: { token: 'src_pending' } };

function heldOf({ status, amount, captured, refunded, currency }: AcmeCharge): Held {
  const inUnits = (minor: number) => String(minor / 10 ** DIGITS[currency]!);
  return {
    status: STATUSES[status],
    amount: inUnits(amount),
    currency,
    captured: inUnits(captured),
    refunded: inUnits(refunded),
  };
}

const received = (body: string, secret: string | undefined) => ({ ...signAcme(body, secret), shopId: 1, query: {} });

/** The connector and the fake for `conformance`. `create`: another connector to the same fake. */
export async function acmeFixture(create = createProvider): Promise<ProviderFixture> {
  const fake = await FakeAcme.start();
  const { context, wire, close } = systemContext({ ACME_API_BASE: fake.server.url });
  const account = fake.account(CREDENTIALS.api_key);
  const refusal = (status: number, code: string) => ({ status, body: { code, message: 'Acme does not do this.' } });
  const fails = {
    fields: PENDING,
    play: ({ operationId }: { operationId: string | undefined }) => account.fail(operationId),
  };
  const heldBy = (of: typeof account) => (reference: string) => Promise.resolve(of.under(reference).map(heldOf));
  const chargeOf = (reference: string) => account.under(reference)[0]!;
  return {
    provider: await create(context),
    wire,
    another: () => create(context),
    credentials: CREDENTIALS,
    secondAccount: { credentials: OTHER_CREDENTIALS, held: heldBy(fake.account(OTHER_CREDENTIALS.api_key)) },
    revoked: { ...CREDENTIALS, api_key: 'acme_revoked00' },
    lacks: ['void_declined'],
    answers: {
      key_in_use: refusal(409, 'key_in_use'),
      key_of_another_call: refusal(422, 'key_reused'),
      rate_limit: refusal(429, 'too_many'),
      permission: refusal(403, 'forbidden'),
      wrong_credentials: refusal(401, 'unknown_key'),
      refused_request: refusal(422, 'wrong_amount'),
      refused_state: refusal(422, 'wrong_state'),
      unusable_method: refusal(422, 'unknown_source'),
      not_found: refusal(404, 'not_found'),
      outage: refusal(503, 'down'),
    },
    blocksUnknown: true,
    request: (wanted, fields) =>
      chargeRequest({ credentials: CREDENTIALS, paymentMethod: { token: SOURCES[wanted] }, ...fields }),
    held: heldBy(account),
    settle: (_, { transactionId }) => Promise.resolve(fake.settle(transactionId!, 'paid')),
    notifications: (reference) =>
      Promise.resolve(
        fake.notifications.all
          .filter(({ data }) => data['reference'] === reference)
          .map((event) => received(JSON.stringify(event), CREDENTIALS.signing_secret)),
      ),
    sign: (body, signer) =>
      received(
        body,
        { this_shop: CREDENTIALS.signing_secret, another_key: 'sign_another00', no_one: undefined }[signer],
      ),
    later: {
      charge_declined: { play: ({ request }) => account.end(chargeOf(request.reference), 'declined') },
      capture_declined: fails,
      refund_declined: fails,
      lapse: { play: ({ request }) => account.end(chargeOf(request.reference), 'expired') },
    },
    dispute({ reference }) {
      fake.notifications.report('dispute.opened', chargeOf(reference), { dispute: `dp_${reference}` });
      const event = fake.notifications.all.at(-1);
      return Promise.resolve([received(JSON.stringify(event), CREDENTIALS.signing_secret)]);
    },
    async stop() {
      await close();
      await fake.stop();
    },
  };
}
