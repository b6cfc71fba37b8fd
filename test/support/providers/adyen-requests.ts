import { randomUUID } from 'node:crypto';
import { ProviderHttp } from '../../../src/providers/connectors/connector-context.js';
import { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import { type Clock, SystemClock } from '../../../src/shared/clock.js';
import type { ChargeRequest, NextAction } from '@payment-orchestrator/provider-kit';
import { connectorContext } from './connector-context.js';
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
  return { provider: new AdyenProvider(connectorContext(http, { ADYEN_API_BASE: base }, clock)), http };
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

/** Numbers of cards at the fake: their issuers want a fingerprint, and the first one a challenge too. */
export const CHALLENGED = '4212345678901237';
export const FRICTIONLESS = '5201281505129736';

/** The `paymentMethod` of Adyen's card Component. Its values are those that Adyen's test environment takes. */
export const card = ({ number = '4111111111111111', ...fields }: Record<string, string> = {}) => ({
  type: 'scheme',
  holderName: 'Ada Byron',
  encryptedCardNumber: `test_${number}`,
  encryptedExpiryMonth: 'test_03',
  encryptedExpiryYear: 'test_2030',
  encryptedSecurityCode: 'test_737',
  ...fields,
});

/** `state.data` of Drop-in, with the `origin` of its page. */
export const collected = (paymentMethod: object, fields: object = {}): Record<string, unknown> => ({
  paymentMethod,
  origin: 'https://shop.example',
  browserInfo: {
    acceptHeader: '*/*',
    colorDepth: 24,
    javaEnabled: false,
    language: 'nl-NL',
    screenHeight: 900,
    screenWidth: 1440,
    timeZoneOffset: -60,
    userAgent: 'Mozilla/5.0',
  },
  riskData: { clientData: 'eyJ2ZXJzaW9uIjoiMS4wLjAifQ' },
  ...fields,
});

/** A charge of what Drop-in collected; the payer is present. */
export const collectedCharge = (data: Record<string, unknown>, fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  chargeRequest({
    credentials: ADYEN_CREDENTIALS,
    returnUrl: 'https://shop.example/back',
    ...fields,
    paymentMethod: { ...fields.paymentMethod, data },
  });

/**
 * Acts in the payer's page as `handleAction` of Drop-in; returns what `onAdditionalDetails` gets. `each`: it returns
 * after the fingerprint.
 */
export async function handleAction(
  fake: FakeAdyen,
  answer: object,
  outcome: 'approve' | 'decline',
  { each = false } = {},
): Promise<Record<string, unknown>> {
  const { nextAction } = answer as { nextAction?: NextAction };
  if (nextAction?.type !== 'provider_action') throw new Error('there is no action for the script of Adyen');
  const body = JSON.stringify({ action: nextAction.data, outcome, each });
  const response = await fetch(`${fake.url}/components/handle-action`, { method: 'POST', body });
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}
