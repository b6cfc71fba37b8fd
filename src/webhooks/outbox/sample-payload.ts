import { renderWebhookBody, withEventId } from './webhook-body.js';
import { MINUTE_MS } from '../../shared/clock.js';

/** Ids start at 1, and no generator returns the nil UUID. So a receiver that processes the sample finds no such payment. */
const NO_ID = 0;
/** No event has this id. */
export const NO_EVENT = `evt_${'0'.repeat(32)}`;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns a realistic body for testing a receiver: a completed payment of the shop, with `"test": true` and ids that no
 * payment can have.
 */
export function renderSampleBody(shop: { id: number; name: string; provider: string }, now: Date): string {
  const created = new Date(now.getTime() - MINUTE_MS);
  const body = renderWebhookBody({
    isTest: true,
    timestamp: now,
    payment: {
      id: NO_ID,
      payment_session_id: `ps_${NIL_UUID}`,
      provider_transaction_id: `test_${NIL_UUID}`,
      amount: 100.5,
      currency: 'USD',
      status: 'completed',
      country: 'US',
      payment_provider: shop.provider,
      flow_id: NO_ID,
      created_at: created.toISOString(),
      updated_at: now.toISOString(),
      expires_at: new Date(created.getTime() + 30 * MINUTE_MS).toISOString(),
      amount_authorized: 100.5,
      amount_captured: 100.5,
      amount_refunded: 0,
    },
    customer: {
      id: NO_ID,
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
  return withEventId(body, NO_EVENT);
}
