import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import { chargeRequest, systemContext } from '@payment-orchestrator/provider-kit/testing';
import { MollieProvider } from '@payment-orchestrator/provider-mollie';
import { FakeMollie } from '../servers/fake-mollie.js';

export const API_KEY = 'test_abcdefghijklmnopqrstuvwxyz0123';
export const MOLLIE_CREDENTIALS = { api_key: API_KEY };
const RETURN_URL = 'https://shop.example/return';

/** A fake Mollie, and adapters that call it over `wire`. */
export async function startMollie() {
  const fake = await FakeMollie.start();
  const { context, wire, close } = systemContext({ MOLLIE_API_BASE: fake.url });
  const another = () => new MollieProvider(context);
  const stop = async () => {
    await close();
    await fake.close();
  };
  return { fake, account: fake.account(API_KEY), wire, another, provider: another(), stop };
}

/** With Mollie's credentials and a card that it approves. */
export const mollieCharge = (fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    credentials: MOLLIE_CREDENTIALS,
    paymentMethod: { token: 'tkn_paid' },
    returnUrl: RETURN_URL,
    ...fields,
  });
