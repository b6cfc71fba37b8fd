import { randomUUID } from 'node:crypto';
import { chargeRequest as charge } from '@payment-orchestrator/provider-kit/testing';
import { ProviderHttp } from '../../../src/providers/connectors/connector-context.js';
import type { ChargeAnswer, ChargeRequest, OperationRequest } from '@payment-orchestrator/provider-kit';
import { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { type Clock, SystemClock } from '../../../src/shared/clock.js';
import { connectorContext } from './connector-context.js';
import { FakeStripe } from '../servers/fake-stripe.js';

export const SECRET_KEY = 'sk_test_51abcdefghijklmnop';
export const WEBHOOK_SECRET = 'whsec_0123456789abcdefghij';
export const CREDENTIALS = { secret_key: SECRET_KEY, webhook_secret: WEBHOOK_SECRET };

/** An adapter that calls `base`; `http` must be shut down. */
export function stripeAt(
  base: string,
  clock: Clock = new SystemClock(),
): { provider: StripeProvider; http: ProviderHttp } {
  const http = new ProviderHttp();
  return { provider: new StripeProvider(connectorContext(http, { STRIPE_API_BASE: base }, clock)), http };
}

/** A fake Stripe, and an adapter that calls it. */
export async function startStripe() {
  const fake = await FakeStripe.start();
  const { provider, http } = stripeAt(fake.url);
  const stop = async () => {
    await http.onApplicationShutdown();
    await fake.close();
  };
  return { fake, provider, stop };
}

/** With Stripe's credentials and a card that it approves. */
export const chargeRequest = (fields: Partial<ChargeRequest> = {}): ChargeRequest =>
  charge({ credentials: CREDENTIALS, paymentMethod: { token: 'pm_card_visa' }, ...fields });

/** A later operation for `charge`; `answer`: the answer to the charge, if there was one. */
export const operationOn = (charge: ChargeRequest, answer: Partial<ChargeAnswer> = {}): OperationRequest => ({
  ...charge,
  transactionId: answer.transactionId ?? null,
  idempotencyKey: randomUUID(),
});

export const soon = (ms = 5_000): AbortSignal => AbortSignal.timeout(ms);
