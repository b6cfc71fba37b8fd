import { createHmac, randomUUID } from 'node:crypto';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import type { Held, ProviderFixture, WantedOutcome } from '@payment-orchestrator/provider-kit/testing';
import { OwnAddress } from '../../../src/providers/connectors/own-address.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi } from '../app/api-app.js';
import { Merchant, NOTIFICATION_SECRET } from '../app/merchant.js';
import { startReceiver } from '../servers/receiver.js';
import { received } from './fixture-parts.js';
import { replaceSettings } from './shared-provider-api.js';
import { chargeRequest, soon } from './stripe-requests.js';

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
    // its shops have no accounts to refuse, and a void is done at once
    lacks: ['second_account', 'credentials', 'void_declined', 'dispute'],
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
    sign(body, signer) {
      const secret = signer === 'this_shop' ? NOTIFICATION_SECRET : 'another-secret-of-the-tests';
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      return { ...received({ rawBody: Buffer.from(body), headers: signer === 'no_one' ? {} : { signature } }), shopId };
    },
    later: {
      charge_declined: { fields: { paymentMethod: { token: 'tok_async_decline' } } },
      refund_declined: { fields: { paymentMethod: { token: 'tok_refund_fails' } } },
      capture_declined: { fields: { paymentMethod: { token: 'tok_capture_fails' } } },
      lapse: { fields: { paymentMethod: { token: 'tok_authorization_lapses' } } },
    },
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
