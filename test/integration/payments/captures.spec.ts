import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationExpiry } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { doDueWork } from '../../support/app/due-work.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
  provider = new LedgerProvider(api);
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  shopId = (await merchant.createShop(`Shop ${Math.random()}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const ENDPOINT = 'http://127.0.0.1:4000/';
const pay = (fields: Record<string, unknown> = {}) =>
  merchant.pay(`flow ${shopId}`, { capture: 'manual', webhook_endpoint: ENDPOINT, ...fields });
const capture = ({ id }: { id: number }, amount?: number): Promise<ApiResponse> =>
  merchant.api.post(`/payments/${id}/capture`, amount === undefined ? {} : { amount });
const cancel = ({ id }: { id: number }) => merchant.api.post(`/payments/${id}/cancel`);
const amountsOf = async ({ id }: { id: number }) => {
  const payment = await merchant.payment(id);
  return [payment.status, payment.amount_authorized, payment.amount_captured, payment.amount_refunded];
};
const stepsOf = async ({ id }: { id: number }) => (await merchant.history(id)).map(({ to, cause }) => `${to} ${cause}`);
const captureOf = async ({ id }: { id: number }) =>
  (await operationsOf(api, id)).filter(({ kind }) => kind === 'capture').map(({ state }) => state);
const send = (...events: TestEvent[]) => sendEvents(merchant, shopId, events);
const of = ({ provider_transaction_id: transactionId }: PaymentAnswer) => ({ transactionId });
const codeOf = ({ body }: ApiResponse) => (body as { code: string }).code;
const keysOf = ({ id }: { id: number }) => new Set(provider.callsOf(id, 'capture').map(({ key }) => key));

async function lapse({ id }: { id: number }): Promise<void> {
  const past = `UPDATE payments SET capture_before = now() - interval '1 s' WHERE id = $1`;
  await api.database.pool.query(past, [id]);
  await doDueWork(api, new AuthorizationExpiry(api.get(OperationRecords)).work);
}

describe('a payment with manual capture', () => {
  it('PaymentsService authorises it first, in the answer, the history and the webhook', async () => {
    const payment = await pay();
    expect(payment).toMatchObject({
      status: 'processing',
      capture: 'manual',
      amount_authorized: 49.9,
      amount_captured: 0,
      amount_refunded: 0,
      capture_before: provider.captureBefore.toISOString(),
    });
    expect(await stepsOf(payment)).toEqual(['processing provider_answer']);
    const [delivery] = await api.deliveriesOf(payment.id);
    expect(delivery!.payment_status).toBe('processing');
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed', is_due: false }]);
  });

  it('PaymentActionsService captures once for many callers at once', async () => {
    const payment = await pay();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => capture(payment, n % 2 ? 30 : 20)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(keysOf(payment).size).toBe(1);
    const [status, , captured] = await amountsOf(payment);
    expect(status).toBe('completed');
    expect([20, 30]).toContain(captured);
    expect([...provider.entries.values()].at(-1)).toMatchObject({
      status: 'captured',
      capturedAmount: `${captured}.0000`,
    });
  });

  it.each([
    [50, 'must be at most the authorised 49.9'],
    [0, 'must be a positive number'],
    [10.001, 'must have at most 2 decimals in EUR'],
    ['10', 'must be a number conforming to the specified constraints'],
  ])('refuses to capture %j', async (amount, message) => {
    const answer = await capture(await pay(), amount as number);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(message);
  });

  it('takes the capture of its flow unless the request names one', async () => {
    const name = `flow of ${shopId}`;
    const flow = { name, strategy: 'round_robin', capture: 'manual', shops: [{ shop_id: shopId }] };
    expect(dataOf(await merchant.api.post('/flows', flow))).toMatchObject({ capture: 'manual' });
    expect(await merchant.pay(name)).toMatchObject({ capture: 'manual', status: 'processing' });
    expect(await merchant.pay(name, { capture: 'automatic' })).toMatchObject({ status: 'completed' });
  });
});

describe('a flow for payments with manual capture', () => {
  const simulate = (fields: Record<string, unknown>) =>
    merchant.api.post('/flows/simulate', { flow_name: `flow of ${shopId}`, explain: true, ...fields });

  it('excludes shops whose provider cannot capture later, and says so in every answer', async () => {
    provider.capabilities = { ...provider.capabilities, manualCapture: false };
    const flow = { name: `flow of ${shopId}`, strategy: 'round_robin', shops: [{ shop_id: shopId }] };
    const { id } = dataOf<{ id: number }>(await merchant.api.post('/flows', flow));
    const refused = await merchant.tryPay(flow.name, { capture: 'manual' });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'no_available_shop']);
    expect((refused.body as { detail: string }).detail).toBe(`shop ${shopId}: capability_missing`);
    expect(await merchant.pay(flow.name)).toMatchObject({ status: 'completed', capture: 'automatic' });

    type Simulation = {
      result: { primary_shop: unknown };
      explanation: { shops: { tests: Record<string, string> }[] };
    };
    const manual = dataOf<Simulation>(await simulate({ capture: 'manual' }));
    expect(manual.result.primary_shop).toBeNull();
    expect(manual.explanation.shops[0]!.tests).toMatchObject({ capability_missing: 'failed', currency: 'passed' });
    const automatic = dataOf<Simulation>(await simulate({}));
    expect(automatic.result.primary_shop).toMatchObject({ shop_id: shopId });
    expect(automatic.explanation.shops[0]!.tests).not.toHaveProperty('capability_missing');
    // a version that makes all payments manual
    dataOf(await merchant.api.post(`/flows/${id}/versions`, { ...flow, name: undefined, capture: 'manual' }));
    dataOf(await merchant.api.post(`/flows/${id}/versions/2/activate`));
    expect(dataOf<Simulation>(await simulate({})).result.primary_shop).toBeNull();
    expect((await merchant.tryPay(flow.name)).status).toBe(409);
    expect((await merchant.tryPay(flow.name, { capture: 'automatic' })).status).toBe(201);
  });

  it('stores the capture with the decision', async () => {
    const payment = await pay();
    const decision = dataOf(await merchant.api.get(`/payments/${payment.id}/decision`));
    expect(decision).toMatchObject({ picked: shopId, capture: 'manual' });
  });
});

describe('a capture whose answer is lost', () => {
  it.each(['lost', 'dropped'] as const)('OperationRecovery makes it once: %s', async (fate) => {
    provider.fates = { capture: [fate] };
    const payment = await pay();
    expect((await capture(payment, 30)).status).toBe(503);
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
    expect(codeOf(await cancel(payment))).toBe('illegal_status_change');
    await recover(api, [payment.id], 1);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
    expect(keysOf(payment).size).toBe(1);
  });

  it('OperationRunner looks it up when the provider has forgotten its key', async () => {
    provider.fates = { capture: ['lost'] };
    const payment = await pay();
    await capture(payment, 30);
    const old = `UPDATE provider_operations SET tries = 2, created_at = now() - interval '2 days' WHERE kind = 'capture'
      AND payment_id = $1`;
    await api.database.pool.query(old, [payment.id]);
    await recover(api, [payment.id], 1);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
    expect(provider.callsOf(payment.id, 'capture')).toHaveLength(1);
  });

  it('stays unknown if the provider neither keeps the key nor can be asked', async () => {
    provider.fates = { capture: ['lost'] };
    const payment = await pay();
    await capture(payment, 30);
    provider.capabilities = { ...provider.capabilities, lookup: 'none' };
    const old = `UPDATE provider_operations SET tries = 2, created_at = now() - interval '2 days' WHERE kind = 'capture'
      AND payment_id = $1`;
    await api.database.pool.query(old, [payment.id]);
    await recover(api, [payment.id], 1);
    expect(provider.callsOf(payment.id, 'capture')).toHaveLength(1);
    expect(await captureOf(payment)).toEqual(['unknown']);
  });

  it('PaymentActionsService does not repeat it for a request after the provider has forgotten its key', async () => {
    provider.fates = { capture: ['lost'] };
    const payment = await pay();
    await capture(payment, 20);
    provider.capabilities = { ...provider.capabilities, lookup: 'none' };
    // no worker ran meanwhile
    const old = `UPDATE provider_operations SET state = 'open', created_at = now() - interval '2 days'
      WHERE kind = 'capture' AND payment_id = $1 AND tries = 1`;
    expect((await api.database.pool.query(old, [payment.id])).rowCount).toBe(1);
    expect((await capture(payment, 20)).status).toBe(503);
    expect(provider.callsOf(payment.id, 'capture')).toHaveLength(1);
  });
});

describe('a capture that a notification decides', () => {
  beforeEach(() => {
    provider.isAsynchronous = true;
  });

  it('completes the payment', async () => {
    const payment = await pay();
    expect(payment.capture_pending).toBe(false);
    const pending = { status: 'processing', amount_captured: 0, capture_pending: true };
    expect(dataOf(await capture(payment, 30))).toMatchObject(pending);
    await recover(api, [payment.id], 1);
    expect(await captureOf(payment)).toEqual(['pending']);
    const { body } = await merchant.api.get<{ data: PaymentAnswer[] }>(`/payments?shop_id=${shopId}`);
    expect(body.data).toMatchObject([pending]);
    await send({ status: 'completed', match: of(payment), amount: '30.00', currency: 'EUR' });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
    expect(await captureOf(payment)).toEqual(['confirmed']);
    expect((await merchant.payment(payment.id)).capture_pending).toBe(false);
  });
});

describe('an authorisation that lapses', () => {
  it('AuthorizationExpiry leaves it to its capture under way, and to one void', async () => {
    provider.fates = { capture: ['lost'], void: ['dropped'] };
    const [captured, voided, valid] = [await pay(), await pay(), await pay()];
    await capture(captured, 30);
    for (const payment of [captured, voided, voided]) await lapse(payment);
    await recover(api, [captured.id, voided.id, valid.id], 2);
    expect((await amountsOf(captured))[0]).toBe('completed');
    expect((await operationsOf(api, voided.id)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
    expect((await amountsOf(voided))[0]).toBe('cancelled');
    expect((await amountsOf(valid))[0]).toBe('processing');
  });
});
