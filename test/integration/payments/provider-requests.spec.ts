import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import type { Merchant } from '../../support/app/merchant.js';
import { recover } from '../../support/app/recovery-harness.js';
import { startCheckout } from './checkout.js';
import { aFlowOver } from './failover-harness.js';
import { LedgerProvider } from './ledger-provider.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;

beforeAll(async () => {
  ({ api, merchant } = await startCheckout({ PROVIDER_TIMEOUT_MS: '2000', PUBLIC_URL: 'https://pay.example/api' }));
});
beforeEach(() => {
  provider = new LedgerProvider(api);
});
afterAll(() => api.stop());

const requestsOf = ({ id }: { id: number }) =>
  provider.calls.flatMap(({ paymentId, request }) => (paymentId === id && request ? [request] : []));
const startedAtOf = async ({ id }: { id: number }): Promise<Date> => {
  const statement = 'SELECT started_at FROM payment_attempts WHERE payment_id = $1 ORDER BY number';
  return (await api.database.pool.query<{ started_at: Date }>(statement, [id])).rows.at(-1)!.started_at;
};

describe('a request to a provider', () => {
  it('a request has the time of its attempt and the shop’s address for notifications, the same on every repeat', async () => {
    provider.capabilities = { ...provider.capabilities, lookup: 'none' };
    provider.fates = { charge: ['dropped', 'dropped'] };
    const payment = await merchant.pay('checkout');
    await recover(api, [payment.id], 1);
    await recover(api, [payment.id], 1);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    await merchant.api.post(`/payments/${payment.id}/refund`);
    const attemptedAt = await startedAtOf(payment);
    const notificationUrl = `https://pay.example/api/providers/sandbox/notifications/${payment.shop.id}`;
    const requests = requestsOf(payment);
    expect(requests).toHaveLength(4);
    for (const request of requests) expect(request).toMatchObject({ attemptedAt, notificationUrl });
  });

  it('a request after a fail-over has the time of the second attempt', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_success', 'tok_success'], 2);
    provider.chargeAs = ({ shopId }) => (shopId === shops[0]!.id ? 'declined' : 'captured');
    const charge = provider.charge.bind(provider);
    provider.charge = async (request) => {
      const answer = await charge(request);
      return answer.outcome === 'declined' ? { ...answer, outcome: 'soft_declined' } : answer;
    };
    const payment = await merchant.pay(flow);
    const second = shops[1]!.id;
    expect(payment).toMatchObject({ status: 'completed', shop: { id: second } });
    expect(requestsOf(payment).at(-1)).toMatchObject({ shopId: second, attemptedAt: await startedAtOf(payment) });
  });

  it('a void has the key of its charge', async () => {
    provider.chargeAs = () => 'open';
    const payment = await merchant.pay('checkout');
    await merchant.api.post(`/payments/${payment.id}/cancel`);
    const [charge] = provider.callsOf(payment.id, 'charge');
    const [voided] = provider.callsOf(payment.id, 'void');
    expect(voided!.request).toMatchObject({ chargeIdempotencyKey: charge!.key });
    expect(voided!.key).not.toBe(charge!.key);
  });
});
