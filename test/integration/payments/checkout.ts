import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import type { CreatePaymentDto } from '../../../src/payments/creation/create-payment.dto.js';
import { PaymentRecorder } from '../../../src/payments/creation/payment-recorder.service.js';
import type { HeldKey } from '../../../src/platform/idempotency/idempotency.service.js';
import type { PaymentRow } from '../../../src/payments/money/state/payment.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi, startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { endEarlierOperations } from '../../support/app/recovery-harness.js';

export interface Checkout {
  /** The caller must stop it. */
  api: TestApi;
  merchant: Merchant;
  shops: ShopAnswer[];
  flow: { id: number };
}

/**
 * Starts the API with these settings, and creates a merchant with shops of these names and the flow `checkout` over
 * them.
 */
export const startCheckout = async (env: Record<string, string> = {}, names = ['A']): Promise<Checkout> =>
  checkoutAt(await startApi(env), names);

/** The same at the shared API, whose sandbox fails at once where it would never answer. */
export async function sharedCheckout(names = ['A']): Promise<Checkout> {
  const api = await sharedApi();
  await endEarlierOperations(api);
  giveUpAtOnce(api);
  return checkoutAt(api, names);
}

/** A charge that the sandbox never answers fails at once, not after `PROVIDER_TIMEOUT_MS`. */
export function giveUpAtOnce(api: TestApi): void {
  const sandbox = api.get(SandboxProvider);
  const charge = SandboxProvider.prototype.charge.bind(sandbox);
  sandbox.charge = (request) => charge(request, AbortSignal.abort());
}

async function checkoutAt(api: TestApi, names: string[]): Promise<Checkout> {
  const merchant = new Merchant(await api.login());
  const shops: ShopAnswer[] = [];
  for (const name of names) shops.push(await merchant.createShop(name));
  const ids = shops.map(({ id }) => id);
  return { api, merchant, shops, flow: await merchant.createFlow('checkout', ids) };
}

/**
 * Inserts a pending payment, as transaction 1 leaves it, without a call of its provider. Concurrent calls are one
 * statement.
 */
export async function pendingPayment(
  api: TestApi,
  merchantId: number,
  fields: Partial<CreatePaymentDto> = {},
  key?: HeldKey,
): Promise<PaymentRow> {
  const request = { flow_name: 'checkout', amount: 10, currency: 'EUR', ...fields };
  const routed = await api.get(FlowRoutingService).route(merchantId, request.flow_name, { ...request });
  const given = { method: request.payment_method, facts: {} };
  const recorded = { merchantId, routed, request, given, agreement: null, knownCustomer: null, key };
  return (await api.get(PaymentRecorder).insert(recorded)).payment;
}
