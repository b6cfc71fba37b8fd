import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { endDeliveries } from '../app/end-deliveries.js';
import type { MerchantState } from '../app/merchant-state.js';
import { dataOf, type Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../app/merchant.js';
import { stopOperations } from '../operation-work.js';

export interface WritingRequest {
  path: string;
  /** A text is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An operation that may write, on objects that `prepare` creates. */
export interface WritingOperation {
  prepare(fixture: MerchantFixture): Promise<WritingRequest>;
  /**
   * The effect of repeating the request: `nothing` changes, and the answer says so or repeats the first one; `another`
   * object is created, as documented. `reads`: even the first request writes nothing.
   */
  repeat: 'nothing' | 'another' | 'reads';
  /** Whether the state is an intermediate one that the design allows and from which a repeated request continues. */
  isBetween?(state: MerchantState): boolean;
  /** `prepare` takes as long as the provider's time-out. */
  waits?: true;
}

export interface MerchantFixture {
  merchant: Merchant;
  client: { id: string; secret: string };
  pool: Pool;
}

/** An endpoint without a receiver: the port is closed. */
const ENDPOINT = 'http://127.0.0.1:65535/hook';

async function aFlow({ merchant }: MerchantFixture) {
  const shop = await merchant.createShop('Berlin');
  const flow = await merchant.createFlow('checkout', [shop.id]);
  return { shop, flow, shops: [{ shop_id: shop.id }] };
}

async function aFlowWithDraft(fixture: MerchantFixture): Promise<{ path: string }> {
  const { flow, shops } = await aFlow(fixture);
  dataOf(await fixture.merchant.api.post(`/flows/${flow.id}/versions`, { strategy: 'priority', shops }));
  return { path: `/flows/${flow.id}` };
}

/** The path of a version with a request for its approval. */
async function aRequestedVersion(fixture: MerchantFixture): Promise<string> {
  const path = `${(await aFlowWithDraft(fixture)).path}/versions/2`;
  dataOf(await fixture.merchant.api.post(`${path}/approval-requests`, { message: 'Paris costs less' }));
  return path;
}

/** The path of a client that may give no rights. */
async function aClient({ merchant }: MerchantFixture): Promise<string> {
  const body = { name: 'Ada', kind: 'person', role: 'support' };
  return `/clients/${dataOf<{ client_id: string }>(await merchant.api.post('/clients', body)).client_id}`;
}

/** The path of a rollout that is running. */
async function aRollout(fixture: MerchantFixture): Promise<string> {
  const { path } = await aFlowWithDraft(fixture);
  const body = { version: 2, percent: 10, key: 'payment' };
  const { id } = dataOf<{ id: number }>(await fixture.merchant.api.post(`${path}/rollouts`, body));
  return `${path}/rollouts/${id}`;
}

async function aPayment(fixture: MerchantFixture, token = 'tok_success', fields = {}): Promise<PaymentAnswer> {
  await aFlow(fixture);
  return fixture.merchant.pay('checkout', { payment_method: { token }, webhook_endpoint: ENDPOINT, ...fields });
}

const SAVED_METHOD = {
  type: 'card',
  options: [{ provider: 'sandbox', token: 'tok_success' }],
  card: { scheme: 'visa' },
};

async function aCustomer(fixture: MerchantFixture): Promise<string> {
  const { customer } = await aPayment(fixture, 'tok_success', { customer: { email: 'ada@example.com' } });
  return String(customer?.['id']);
}

/** A payment whose deliveries have ended, without a worker. */
async function aFailedDelivery(fixture: MerchantFixture) {
  const payment = await aPayment(fixture);
  const ending = { status: 'failed', lastError: 'connect_failed' };
  const ids = await endDeliveries(fixture.pool, 'payment_id = $1', [payment.id], ending);
  return { payment, deliveryId: ids.at(-1)! };
}

/** The path of a standing endpoint without a receiver. */
async function aStandingEndpoint({ merchant }: MerchantFixture): Promise<string> {
  const { id } = dataOf<{ id: number }>(await merchant.api.post('/webhooks/endpoints', { url: ENDPOINT }));
  return `/webhooks/endpoints/${id}`;
}

const PAYMENT = {
  flow_name: 'checkout',
  amount: 49.9,
  currency: 'EUR',
  customer: { email: 'ada@example.com' },
  metadata: { order: 'A-1' },
  webhook_endpoint: ENDPOINT,
};

const SETTLEMENT = { outcome: 'captured', reason: 'the dashboard says so', confirm: true };

/** The charge of a payment, as if its amount had differed: recovery does not try it any longer. */
async function stoppedOf({ pool }: MerchantFixture, paymentId: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(stopOperations(`payment_id = $1 AND kind = 'charge'`), [paymentId]);
  return rows[0]!.id;
}

/** Pending, its attempt begun, and no change visible: a repeated request with the same key continues it. */
const isPaymentBegun = (state: MerchantState): boolean =>
  state.some((line) => /^payments .*"status":"pending"/.test(line)) &&
  state.some((line) => /^payment_attempts .*"outcome":null/.test(line)) &&
  !state.some((line) => /^(pending_deliveries|payment_status_changes) /.test(line));

/** Pending, and its payment not refunded yet: a repeated request continues it, and so does recovery. */
const isRefundBegun = (state: MerchantState): boolean =>
  state.some((line) => /^refunds .*"status":"pending"/.test(line)) &&
  state.some((line) => /^payments .*"status":"completed"/.test(line));

/** A change at the sandbox's dashboard, under a key. */
async function atDashboard(
  fixture: MerchantFixture,
  change: string,
  body: object | undefined,
  fields = {},
): Promise<WritingRequest> {
  const { provider_transaction_id: id } = await aPayment(fixture, 'tok_success', fields);
  const path = `/providers/sandbox/transactions/${id}/${change}`;
  return { path, body, headers: { 'idempotency-key': 'dashboard-A-1' } };
}

/** The operation has two paths. */
const aBacktest = (path: string): WritingOperation => ({
  prepare: async (fixture) => {
    const payment = await aPayment(fixture);
    return { path: `/flows/${payment.flow_id}/${path}`, body: { version: 1 } };
  },
  repeat: 'reads',
});

/** By `METHOD path` of the OpenAPI document: every POST, PUT, PATCH and DELETE. */
export const WRITING_OPERATIONS: Record<string, WritingOperation> = {
  'POST /auth/token': {
    prepare: ({ client: { id, secret } }) =>
      Promise.resolve({
        path: '/auth/token',
        body: { grant_type: 'client_credentials', client_id: id, client_secret: secret },
      }),
    repeat: 'reads',
  },
  'POST /clients': {
    prepare: () => Promise.resolve({ path: '/clients', body: { name: 'Ada', kind: 'person', role: 'support' } }),
    repeat: 'another',
  },
  'PATCH /clients/{clientId}': {
    prepare: async (fixture) => ({ path: await aClient(fixture), body: { name: 'Grace', role: 'finance' } }),
    repeat: 'nothing',
  },
  'DELETE /clients/{clientId}': {
    prepare: async (fixture) => ({ path: await aClient(fixture) }),
    repeat: 'nothing',
  },
  'POST /clients/{clientId}/rotate-secret': {
    prepare: async (fixture) => ({
      path: `${await aClient(fixture)}/rotate-secret`,
      body: { overlap_seconds: 3600 },
    }),
    repeat: 'nothing', // in the compared state: there is a secret and a previous one
  },
  'POST /shops': {
    prepare: () =>
      Promise.resolve({
        path: '/shops',
        body: { name: 'Paris', provider_credentials: { notification_secret: NOTIFICATION_SECRET } },
      }),
    repeat: 'nothing',
  },
  'PATCH /shops/{id}': {
    prepare: async ({ merchant }) => {
      const shop = await merchant.createShop('Berlin');
      return { path: `/shops/${shop.id}`, body: { name: 'Rome', enabled: false } };
    },
    repeat: 'nothing',
  },
  'POST /shops/{id}/credentials/check': {
    prepare: async ({ merchant }) => ({
      path: `/shops/${(await merchant.createShop('Berlin')).id}/credentials/check`,
    }),
    repeat: 'nothing',
  },
  'POST /shops/{id}/webhook-secret/rotate': {
    prepare: async ({ merchant }) => ({
      path: `/shops/${(await merchant.createShop('Berlin')).id}/webhook-secret/rotate`,
      body: { overlap_seconds: 3600 },
    }),
    repeat: 'nothing', // in the compared state: there is a secret and a previous one
  },
  'POST /shops/{id}/webhook-key/rotate': {
    prepare: async ({ merchant }) => {
      const { id } = await merchant.createShop('Berlin');
      dataOf(await merchant.api.patch(`/shops/${id}`, { webhook_signing: 'public_key' }));
      return { path: `/shops/${id}/webhook-key/rotate`, body: { overlap_seconds: 3600 } };
    },
    repeat: 'nothing', // in the compared state: there is a key and a previous one
  },
  'POST /flows': {
    prepare: async ({ merchant }) => {
      const shop = await merchant.createShop('Berlin');
      return { path: '/flows', body: { name: 'checkout', strategy: 'round_robin', shops: [{ shop_id: shop.id }] } };
    },
    repeat: 'nothing',
  },
  'PATCH /flows/{id}': {
    prepare: async (fixture) => {
      const { flow } = await aFlow(fixture);
      const other = await fixture.merchant.createShop('Paris');
      return {
        path: `/flows/${flow.id}`,
        body: { name: 'till', strategy: 'priority', shops: [{ shop_id: other.id, priority: 1 }] },
      };
    },
    repeat: 'nothing',
  },
  'PATCH /payments/{id}': {
    prepare: async (fixture) => ({
      path: `/payments/${(await aPayment(fixture)).id}`,
      body: { metadata: { order_id: 'A-1002' } },
    }),
    repeat: 'nothing',
  },
  'DELETE /flows/{id}': {
    prepare: async (fixture) => ({ path: `/flows/${(await aFlow(fixture)).flow.id}` }),
    repeat: 'nothing',
  },
  'POST /flows/simulate': {
    prepare: async (fixture) => {
      await aFlow(fixture);
      return { path: '/flows/simulate', body: { flow_name: 'checkout', amount: 5, currency: 'EUR', explain: true } };
    },
    repeat: 'reads',
  },
  'POST /flows/{id}/backtest': aBacktest('backtest'),
  'POST /flows/{id}/replay': aBacktest('replay'),
  'POST /flows/{id}/versions': {
    prepare: async (fixture) => {
      const { flow, shops } = await aFlow(fixture);
      return { path: `/flows/${flow.id}/versions`, body: { strategy: 'priority', shops } };
    },
    repeat: 'another',
  },
  'POST /flows/{id}/versions/{version}/approve': {
    prepare: async (fixture) => {
      const { flow, shops } = await aFlow(fixture);
      dataOf(await fixture.merchant.api.post(`/flows/${flow.id}/versions`, { strategy: 'priority', shops }));
      await fixture.pool.query("UPDATE flow_versions SET created_by = 'another' WHERE flow_id = $1", [flow.id]);
      return { path: `/flows/${flow.id}/versions/2/approve`, body: { reason: 'checked' } };
    },
    repeat: 'nothing',
  },
  'POST /flows/{id}/versions/{version}/approval-requests': {
    prepare: async (fixture) => {
      const { path } = await aFlowWithDraft(fixture);
      return { path: `${path}/versions/2/approval-requests`, body: { message: 'Paris costs less' } };
    },
    repeat: 'nothing',
  },
  'POST /flows/{id}/versions/{version}/approval-requests/withdraw': {
    prepare: async (fixture) => ({ path: `${await aRequestedVersion(fixture)}/approval-requests/withdraw` }),
    repeat: 'nothing',
  },
  'POST /flows/{id}/versions/{version}/reject': {
    prepare: async (fixture) => {
      const path = await aRequestedVersion(fixture);
      await fixture.pool.query("UPDATE flow_versions SET created_by = 'another' WHERE flow_id = $1 AND version = 2", [
        Number(path.split('/')[2]),
      ]);
      return { path: `${path}/reject`, body: { reason: 'Berlin has no contract' } };
    },
    repeat: 'nothing',
  },
  'POST /flows/{id}/versions/{version}/comments': {
    prepare: async (fixture) => {
      const { path } = await aFlowWithDraft(fixture);
      return { path: `${path}/versions/2/comments`, body: { comment: 'What does Berlin charge?' } };
    },
    repeat: 'another',
  },
  'POST /flows/{id}/versions/{version}/activate': {
    prepare: async (fixture) => {
      const { path } = await aFlowWithDraft(fixture);
      return { path: `${path}/versions/2/activate` };
    },
    repeat: 'nothing',
  },
  'POST /flows/{id}/rollouts': {
    prepare: async (fixture) => {
      const { path } = await aFlowWithDraft(fixture);
      return { path: `${path}/rollouts`, body: { version: 2, percent: 10, key: 'customer' } };
    },
    repeat: 'nothing',
  },
  'PATCH /flows/{id}/rollouts/{rolloutId}': {
    prepare: async (fixture) => ({ path: await aRollout(fixture), body: { percent: 50, reason: 'no declines' } }),
    repeat: 'nothing',
  },
  'POST /flows/{id}/rollouts/{rolloutId}/promote': {
    prepare: async (fixture) => ({ path: `${await aRollout(fixture)}/promote`, body: { reason: 'better' } }),
    repeat: 'nothing',
  },
  'POST /flows/{id}/rollouts/{rolloutId}/abort': {
    prepare: async (fixture) => ({ path: `${await aRollout(fixture)}/abort`, body: { reason: 'worse' } }),
    repeat: 'nothing',
  },
  'POST /payments': {
    prepare: async (fixture) => {
      await aFlow(fixture);
      return { path: '/payments', body: PAYMENT, headers: { 'idempotency-key': 'order-A-1' } };
    },
    repeat: 'nothing',
    isBetween: isPaymentBegun,
  },
  'POST /payments/{id}/cancel': {
    prepare: async (fixture) => ({ path: `/payments/${(await aPayment(fixture, 'tok_timeout')).id}/cancel` }),
    repeat: 'nothing',
    waits: true,
  },
  'POST /payments/{id}/capture': {
    prepare: async (fixture) => {
      const payment = await aPayment(fixture, 'tok_success', { capture: 'manual' });
      assert.equal(payment.status, 'processing');
      return { path: `/payments/${payment.id}/capture`, body: { amount: 30 } };
    },
    repeat: 'nothing',
  },
  'POST /payments/{id}/next-action': {
    prepare: async (fixture) => {
      const payment = await aPayment(fixture, 'tok_provider_action');
      assert.equal(payment.status, 'processing');
      return { path: `/payments/${payment.id}/next-action`, body: { data: { result: 'approved' } } };
    },
    repeat: 'nothing',
  },
  'POST /payments/{id}/refund': {
    prepare: async (fixture) => {
      const payment = await aPayment(fixture);
      assert.equal(payment.status, 'completed');
      return { path: `/payments/${payment.id}/refund`, body: { reason: 'returned' } };
    },
    repeat: 'nothing',
    isBetween: isRefundBegun,
  },
  'POST /payments/{id}/refunds': {
    prepare: async (fixture) => ({
      path: `/payments/${(await aPayment(fixture)).id}/refunds`,
      body: { reason: 'returned', metadata: { return: 'R-1' } },
      headers: { 'idempotency-key': 'return-R-1' },
    }),
    repeat: 'nothing',
    isBetween: isRefundBegun,
  },
  'POST /payments/{id}/sync': {
    // the payment has ended, so the provider is not asked
    prepare: async (fixture) => ({ path: `/payments/${(await aPayment(fixture)).id}/sync` }),
    repeat: 'reads',
  },
  'POST /payments/{id}/operations/{operationId}/settle': {
    prepare: async (fixture) => {
      const { id } = await aPayment(fixture, 'tok_pending');
      return { path: `/payments/${id}/operations/${await stoppedOf(fixture, id)}/settle`, body: SETTLEMENT };
    },
    repeat: 'nothing',
  },
  'POST /customers/{id}/erase': {
    prepare: async (fixture) => ({ path: `/customers/${await aCustomer(fixture)}/erase` }),
    repeat: 'nothing',
  },
  'POST /customers/{id}/payment-methods': {
    prepare: async (fixture) => ({
      path: `/customers/${await aCustomer(fixture)}/payment-methods`,
      body: SAVED_METHOD,
      headers: { 'idempotency-key': 'saved-1' },
    }),
    repeat: 'nothing',
  },
  'DELETE /customers/{id}/payment-methods/{methodId}': {
    prepare: async (fixture) => {
      const path = `/customers/${await aCustomer(fixture)}/payment-methods`;
      const { id } = dataOf<{ id: number }>(await fixture.merchant.api.post(path, SAVED_METHOD));
      return { path: `${path}/${id}` };
    },
    repeat: 'nothing',
  },
  'POST /providers/notifications/{id}/acknowledge': {
    prepare: async (fixture) => {
      const payment = await aPayment(fixture);
      const { rows } = await fixture.pool.query<{ id: number }>(
        `INSERT INTO provider_notifications (shop_id, provider, notification_id, payment_id, status, data, outcome, reason,
          received_at)
        VALUES ($1, 'sandbox', 'evt_1', $2, 'completed', '{}', 'alarm', 'amount_differs', now()) RETURNING id`,
        [payment.shop.id, payment.id],
      );
      return { path: `/providers/notifications/${rows[0]!.id}/acknowledge` };
    },
    repeat: 'nothing',
  },
  // they write the sandbox's books, which are another company's; its notifications do not arrive here
  'POST /providers/sandbox/transactions/{transactionId}/captures': {
    prepare: (fixture) => atDashboard(fixture, 'captures', { amount: 30 }, { capture: 'manual' }),
    repeat: 'reads',
  },
  'POST /providers/sandbox/transactions/{transactionId}/voids': {
    prepare: (fixture) => atDashboard(fixture, 'voids', undefined, { capture: 'manual' }),
    repeat: 'reads',
  },
  'POST /providers/sandbox/transactions/{transactionId}/refunds': {
    prepare: (fixture) => atDashboard(fixture, 'refunds', { amount: 10 }),
    repeat: 'reads',
  },
  'POST /providers/sandbox/transactions/{transactionId}/disputes': {
    prepare: (fixture) => atDashboard(fixture, 'disputes', { amount: 10 }),
    repeat: 'reads',
  },
  'PATCH /providers/sandbox/disputes/{sandboxDisputeId}': {
    prepare: async (fixture) => {
      const { path, body, headers } = await atDashboard(fixture, 'disputes', { amount: 10 });
      const dispute = dataOf<{ id: string }>(await fixture.merchant.api.post(path, body, headers));
      return { path: `/providers/sandbox/disputes/${dispute.id}`, body: { status: 'lost' } };
    },
    repeat: 'reads',
  },
  'POST /providers/{provider}/notifications/{shopId}': {
    prepare: async (fixture) => {
      const payment = await aPayment(fixture, 'tok_pending');
      const body = JSON.stringify({
        id: 'evt_1',
        provider_transaction_id: payment.provider_transaction_id,
        status: 'completed',
      });
      const signature = createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');
      return { path: `/providers/sandbox/notifications/${payment.shop.id}`, body, headers: { signature } };
    },
    repeat: 'nothing',
  },
  'POST /webhooks/deliveries/{id}/retry': {
    prepare: async (fixture) => ({ path: `/webhooks/deliveries/${(await aFailedDelivery(fixture)).deliveryId}/retry` }),
    repeat: 'nothing',
  },
  'POST /webhooks/redeliver': {
    // a repeated request joins the one in progress
    prepare: async (fixture) => {
      const { payment } = await aFailedDelivery(fixture);
      return { path: '/webhooks/redeliver', body: { shop_id: payment.shop.id } };
    },
    repeat: 'nothing',
  },
  'POST /webhooks/endpoints': {
    prepare: async (fixture) => {
      const { shop } = await aFlow(fixture);
      return { path: '/webhooks/endpoints', body: { url: ENDPOINT, shop_ids: [shop.id], headers: { 'X-A': '1' } } };
    },
    repeat: 'another',
  },
  'PATCH /webhooks/endpoints/{id}': {
    prepare: async (fixture) => ({
      path: await aStandingEndpoint(fixture),
      body: { url: 'http://127.0.0.1:65534/moved', auth: { type: 'bearer', token: 'a-token' } },
    }),
    repeat: 'nothing',
  },
  'DELETE /webhooks/endpoints/{id}': {
    prepare: async (fixture) => ({ path: await aStandingEndpoint(fixture) }),
    repeat: 'nothing',
  },
  'POST /webhooks/endpoints/{id}/pause': {
    prepare: async (fixture) => ({ path: `${await aStandingEndpoint(fixture)}/pause` }),
    repeat: 'nothing',
  },
  'POST /webhooks/endpoints/{id}/resume': {
    prepare: async (fixture) => {
      const path = await aStandingEndpoint(fixture);
      dataOf(await fixture.merchant.api.post(`${path}/pause`));
      return { path: `${path}/resume` };
    },
    repeat: 'nothing',
  },
  'POST /webhooks/endpoints/{id}/rotate-secret': {
    prepare: async (fixture) => ({
      path: `${await aStandingEndpoint(fixture)}/rotate-secret`,
      body: { overlap_seconds: 3600 },
    }),
    repeat: 'nothing', // in the compared state: there is a secret and a previous one
  },
  'POST /webhooks/endpoints/{id}/test': {
    prepare: async (fixture) => ({ path: `${await aStandingEndpoint(fixture)}/test`, body: {} }),
    repeat: 'nothing',
  },
  'POST /webhooks/endpoints/{id}/conformance': {
    prepare: async (fixture) => ({ path: `${await aStandingEndpoint(fixture)}/conformance` }),
    repeat: 'nothing',
  },
  'POST /webhooks/shop/{shopId}/test': {
    prepare: async ({ merchant }) => ({
      path: `/webhooks/shop/${(await merchant.createShop('Berlin')).id}/test`,
      body: { webhook_endpoint: ENDPOINT },
    }),
    repeat: 'nothing',
  },
  'POST /webhooks/shop/{shopId}/conformance': {
    prepare: async ({ merchant }) => ({
      path: `/webhooks/shop/${(await merchant.createShop('Berlin')).id}/conformance`,
      body: { webhook_endpoint: ENDPOINT },
    }),
    repeat: 'nothing',
  },
  'POST /webhooks/verify': {
    prepare: async ({ merchant }) => ({
      path: '/webhooks/verify',
      body: { shop_id: (await merchant.createShop('Berlin')).id, body: '{}', headers: {} },
    }),
    repeat: 'reads',
  },
  'POST /webhooks/shop/{shopId}/replay': {
    prepare: async (fixture) => {
      const { payment } = await aFailedDelivery(fixture);
      const [from, to] = [Date.now() - 3_600_000, Date.now() + 3_600_000].map((ms) => new Date(ms).toISOString());
      return { path: `/webhooks/shop/${payment.shop.id}/replay`, body: { from, to } };
    },
    repeat: 'nothing',
  },
};
