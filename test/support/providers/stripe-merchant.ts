import { startApi, type TestApi } from '../app/api-app.js';
import { Merchant } from '../app/merchant.js';
import { FakeStripe } from '../servers/fake-stripe.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from './stripe-requests.js';

export interface StripeMerchant {
  fake: FakeStripe;
  api: TestApi;
  merchant: Merchant;
  stop(): Promise<void>;
}

/** A merchant whose flow `checkout` has one shop at a fake Stripe, which sends its notifications to the API. */
export async function startStripeMerchant(): Promise<StripeMerchant> {
  const fake = await FakeStripe.start();
  const api = await startApi({ STRIPE_API_BASE: fake.url });
  const merchant = new Merchant(await api.login());
  const shop = await merchant.createShop('S', { provider: 'stripe', provider_credentials: CREDENTIALS });
  await merchant.createFlow('checkout', [shop.id]);
  const url = `${api.url}/providers/stripe/notifications/${shop.id}`;
  fake.account(SECRET_KEY).events.endpoint = { url, secret: WEBHOOK_SECRET };
  const stop = async () => {
    await api.stop();
    await fake.close();
  };
  return { fake, api, merchant, stop };
}
