// Stands for Stripe.js (https://docs.stripe.com/js). Replace it by `Stripe(publishableKey)` with Elements.
import { askPayer } from './issuer.js';

export function createStripe({ url, publishableKey: key }, field) {
  async function call(path, parameters) {
    const answer = await fetch(url + path, { method: 'POST', body: new URLSearchParams({ key, ...parameters }) });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error.message);
    return body;
  }

  return {
    /** The id of a PaymentMethod; `undefined`: Stripe does not have the chosen method. */
    async createPaymentMethod() {
      const { card } = field.selected();
      if (!card) return undefined;
      const { number, month, year, code } = card;
      const values = { number, exp_month: month, exp_year: year, cvc: code };
      const parameters = Object.entries(values).map(([name, value]) => [`card[${name}]`, value]);
      return (await call('/v1/payment_methods', { type: 'card', ...Object.fromEntries(parameters) })).id;
    },

    /** Like `stripe.handleNextAction({ clientSecret })`. Returns the data that finishes the step. */
    async handleNextAction({ client_secret, use_stripe_sdk }) {
      const outcome = await askPayer();
      const source = use_stripe_sdk.three_d_secure_2_source;
      await call('/v1/3ds2/authenticate', { client_secret, source, outcome });
      return { payment_intent: client_secret.split('_secret_')[0] };
    },
  };
}
