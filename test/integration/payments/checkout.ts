import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import type { CreatePaymentDto } from '../../../src/payments/creation/create-payment.dto.js';
import { PaymentRecorder } from '../../../src/payments/creation/payment-recorder.service.js';
import type { HeldKey } from '../../../src/payments/idempotency/idempotency.service.js';
import type { PaymentRow } from '../../../src/payments/ledger/payment.queries.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type ShopAnswer } from '../../support/app/merchant.js';

export interface Checkout {
  /** To be stopped afterwards. */
  api: TestApi;
  merchant: Merchant;
  shops: ShopAnswer[];
  flow: { id: number };
}

/** The API with these settings, and a merchant with shops of these names and the flow `checkout` over them. */
export async function startCheckout(env: Record<string, string> = {}, names = ['A']): Promise<Checkout> {
  const api = await startApi(env);
  const merchant = new Merchant(await api.login());
  const shops: ShopAnswer[] = [];
  for (const name of names) shops.push(await merchant.createShop(name));
  const ids = shops.map(({ id }) => id);
  return { api, merchant, shops, flow: await merchant.createFlow('checkout', ids) };
}

/**
 * A pending payment, as the first transaction leaves it: nobody asks its provider. Those that are asked for at once are
 * inserted together.
 */
export async function pendingPayment(
  api: TestApi,
  merchantId: number,
  fields: Partial<CreatePaymentDto> = {},
  key?: HeldKey,
): Promise<PaymentRow> {
  const request = { flow_name: 'checkout', amount: 10, currency: 'EUR', ...fields };
  const routed = await api.get(FlowRoutingService).route(merchantId, request.flow_name, { ...request });
  return (await api.get(PaymentRecorder).insert({ merchantId, routed, request, knownCustomer: null, key })).payment;
}
