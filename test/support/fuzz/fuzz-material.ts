import fc from 'fast-check';
import type { Pool } from 'pg';
import type { ApiClient } from '../app/api-client.js';
import { type FuzzMaterial, fromValue } from './fuzz-arbitraries.js';
import { anyMetadata, hostileValues } from './hostile-arbitraries.js';
import { type JsonNode, JsonObject, RawJson } from './json-text.js';
import { dataOf, Merchant, type PaymentAnswer } from '../app/merchant.js';
import { seedMerchant } from '../app/seeded-merchant.js';
import { stopOperations } from '../operation-work.js';

const COUNT = 5;
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/**
 * A merchant with one object of each kind, and values for bodies. Payments use a separate flow and shop, so that
 * changes and deletions do not affect them.
 */
export async function fuzzMaterial(api: ApiClient, receiverUrl: string, pool: Pool): Promise<FuzzMaterial> {
  const { ids } = await seedMerchant(api, receiverUrl);
  // an author approves nothing
  await pool.query("UPDATE flow_versions SET created_by = 'another client'");
  const merchant = new Merchant(api);
  const shop = await merchant.createShop('takes the payments');
  const flow = await merchant.createFlow('takes the payments', [shop.id]);
  const keyed = await merchant.createShop('signs with a key');
  await api.patch(`/shops/${keyed.id}`, { webhook_signing: 'public_key' });
  const done = await times(COUNT, () => merchant.pay(flow.name));
  const held = await times(COUNT, () => merchant.pay(flow.name, { capture: 'manual' }));
  const parts = await times(COUNT, () => merchant.pay(flow.name));
  const open = await times(2 * COUNT, () => merchant.pay(flow.name, { payment_method: { token: 'tok_pending' } }));
  const acting = await times(COUNT, () =>
    merchant.pay(flow.name, { payment_method: { token: 'tok_provider_action' } }),
  );
  const unknown = await times(COUNT, () =>
    merchant.pay(flow.name, { payment_method: { token: 'tok_charged_no_answer' } }),
  );
  const stopped = await stopCharges(pool, unknown);
  const atDashboard = await times(2 * COUNT, () => merchant.pay(flow.name));
  const heldAtDashboard = await times(2 * COUNT, () => merchant.pay(flow.name, { capture: 'manual' }));
  const saved = await savedMethods(api, merchant, flow.name);
  const spare = await times(COUNT, (index) => merchant.createFlow(`spare ${index}`, [shop.id]));
  // one after the other: together they would wait for connections on a busy machine
  const rollouts: { flow: number; rollout?: number }[] = [];
  for (let index = 0; index < 4 * COUNT; index++) {
    rollouts.push(await aFlowToRollOut(merchant, `to roll out ${index}`, shop.id, index >= COUNT));
  }
  const drafts: { flow: number; version: number }[] = [];
  for (let index = 0; index < 3 * COUNT; index++) {
    const { flow: id } = await aFlowToRollOut(merchant, `to approve ${index}`, shop.id, false);
    if (index >= COUNT) dataOf(await api.post(`/flows/${id}/versions/2/approval-requests`, {}));
    drafts.push({ flow: id, version: 2 });
  }
  const draftsOf = (from: number) =>
    drafts.slice(from * COUNT, (from + 1) * COUNT).map((each) => ({ ...ids, ...each }));
  await pool.query("UPDATE flow_versions SET created_by = 'another client' WHERE flow_id = ANY ($1)", [
    draftsOf(2).map(({ flow: id }) => id),
  ]);
  const rolloutsOf = (from: number) =>
    rollouts.slice(from * COUNT, (from + 1) * COUNT).map((each) => ({ ...ids, ...each }));
  const endpoints = await times(COUNT, async () =>
    dataOf<{ id: number }>(await api.post('/webhooks/endpoints', { url: `${receiverUrl}/spare` })),
  );
  const definition = definitions(shop.id, ids['shop'] as number);
  const transactionsOf = (payments: PaymentAnswer[], from: number) =>
    payments
      .slice(from * COUNT, (from + 1) * COUNT)
      .map(({ provider_transaction_id: transaction }) => ({ ...ids, transaction }));
  const transactions = open.slice(COUNT).map((payment) => payment.provider_transaction_id);
  return {
    ids,
    objects: {
      'POST /payments/{id}/cancel': open.slice(0, COUNT).map(({ id }) => ({ ...ids, payment: id })),
      'POST /payments/{id}/operations/{operationId}/settle': stopped.map((each) => ({ ...ids, ...each })),
      'POST /payments/{id}/capture': held.map(({ id }) => ({ ...ids, payment: id })),
      'POST /payments/{id}/next-action': acting.map(({ id }) => ({ ...ids, payment: id })),
      'POST /payments/{id}/refund': done.map(({ id }) => ({ ...ids, payment: id })),
      'POST /payments/{id}/refunds': parts.map(({ id }) => ({ ...ids, payment: id })),
      'POST /providers/sandbox/transactions/{transactionId}/refunds': transactionsOf(atDashboard, 0),
      'POST /providers/sandbox/transactions/{transactionId}/disputes': transactionsOf(atDashboard, 1),
      'POST /providers/sandbox/transactions/{transactionId}/captures': transactionsOf(heldAtDashboard, 0),
      'POST /providers/sandbox/transactions/{transactionId}/voids': transactionsOf(heldAtDashboard, 1),
      'DELETE /customers/{id}/payment-methods/{methodId}': saved.map((each) => ({ ...ids, ...each })),
      'DELETE /flows/{id}': spare.map(({ id }) => ({ ...ids, flow: id })),
      'POST /flows/{id}/versions/{version}/approval-requests': draftsOf(0),
      'POST /flows/{id}/versions/{version}/approval-requests/withdraw': draftsOf(1),
      'POST /flows/{id}/versions/{version}/reject': draftsOf(2),
      'POST /flows/{id}/rollouts': rolloutsOf(0),
      'PATCH /flows/{id}/rollouts/{rolloutId}': rolloutsOf(1),
      'POST /flows/{id}/rollouts/{rolloutId}/promote': rolloutsOf(2),
      'POST /flows/{id}/rollouts/{rolloutId}/abort': rolloutsOf(3),
      'DELETE /webhooks/endpoints/{id}': endpoints.map(({ id }) => ({ ...ids, endpoint: id })),
      'POST /providers/{provider}/notifications/{shopId}': [{ ...ids, shop: shop.id }],
      'POST /shops/{id}/webhook-key/rotate': [{ ...ids, shop: keyed.id }],
    },
    values: {
      ...fieldValues([shop.id, ids['shop'] as number], receiverUrl),
      definition,
      flow_name: fc.constant(flow.name),
      provider_transaction_id: fc.constantFrom(...transactions),
      id: fc.uuid(),
    },
    bodies: {
      'POST /payments/{id}/next-action': outcomes,
      'POST /payments/{id}/operations/{operationId}/settle': settlements,
      'POST /payments': payments(flow.name, receiverUrl),
      'POST /flows': fc.tuple(names, definition).map(([name, tree]) => withFields({ name }, tree)),
      'PATCH /flows/{id}': definition,
      'POST /flows/{id}/versions': definition,
      'POST /flows/{id}/rollouts': rolloutStarts,
      'PATCH /flows/{id}/rollouts/{rolloutId}': percents.map((percent) => fromValue({ percent })),
      'POST /flows/{id}/backtest': definition.map((tree) => withFields({ definition: tree }, new JsonObject([]))),
    },
  };
}

/** A flow with a draft, and its rollout if `isRunning`. */
async function aFlowToRollOut(
  { api }: Merchant,
  name: string,
  shopId: number,
  isRunning: boolean,
): Promise<{ flow: number; rollout?: number }> {
  const shops = [{ shop_id: shopId }];
  const flow = dataOf<{ id: number }>(await api.post('/flows', { name, strategy: 'weighted', shops })).id;
  dataOf(await api.post(`/flows/${flow}/versions`, { strategy: 'priority', shops }));
  if (!isRunning) return { flow };
  const body = { version: 2, percent: 10, key: 'payment' };
  return { flow, rollout: dataOf<{ id: number }>(await api.post(`/flows/${flow}/rollouts`, body)).id };
}

/** Stops the open charges of payments, as recovery does after three days. */
export async function stopCharges(
  pool: Pool,
  payments: { id: number }[],
): Promise<{ payment: number; operation: number }[]> {
  const { rows } = await pool.query<{ payment_id: number; id: number }>(
    stopOperations(`payment_id = ANY ($1) AND kind = 'charge'`),
    [payments.map(({ id }) => id)],
  );
  return rows.map(({ payment_id: payment, id: operation }) => ({ payment, operation }));
}

/** Saved payment methods of a customer who is not erased. */
async function savedMethods(
  api: ApiClient,
  merchant: Merchant,
  flowName: string,
): Promise<{ customer: number; method: number }[]> {
  const { customer } = await merchant.pay(flowName, { customer: { email: 'saves@example.com' } });
  const customerId = customer!['id'] as number;
  const body = { options: [{ provider: 'sandbox', token: 'tok_success' }] };
  return times(COUNT, async () => {
    const saved = dataOf<{ id: number }>(await api.post(`/customers/${customerId}/payment-methods`, body));
    return { customer: customerId, method: saved.id };
  });
}

/** Answers of the sandbox's script. */
const outcomes: fc.Arbitrary<JsonNode> = fc
  .constantFrom('approved', 'declined')
  .map((result) => fromValue({ data: { result } }));

const settlements: fc.Arbitrary<JsonNode> = fc
  .record({
    outcome: fc.constantFrom('captured', 'not_captured', 'refunded', 'voided'),
    reason: fc.constantFrom('the dashboard says so', 'ü 😀'),
    confirm: fc.boolean(),
  })
  .map((body) => fromValue(body));

const percents = fc.constantFrom(0, 0.01, 10, 33.33, 100);

const rolloutStarts: fc.Arbitrary<JsonNode> = fc
  .record({
    version: fc.constant(2),
    percent: percents,
    key: fc.constantFrom('payment', 'customer'),
    guardrail: fc.constantFrom(
      null,
      { max_drop_points: 0.1 },
      { max_drop_points: 50, min_payments: 20, confidence: 0.8 },
    ),
  })
  .map((body) => fromValue(body));

const withFields = (fields: Record<string, JsonNode>, { entries }: JsonObject): JsonObject =>
  new JsonObject([...Object.entries(fields), ...entries]);

/** Every name is different. */
const names: fc.Arbitrary<string> = fc
  .tuple(fc.uuid(), fc.constantFrom('', ' ü', ' 😀', ' "\\', " ' --", ' __proto__'))
  .map((parts) => parts.join(''));

function fieldValues(shops: number[], receiverUrl: string): Record<string, fc.Arbitrary<JsonNode>> {
  const anyShop = fc.constantFrom(...shops);
  const endpoints = ['/hooks', '/ü?a=%00&b=ö#c', `/${'x'.repeat(1_900)}`].map((path) => receiverUrl + path);
  const amounts = ['1', '100', '5000', '49.9', '0.01', '999999999999', '1e2', '100.00', '1.0e1'];
  return {
    name: names,
    shop_id: anyShop,
    shop: anyShop,
    never: anyShop,
    currency: fc.constantFrom('EUR', 'JPY', 'BHD', 'XAF'),
    amount: fc.constantFrom(...amounts).map((text) => new RawJson(text)),
    country: fc.constantFrom('DE', 'FR'),
    country_code: fc.constant('GB'),
    date_of_birth: fc.constantFrom('1985-12-10', '2000-02-29'),
    webhook_endpoint: fc.constantFrom(...endpoints),
    url: fc.constantFrom(...endpoints),
    shop_ids: fc.constantFrom(...shops).map((id) => fromValue([id])),
    event_types: fc.constantFrom('payment.status_changed', 'shop.down').map((type) => fromValue([type])),
    headers: fc.constant(fromValue({ 'X-Environment': 'test' })),
    auth: fc.constant(fromValue({ type: 'bearer', token: 'a-token' })),
    fees: fc.constant(fromValue([{ percent: 1.4, fixed: 0.25, currency: 'EUR' }, { percent: 2.9 }])),
    provider_credentials: fc.constant(fromValue({ notification_secret: 'a-secret-for-notifications' })),
    token: fc.constantFrom('tok_success', 'tok_decline', 'tok_soft_decline', 'tok_pending', 'tok_unavailable', 'other'),
  };
}

/** Payments with all fields that can be read back, and a webhook. */
const payments = (flowName: string, receiverUrl: string): fc.Arbitrary<JsonNode> =>
  fc
    .record({
      metadata: anyMetadata,
      email: fc.constantFrom('ada@example.com', 'a+b@x-y.example'),
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      token: fc.constantFrom('tok_success', 'tok_decline', 'tok_pending'),
      amount: fc.constantFrom('0.01', '49.90', '1e2', '999999999999.99').map((text) => new RawJson(text)),
    })
    .map(({ metadata, email, text, token, amount }) => {
      const customer = { email, first_name: text, company: text, address: text, country_code: 'GB' };
      const fixed = { flow_name: flowName, currency: 'EUR', country: 'DE', customer, payment_method: { token } };
      const endpoint = `${receiverUrl}/ü?a=%00`;
      return withFields({ amount, metadata, webhook_endpoint: endpoint }, fromValue(fixed) as JsonObject);
    });

/** Flows with two shops: simple ones, and ones with all fields, whose rules test values of every kind. */
function definitions(one: number, other: number): fc.Arbitrary<JsonObject> {
  const shops = [
    { shop_id: one, weight: 3, conditions: { currencies: ['EUR'], min_amount: 0, max_amount: 999_999_999_999 } },
    { shop_id: other, priority: 0, enabled: true },
  ];
  const plain = fc
    .constantFrom(
      ...['round_robin', 'weighted', 'priority', 'sticky', 'lowest_cost'].map((strategy) => ({ strategy })),
      { strategy: 'success_rate', success_rate: { objective: 'margin' } },
    )
    .map((choice) => new JsonObject([...(fromValue({ ...choice, shops }) as JsonObject).entries]));
  const full = hostileValues.map((value) => {
    const when = new JsonObject([['metadata.a.b', new JsonObject([['equals', value]])]]);
    const use = fromValue({ shops: [one], strategy: 'weighted' });
    const fixed = {
      strategy: 'rules',
      shops,
      default: { shops: [one, other], strategy: 'round_robin' },
      max_attempts: 2,
    };
    return withFields(
      {
        rules: [
          new JsonObject([
            ['when', when],
            ['use', use],
          ]),
          fromValue({ when: { country: { equals: 'FR' } }, decline: { code: 'blocked', message: 'Not in France.' } }),
        ],
        assertions: [fromValue({ when: { country: { equals: 'DE' } }, at_least: 1 })],
      },
      fromValue(fixed) as JsonObject,
    );
  });
  return fc.oneof(plain, full);
}
