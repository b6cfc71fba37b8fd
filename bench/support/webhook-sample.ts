import { renderWebhookBody } from '../../src/webhooks/outbox/webhook-body.js';

export const SAMPLE_PAYMENT_ID = 4_711_000;

/** A body of 1.2 KB, as the product renders it. */
export function webhookBody(
  id = SAMPLE_PAYMENT_ID,
  status = 'completed',
  at = new Date('2026-11-21T01:02:03.456Z'),
): string {
  return renderWebhookBody({
    timestamp: at,
    payment: {
      id,
      payment_session_id: 'ps_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11',
      provider_transaction_id: 'sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11',
      amount: 49.9,
      currency: 'EUR',
      status,
      country: 'DE',
      payment_provider: 'sandbox',
      flow_id: 12,
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      expires_at: at.toISOString(),
      amount_authorized: 49.9,
      amount_captured: 49.9,
      amount_refunded: 0,
    },
    customer: { id: 7, ...CUSTOMER },
    shop: { id: 3, name: 'Berlin' },
    metadata: METADATA,
    providerMetadata: { acquirer: 'sandbox', authorization_code: '831000', network: 'visa', risk_score: 12 },
  });
}

export const CUSTOMER = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0958',
  first_name: 'Ada',
  last_name: 'Lovelace',
  full_name: 'Ada Lovelace',
  address: "12 St James's Square",
  city: 'London',
  region: 'Greater London',
  postal_code: 'SW1Y 4JH',
  country_code: 'GB',
  date_of_birth: '1985-12-10',
  gender: 'female',
  company: 'Analytical Engines Ltd',
  vat_number: 'GB123456789',
};

export const METADATA = {
  order_id: 'A-1001',
  cart: ['sku-1', 'sku-2', 'sku-3'],
  campaign: 'autumn',
  note: 'leave at the door',
};
