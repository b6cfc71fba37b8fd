// Stripe and Adyen on this machine: the fakes of the tests, with one account each. They move no money.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { compileInto } from '../../test/support/servers/compile-sources.mjs';

const HMAC_KEY = randomBytes(32).toString('hex').toUpperCase();
const STRIPE = { secret_key: 'sk_test_51ofthecheckout', webhook_secret: `whsec_${randomBytes(24).toString('hex')}` };
const ADYEN = {
  api_key: 'test_key_of_the_checkout',
  merchant_account: 'CheckoutECOM',
  environment: 'test',
  hmac_key: HMAC_KEY,
};

export async function startProviders() {
  const folder = new URL('../../node_modules/.cache/checkout/', import.meta.url);
  compileInto(fileURLToPath(folder), 'test/support/servers', ['.']);
  const [{ FakeStripe }, { FakeAdyen }] = await Promise.all([
    import(new URL('fake-stripe.js', folder)),
    import(new URL('fake-adyen.js', folder)),
  ]);
  const [stripe, adyen] = await Promise.all([FakeStripe.start(), FakeAdyen.start()]);
  return {
    stripe: { url: stripe.url, credentials: STRIPE },
    adyen: { url: adyen.url, credentials: ADYEN },
    /** For the page, which calls the providers itself. */
    publicSettings: {
      stripe: { url: stripe.url, publishableKey: STRIPE.secret_key.replace('sk_', 'pk_') },
      adyen: { url: adyen.url },
    },
    /** Sends each account's notifications to the service. */
    notify(serviceUrl, shops) {
      const urlOf = (provider) => {
        const shop = shops.find((each) => each.provider === provider);
        return `${serviceUrl}/providers/${provider}/notifications/${shop.id}`;
      };
      stripe.account(STRIPE.secret_key).events.endpoint = { url: urlOf('stripe'), secret: STRIPE.webhook_secret };
      adyen.account(ADYEN.merchant_account).webhooks.endpoint = { url: urlOf('adyen'), hmacKey: HMAC_KEY };
    },
    close: () => Promise.all([stripe.close(), adyen.close()]),
  };
}
