import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import { chargeRequest, systemContext } from '@payment-orchestrator/provider-kit/testing';
import { PayPalProvider } from '@payment-orchestrator/provider-paypal';
import { FakePayPal } from '../servers/fake-paypal.js';

export const CLIENT_ID = 'client-id-of-the-shop-at-paypal';
export const WEBHOOK_ID = '8PT597110X687430L';
export const PAYPAL_CREDENTIALS = {
  client_id: CLIENT_ID,
  client_secret: 'secret-of-the-app-of-the-shop',
  environment: 'sandbox',
  webhook_id: WEBHOOK_ID,
};
const RETURN_URL = 'https://shop.example/return';

/** A fake PayPal, and adapters that call it over `wire`. */
export async function startPayPal() {
  const fake = await FakePayPal.start();
  const { context, wire, close } = systemContext({ PAYPAL_API_BASE: fake.url });
  const another = () => new PayPalProvider(context);
  const stop = async () => {
    await close();
    await fake.close();
  };
  return { fake, account: fake.account(CLIENT_ID), wire, another, provider: another(), stop };
}

/** With PayPal's credentials and a saved wallet that it charges. */
export const paypalCharge = (fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    credentials: PAYPAL_CREDENTIALS,
    paymentMethod: { type: 'paypal', token: 'wallet_ok' },
    returnUrl: RETURN_URL,
    ...fields,
  });
