import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { type ApiClient, served } from './api-client.js';
import { eventually } from '../eventually.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from './merchant.js';

/** An identifier of a merchant's object in a path, a query or a body. */
type Id = number | string;

/** A merchant with one object of each kind, with a unique mark in each of their free texts. */
export interface SeededMerchant {
  /** By kind of object: `shop`, `flow`, `flow_name` … */
  ids: Record<string, Id>;
  /** Texts that no other merchant may ever see. */
  traces: string[];
}

/** Kinds whose ids are the same for every merchant. */
export const SHARED_KINDS: readonly string[] = ['provider', 'report', 'version'];

/**
 * Creates one object of each kind through the API. `receiverUrl` receives the webhooks; a worker must run. A new kind
 * of object gets its entry in `ids` and its marks here.
 */
export async function seedMerchant(api: ApiClient, receiverUrl: string): Promise<SeededMerchant> {
  const traces: string[] = [];
  const mark = (what: string): string => {
    const text = `seeded-${what}-${randomBytes(6).toString('hex')}`;
    traces.push(text);
    return text;
  };
  const merchant = new Merchant(api);
  const secret = mark('notification-secret');
  const shop = await seedShop(merchant, mark, secret);
  const other = await seedShop(merchant, mark, secret);
  const flow = await merchant.createFlow(mark('flow'), [shop.id, other.id]);
  dataOf(await api.patch(`/flows/${flow.id}`, { capture: 'automatic', reason: mark('flow-reason') }));
  const draft = { strategy: 'priority', shops: [{ shop_id: shop.id, conditions: { currencies: ['EUR'] } }] };
  const version = dataOf<{ version: number }>(await api.post(`/flows/${flow.id}/versions`, draft));
  const endpoint = `${receiverUrl}/${mark('endpoint')}`;
  const payment = await seedPayment(merchant, flow.name, mark, { webhook_endpoint: endpoint });
  const reason = mark('reason');
  dataOf(await served(() => api.post(`/payments/${payment.id}/refund`, { reason })));
  const [refund] = dataOf<{ id: number }[]>(await api.get(`/payments/${payment.id}/refunds`));
  // a second object of each kind, so that lists have a next page
  const waiting = await seedPayment(merchant, flow.name, mark, { payment_method: { token: 'tok_pending' } });
  traces.push(payment.provider_transaction_id, waiting.provider_transaction_id);
  return {
    traces,
    ids: {
      shop: shop.id,
      flow: flow.id,
      flow_name: flow.name,
      version: version.version,
      rollout: await rolloutOf(api, flow.id, version.version, mark),
      payment: payment.id,
      refund: refund!.id,
      operation: await operationOf(api, payment),
      payment_session: payment.payment_session_id,
      provider_transaction: payment.provider_transaction_id,
      transaction: payment.provider_transaction_id,
      sandboxDispute: await sandboxDisputeOf(api, payment, mark('dispute-code')),
      customer: payment.customer!['id'] as number,
      method: await methodOf(api, payment, mark('method')),
      delivery: await deliveredOf(api, payment),
      endpoint: await endpointOf(api, receiverUrl, mark),
      notification: await alarmOf(merchant, payment, secret),
      dispute: await disputeOf(merchant, payment, mark('dispute'), secret),
      provider: 'sandbox',
      report: 'captures',
      // the reference of an attempt, which only the payer's browser has
      reference: randomUUID(),
      client: await clientOf(api, mark('client')),
    },
  };
}

/** Two rollouts that have ended, so that the flow can be changed; returns the id of the second. */
async function rolloutOf(api: ApiClient, flow: number, version: number, mark: Mark): Promise<number> {
  const path = `/flows/${flow}/rollouts`;
  const run = async (): Promise<number> => {
    const body = { version, percent: 10, key: 'customer', reason: mark('rollout-reason') };
    const { id } = dataOf<{ id: number }>(await api.post(path, body));
    dataOf(await api.post(`${path}/${id}/abort`, { reason: mark('end-reason') }));
    return id;
  };
  await run();
  return run();
}

/** The id of its charge at the provider. */
async function operationOf(api: ApiClient, { id }: PaymentAnswer): Promise<number> {
  return dataOf<{ id: number }[]>(await api.get(`/payments/${id}/operations`))[0]!.id;
}

/** Two saved payment methods of its customer, so that the list has a next page; returns the id of the second. */
async function methodOf(api: ApiClient, { customer }: PaymentAnswer, type: string): Promise<number> {
  const body = { type: type.slice(0, 32), options: [{ provider: 'sandbox', token: 'tok_success' }] };
  const path = `/customers/${String(customer!['id'])}/payment-methods`;
  dataOf(await api.post(path, body));
  return dataOf<{ id: number }>(await api.post(path, body)).id;
}

/** The id of a standing endpoint. It gets no event of the objects from before. */
async function endpointOf(api: ApiClient, receiverUrl: string, mark: Mark): Promise<number> {
  const body = {
    url: `${receiverUrl}/${mark('standing-endpoint')}`,
    description: mark('description'),
    headers: { 'X-Seeded': mark('header') },
    auth: { type: 'basic', username: mark('username'), password: mark('password') },
    secret: mark('endpoint-secret'),
  };
  return dataOf<{ id: number }>(await api.post('/webhooks/endpoints', body)).id;
}

/** A notification of one more refund of a refunded payment, which raises an alarm. */
async function alarmOf(merchant: Merchant, payment: PaymentAnswer, secret: string): Promise<number> {
  const { provider_transaction_id: id, shop } = payment;
  const body = { id: randomUUID(), provider_transaction_id: id, status: 'refunded', amount: '0.01', currency: 'EUR' };
  dataOf(await merchant.sendNotification(shop.id, JSON.stringify(body), secret));
  const path = `/providers/notifications?shop_id=${shop.id}&outcome=alarm`;
  return dataOf<{ id: number }[]>(await merchant.api.get(path))[0]!.id;
}

/** A dispute that the provider reports. */
async function disputeOf(
  merchant: Merchant,
  { id: paymentId, provider_transaction_id: id, shop }: PaymentAnswer,
  disputeId: string,
  secret: string,
): Promise<number> {
  const dispute = { id: disputeId, kind: 'chargeback', status: 'open', amount: '49.90', currency: 'EUR' };
  const body = { id: randomUUID(), provider_transaction_id: id, status: 'disputed', dispute };
  dataOf(await merchant.sendNotification(shop.id, JSON.stringify(body), secret));
  return dataOf<{ id: number }[]>(await merchant.api.get(`/payments/${paymentId}/disputes`))[0]!.id;
}

/** A dispute that was opened at the sandbox. */
async function sandboxDisputeOf(
  api: ApiClient,
  { provider_transaction_id: id }: PaymentAnswer,
  reason_code: string,
): Promise<string> {
  const path = `/providers/sandbox/transactions/${id}/disputes`;
  return dataOf<{ id: string }>(await served(() => api.post(path, { amount: 0.01, reason_code }))).id;
}

/** A client with rights to read payments. */
async function clientOf(api: ApiClient, name: string): Promise<string> {
  const body = { name, role: 'custom', scopes: ['payments:read'] };
  return dataOf<{ client_id: string }>(await api.post('/clients', body)).client_id;
}

type Mark = (what: string) => string;

async function seedShop(merchant: Merchant, mark: Mark, secret: string): Promise<ShopAnswer> {
  return merchant.createShop(mark('shop'), {
    webhook_secret: mark('webhook-secret'),
    provider_credentials: { notification_secret: secret },
  });
}

function seedPayment(merchant: Merchant, flow: string, mark: Mark, fields: object): Promise<PaymentAnswer> {
  const customer = Object.fromEntries(
    ['first_name', 'last_name', 'full_name', 'address', 'city', 'region', 'gender', 'company', 'vat_number'].map(
      (field) => [field, mark(field)],
    ),
  );
  return merchant.pay(flow, {
    customer: { ...customer, email: `${mark('email')}@example.com` },
    metadata: { order: mark('metadata'), nested: [{ text: mark('nested') }] },
    payment_session_id: mark('session'),
    country: 'DE',
    ...fields,
  });
}

/** The first delivery of the payment, after all of them have arrived. */
async function deliveredOf(api: ApiClient, { id, shop }: PaymentAnswer): Promise<number> {
  return eventually(async () => {
    const path = `/webhooks/shop/${shop.id}/deliveries?payment_id=${id}`;
    const deliveries = dataOf<{ id: number; status: string }[]>(await api.get(path));
    return deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered') && deliveries[0]!.id;
  });
}
