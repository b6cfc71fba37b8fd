import { ProviderCallsService } from '../../../src/payments/work/provider-calls.service.js';
import { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import { CheckoutProvider } from '@payment-orchestrator/provider-checkout';
import { MollieProvider } from '@payment-orchestrator/provider-mollie';
import { PayPalProvider } from '@payment-orchestrator/provider-paypal';
import { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { sharedApi, type TestApi } from '../app/api-app.js';
import { Merchant } from '../app/merchant.js';
import { FakeAdyen } from '../servers/fake-adyen.js';
import { FakeCheckout } from '../servers/fake-checkout.js';
import { FakeMollie } from '../servers/fake-mollie.js';
import { FakePayPal } from '../servers/fake-paypal.js';
import { FakeStripe } from '../servers/fake-stripe.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from './adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from './stripe-requests.js';

export interface ProviderApi extends TestApi {
  stripe: FakeStripe;
  adyen: FakeAdyen;
  checkout: FakeCheckout;
  mollie: FakeMollie;
  paypal: FakePayPal;
  /**
   * A merchant whose flow `checkout` has one shop at the provider, which sends its notifications to the API. By default
   * the file's first merchant.
   */
  merchantAt(provider: 'stripe' | 'adyen', merchant?: Merchant): Promise<Merchant>;
}

/**
 * The shared API, whose connectors call fakes that only this caller has. `publicUrl` is the
 * setting PUBLIC_URL. `stop` puts the connectors' addresses back and closes the fakes.
 */
export async function sharedProviderApi({ publicUrl }: { publicUrl?: string } = {}): Promise<ProviderApi> {
  const [api, stripe, adyen, checkout, mollie, paypal] = await Promise.all([
    sharedApi(),
    FakeStripe.start(),
    FakeAdyen.start(),
    FakeCheckout.start(),
    FakeMollie.start(),
    FakePayPal.start(),
  ]);
  const putBack = [
    replace(api.get(StripeProvider), { base: new URL(stripe.url) }),
    replace(api.get(AdyenProvider), { base: new URL(adyen.url) }),
    replace(api.get(CheckoutProvider), { base: checkout.url }),
    replace(api.get(MollieProvider), { base: mollie.url }),
    replace(api.get(PayPalProvider), { base: paypal.url }),
    replaceSettings(api.get(ProviderCallsService), { publicUrl }),
  ];
  const endpoints = {
    stripe: (url: string) => (stripe.account(SECRET_KEY).events.endpoint = { url, secret: WEBHOOK_SECRET }),
    adyen: (url: string) => (adyen.account(MERCHANT_ACCOUNT).webhooks.endpoint = { url, hmacKey: HMAC_KEY }),
  };
  return {
    ...api,
    stripe,
    adyen,
    checkout,
    mollie,
    paypal,
    async merchantAt(provider, merchant) {
      const its = merchant ?? new Merchant(await api.login());
      const credentials = { stripe: CREDENTIALS, adyen: ADYEN_CREDENTIALS }[provider];
      const shop = await its.createShop(`At ${provider}`, { provider, provider_credentials: credentials });
      await its.createFlow('checkout', [shop.id]);
      endpoints[provider](`${api.url}/providers/${provider}/notifications/${shop.id}`);
      return its;
    },
    async stop() {
      for (const each of putBack) each();
      await Promise.all([api.stop(), ...[stripe, adyen, checkout, mollie, paypal].map((fake) => fake.close())]);
    },
  };
}

/** Replaces some of the settings that a provider of the application reads at each use. Returns how to put them back. */
export function replaceSettings(provider: object, settings: object): () => void {
  return replace(provider, { config: { ...(Reflect.get(provider, 'config') as object), ...settings } });
}

/** Replaces fields of a provider of the application. Returns how to put them back. */
export function replace(provider: object, fields: Record<string, unknown>): () => void {
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(provider, name) as unknown]));
  Object.assign(provider, fields);
  return () => void Object.assign(provider, before);
}
