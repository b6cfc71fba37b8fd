import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorizationExpiry } from '../../../src/payments/expiry/authorization-expiry.service.js';
import { OperationRecords } from '../../../src/payments/ledger/operation-records.service.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { storedOf, sendEvents, scriptNotifications, type TestEvent } from './scripted-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '2000' });
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
  await new AuthorizationExpiry(api.get(OperationRecords), new SystemClock()).expireBatch();
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

  it('PaymentCaptures captures the whole amount if none is named', async () => {
    const payment = await pay();
    expect(dataOf(await capture(payment))).toMatchObject({ status: 'completed', amount_captured: 49.9 });
    expect(await stepsOf(payment)).toEqual(['processing provider_answer', 'completed capture_requested']);
    expect((await merchant.payment(payment.id)).capture_before).toBeNull();
    expect(await captureOf(payment)).toEqual(['confirmed']);
  });

  it('PaymentCaptures captures a part, and the rest is released', async () => {
    const payment = await pay();
    await capture(payment, 30);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
  });

  it('PaymentActionsService refunds what was captured', async () => {
    const payment = await pay();
    await capture(payment, 30);
    expect((await merchant.api.post(`/payments/${payment.id}/refund`)).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 30, 30]);
  });

  it('PaymentCaptures returns the payment for the same amount again, and refuses another', async () => {
    const payment = await pay();
    await capture(payment, 30);
    for (const again of [await capture(payment, 30), await capture(payment)]) {
      expect(dataOf(again)).toMatchObject({ status: 'completed', amount_captured: 30 });
    }
    const other = await capture(payment, 10);
    expect([other.status, codeOf(other)]).toEqual([409, 'capture_already_made']);
    expect(provider.callsOf(payment.id, 'capture')).toHaveLength(1);
  });

  it('PaymentCaptures captures once for many callers at once', async () => {
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

  it('refuses to capture a part at a provider that cannot', async () => {
    provider.capabilities = { ...provider.capabilities, partialCapture: false };
    const payment = await pay();
    expect((await capture(payment, 30)).status).toBe(422);
    expect((await capture(payment, 49.9)).status).toBe(200);
  });

  it('refuses to capture what is not authorised', async () => {
    provider.fates = { charge: ['dropped'] };
    const [pending, automatic] = [await pay(), await pay({ capture: 'automatic' })];
    for (const payment of [pending, automatic]) {
      const answer = await capture(payment);
      expect([answer.status, codeOf(answer)]).toEqual([409, 'illegal_status_change']);
    }
    expect(automatic).toMatchObject({ status: 'completed', amount_authorized: 49.9, amount_captured: 49.9 });
    expect((await merchant.api.post('/payments/999999999/capture', {})).status).toBe(404);
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

  it('PaymentCaptures does not repeat it for a request after the provider has forgotten its key', async () => {
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

describe('a capture that the provider refuses', () => {
  it('leaves the authorisation, and may be asked for again', async () => {
    provider.fates = { capture: [{ refused: 'too_early' }] };
    const payment = await pay();
    const refused = await capture(payment, 30);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'provider_unconfirmed']);
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
    expect((await capture(payment, 20)).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 20, 0]);
    expect(keysOf(payment).size).toBe(2);
  });

  it.each([
    ['captured', { capturedAmount: '12.0000' }, ['completed', 49.9, 12, 0]],
    ['captured', {}, ['completed', 49.9, 49.9, 0]],
    ['voided', {}, ['cancelled', 49.9, 0, 0]],
  ] as const)(
    'because it was %s with %j at the provider, ends as the provider says',
    async (status, fields, amounts) => {
      const payment = await pay();
      provider.finish(payment.id, status, fields);
      expect((await capture(payment, 30)).status).toBe(409);
      expect(await amountsOf(payment)).toEqual(amounts);
      expect(await captureOf(payment)).toEqual(['refused']);
    },
  );
});

describe('a capture that a notification decides', () => {
  beforeEach(() => {
    provider.isAsynchronous = true;
  });

  it('completes the payment', async () => {
    const payment = await pay();
    expect(dataOf(await capture(payment, 30))).toMatchObject({ status: 'processing', amount_captured: 0 });
    await recover(api, [payment.id], 1);
    expect(await captureOf(payment)).toEqual(['pending']);
    await send({ status: 'completed', match: of(payment), amount: '30.00', currency: 'EUR' });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
    expect(await captureOf(payment)).toEqual(['confirmed']);
  });

  it('takes its own amount from a notification without one', async () => {
    const payment = await pay();
    await capture(payment, 30);
    await send({ status: 'completed', match: of(payment) });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
  });

  it('PaymentCaptures captures again after a failure, which is an alarm', async () => {
    const payment = await pay();
    await capture(payment, 30);
    const { reference } = provider.callsOf(payment.id, 'capture')[0]!;
    await send({ status: 'capture_failed', match: of(payment), operationId: 'of another' });
    expect(await captureOf(payment)).toEqual(['pending']);
    await send({ status: 'capture_failed', match: of(payment), operationId: `op_${reference}` });
    expect(await captureOf(payment)).toEqual(['refused']);
    expect((await storedOf(api, shopId)).map(({ outcome }) => outcome)).toEqual(['alarm', 'alarm']);
    expect((await capture(payment, 20)).status).toBe(200);
  });
});

describe('an authorisation', () => {
  it('made after a redirect, or reported first, waits for its capture', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    expect(payment).toMatchObject({ status: 'processing', amount_authorized: 0 });
    const captureBefore = '2030-01-01T00:00:00.000Z';
    await send({ status: 'authorized', match: of(payment), amount: '49.90', captureBefore: captureBefore as never });
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
    expect((await api.deliveriesOf(payment.id)).map((delivery) => delivery.payment_status)).toEqual(['processing']);
    provider.finish(payment.id, 'authorized');
    expect((await capture(payment, 30)).status).toBe(200);
  });

  it('ChargeRecovery finds it, and does not take it for a charge', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    expect(payment.status).toBe('pending');
    await recover(api, [payment.id], 2);
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
    expect((await merchant.payment(payment.id)).capture_before).toBe(provider.captureBefore.toISOString());
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed' }]);
  });

  it('of an automatic payment completes it when the provider reports it, and not when it is found', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay({ capture: 'automatic' });
    provider.finish(payment.id, 'authorized');
    await recover(api, [payment.id], 1);
    expect(await amountsOf(payment)).toEqual(['processing', 0, 0, 0]);
    const match = of(await merchant.payment(payment.id));
    await send({ status: 'authorized', match, amount: '49.00' });
    expect((await storedOf(api, shopId)).map(({ reason }) => reason)).toEqual(['amount_differs']);
    await send({ status: 'authorized', match, amount: '49.90' });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 49.9, 0]);
  });

  it('of another amount is an alarm', async () => {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    await send({ status: 'authorized', match: of(payment), amount: '49.00' });
    expect(await amountsOf(payment)).toEqual(['processing', 0, 0, 0]);
    expect((await storedOf(api, shopId)).map(({ reason }) => reason)).toEqual(['amount_differs']);
  });

  it('that is captured in part at the provider completes the payment, without an alarm', async () => {
    const payment = await pay();
    await send({ status: 'completed', match: of(payment), amount: '12.50', currency: 'EUR' });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 12.5, 0]);
    expect((await storedOf(api, shopId)).map(({ outcome }) => outcome)).toEqual(['applied']);
  });

  it.each([
    ['another part', '10.00'],
    ['more than the rest', '49.90'],
  ])('that was captured is an alarm if the provider reports %s', async (_, amount) => {
    const payment = await pay();
    await capture(payment, 12.5);
    await send({ status: 'completed', match: of(payment), amount: '12.50' });
    await send({ status: 'completed', match: of(payment), amount });
    expect((await storedOf(api, shopId)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['ignored', 'status_unchanged'],
      ['alarm', 'amount_differs'],
    ]);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 12.5, 0]);
  });

  it('that arrives after the cancellation is voided, and has charged no payer', async () => {
    provider.beforeAnswer = async ({ paymentId }) => {
      expect((await cancel({ id: paymentId })).status).toBe(200);
    };
    provider.fates = { void: ['dropped'] };
    const payment = await pay();
    expect(payment).toMatchObject({ status: 'cancelled', charged_after_end: false });
    await recover(api, [payment.id], 2);
    expect(provider.heldOf(payment.id)).toEqual(['voided']);
    expect((await operationsOf(api, payment.id)).map(({ kind, state }) => [kind, state])).toEqual([
      ['charge', 'confirmed'],
      ['void', 'confirmed'],
    ]);
  });

  it('PaymentActionsService releases it, after which nothing can be captured', async () => {
    const payment = await pay();
    expect(dataOf(await cancel(payment))).toMatchObject({ status: 'cancelled', amount_captured: 0 });
    expect(await stepsOf(payment)).toEqual(['processing provider_answer', 'cancelled cancel_requested']);
    expect(codeOf(await capture(payment))).toBe('illegal_status_change');
    expect(provider.heldOf(payment.id)).toEqual(['voided']);
  });

  it('that is being cancelled cannot be captured', async () => {
    provider.fates = { void: ['dropped'] };
    const payment = await pay();
    expect((await cancel(payment)).status).toBe(503);
    expect(codeOf(await capture(payment))).toBe('illegal_status_change');
    await recover(api, [payment.id], 1);
    expect(await amountsOf(payment)).toEqual(['cancelled', 49.9, 0, 0]);
  });

  it('keeps its payment through a failure that is reported late', async () => {
    const payment = await pay();
    await send({ status: 'failed', match: of(payment) });
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
  });
});

describe('an authorisation that lapses', () => {
  it('cancels its payment', async () => {
    const payment = await pay();
    await lapse(payment);
    await recover(api, [payment.id], 1);
    expect(await stepsOf(payment)).toEqual(['processing provider_answer', 'cancelled authorization_expired']);
    expect(provider.heldOf(payment.id)).toEqual(['voided']);
  });

  it('completes its payment if it was captured at the provider', async () => {
    const payment = await pay();
    provider.finish(payment.id, 'captured', { capturedAmount: '7.0000' });
    await lapse(payment);
    await recover(api, [payment.id], 1);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 7, 0]);
    expect(provider.callsOf(payment.id, 'void')).toEqual([]);
  });

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

  it('OperationRunner voids it under another key while the provider refuses', async () => {
    provider.fates = { void: [{ refused: 'not_now' }] };
    const payment = await pay();
    await lapse(payment);
    await recover(api, [payment.id], 1);
    expect((await amountsOf(payment))[0]).toBe('processing');
    await recover(api, [payment.id], 1);
    expect((await amountsOf(payment))[0]).toBe('cancelled');
  });

  it.each(['authorization_expired', 'cancelled'] as const)(
    'ProviderEvents ends it as the provider reports: %s',
    async (status) => {
      const payment = await pay();
      await send({ status, match: of(payment) });
      const cause = status === 'cancelled' ? 'provider_notification' : status;
      expect(await stepsOf(payment)).toEqual(['processing provider_answer', `cancelled ${cause}`]);
    },
  );
});
