import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import { chargeRequest, systemContext } from '@payment-orchestrator/provider-kit/testing';
import { CheckoutProvider } from '@payment-orchestrator/provider-checkout';
import { tokenOf } from '../servers/checkout/checkout-objects.js';
import { FakeCheckout } from '../servers/fake-checkout.js';

export const CHECKOUT_KEY = 'sk_sbox_abcdefghijklmnopqrstuvwxyz=';
export const SIGNATURE_KEY = 'a-signature-key-of-the-tests';
export const AUTHORIZATION = 'an-authorization-of-the-tests';
export const CHECKOUT_CREDENTIALS = {
  secret_key: CHECKOUT_KEY,
  api_prefix: 'vkuhvk4v',
  webhook_signature_key: SIGNATURE_KEY,
};

/** A fake Checkout.com, and adapters that call it over `wire`. */
export async function startCheckout() {
  const fake = await FakeCheckout.start();
  const { context, wire, close } = systemContext({ CHECKOUT_API_BASE: fake.url });
  const another = () => new CheckoutProvider(context);
  const stop = async () => {
    await close();
    await fake.close();
  };
  return { fake, account: fake.account(CHECKOUT_KEY), wire, another, provider: another(), stop };
}

/** With Checkout.com's credentials and a card that it approves. */
export const checkoutCharge = (fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    credentials: CHECKOUT_CREDENTIALS,
    paymentMethod: { token: tokenOf('approved') },
    returnUrl: 'https://shop.example/return',
    ...fields,
  });
