import { randomUUID } from 'node:crypto';
import { ProviderHttp } from '../../../src/providers/http/provider-http.service.js';
import { AdyenProvider } from '../../../src/providers/adyen/adyen.provider.js';
import { type Clock, SystemClock } from '../../../src/shared/clock.js';
import type { ChargeRequest } from '../../../src/providers/payment-provider.js';
import { chargeRequest } from './stripe-requests.js';
import { FakeAdyen } from '../servers/fake-adyen.js';

export const MERCHANT_ACCOUNT = 'ShopECOM';
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
export const ADYEN_CREDENTIALS = {
  api_key: 'AQEyhmfxK4PKbhZAw0m_test_key_of_nobody',
  merchant_account: MERCHANT_ACCOUNT,
  environment: 'test',
  hmac_key: HMAC_KEY,
};

/** An adapter that calls `base`; `http` is to be shut down. */
export function adyenAt(
  base: string,
  clock: Clock = new SystemClock(),
): { provider: AdyenProvider; http: ProviderHttp } {
  const http = new ProviderHttp();
  return { provider: new AdyenProvider({ adyenApiBase: base }, http, clock), http };
}

/** A fake Adyen, and an adapter that calls it. */
export async function startAdyen() {
  const fake = await FakeAdyen.start();
  const { provider, http } = adyenAt(fake.url);
  const stop = async () => {
    await http.onApplicationShutdown();
    await fake.close();
  };
  return { fake, provider, stop };
}

/** `method`: a stored payment method of the fake. */
export const adyenCharge = (method: string, fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    credentials: ADYEN_CREDENTIALS,
    paymentMethod: { token: `shopper-${randomUUID()}/${method}` },
    ...fields,
  });
