import { renderWebhookBody } from '../outbox/webhook-body.js';

const MINUTE_MS = 60_000;

/** A realistic body for trying out a receiver: a completed payment of the shop. */
export function renderSampleBody(shop: { id: number; name: string; provider: string }, now: Date): string {
  const created = new Date(now.getTime() - MINUTE_MS);
  return renderWebhookBody({
    timestamp: now,
    payment: {
      id: 1,
      payment_session_id: 'ps_test_0001',
      provider_transaction_id: 'test_transaction_0001',
      amount: 100.5,
      currency: 'USD',
      status: 'completed',
      country: 'US',
      payment_provider: shop.provider,
      flow_id: 1,
      created_at: created.toISOString(),
      updated_at: now.toISOString(),
      expires_at: new Date(created.getTime() + 30 * MINUTE_MS).toISOString(),
    },
    customer: {
      id: 1,
      email: 'jane.doe@example.com',
      phone: '+12025550123',
      first_name: 'Jane',
      last_name: 'Doe',
      full_name: 'Jane Doe',
      address: '1 Main Street',
      city: 'Springfield',
      region: 'IL',
      postal_code: '62701',
      country_code: 'US',
      date_of_birth: '1990-01-01',
    },
    shop: { id: shop.id, name: shop.name },
    metadata: { order_id: 'TEST-0001' },
    providerMetadata: {},
  });
}
