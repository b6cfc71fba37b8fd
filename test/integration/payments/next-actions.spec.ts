import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { giveUpAtOnce } from './checkout.js';
import { eventually } from '../../support/eventually.js';

const METHOD = { payment_method: { token: 'tok_provider_action' } };
const codeOf = ({ status, body }: ApiResponse) => [status, (body as { code: string }).code];

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  api = await sharedApi();
  giveUpAtOnce(api);
  merchant = new Merchant(await api.login());
  const shop = await merchant.createShop('A');
  await merchant.createFlow('checkout', [shop.id]);
});
afterAll(() => api.stop());

const pay = async (fields: Record<string, unknown> = {}): Promise<PaymentAnswer> => {
  const payment = await merchant.pay('checkout', { ...METHOD, ...fields });
  const action = { type: 'provider_action', provider: 'sandbox', data: { challenge: expect.any(String) } };
  expect(payment).toMatchObject({ status: 'processing', next_action: action });
  return payment;
};
const complete = ({ id }: PaymentAnswer, data: unknown, by = merchant): Promise<ApiResponse> =>
  by.api.post(`/payments/${id}/next-action`, { data });
const causesOf = async ({ id }: PaymentAnswer) => (await merchant.history(id)).map(({ to }) => to);

/** Runs `between` after the provider's answer, before it is written. */
async function betweenCallAndWrite<T>(between: () => Promise<void>, during: () => Promise<T>): Promise<T> {
  const sandbox = api.get(SandboxProvider);
  const call = SandboxProvider.prototype.completeAction.bind(sandbox);
  sandbox.completeAction = async (...given) => {
    const answer = await call(...given);
    await between();
    return answer;
  };
  try {
    return await during();
  } finally {
    sandbox.completeAction = call;
  }
}

describe("a step of the payer in the merchant's page, at the sandbox", () => {
  it.each([
    ['approved', 'completed', {}],
    ['declined', 'failed', { decline_code: 'authentication_failed' }],
  ])('%s: the payment becomes %s, once, also after a repeat', async (result, status, metadata) => {
    const payment = await pay();
    const answer = dataOf<PaymentAnswer>(await complete(payment, { result }));
    expect(answer).toMatchObject({ status, next_action: null, provider_metadata: metadata });
    const repeats = await Promise.all([complete(payment, { result }), complete(payment, { result: 'other' })]);
    for (const repeat of repeats) expect(dataOf<PaymentAnswer>(repeat).status).toBe(status);
    expect(await causesOf(payment)).toEqual(['processing', status]);
  });

  it('two at once charge once', async () => {
    const payment = await pay();
    const answers = await Promise.all([1, 2, 3].map(() => complete(payment, { result: 'approved' })));
    for (const answer of answers) expect(dataOf<PaymentAnswer>(answer).status).toBe('completed');
    expect(await causesOf(payment)).toEqual(['processing', 'completed']);
  });

  it('the notification completes it, if the process dies before it writes the answer', async () => {
    const payment = await pay();
    const lost = await betweenCallAndWrite(
      () => Promise.reject(new Error('the process dies')),
      () => complete(payment, { result: 'approved' }),
    );
    expect(codeOf(lost)).toEqual([503, 'dependency_unavailable']);
    await eventually(async () => expect(await causesOf(payment)).toEqual(['processing', 'completed']));
    expect(dataOf<PaymentAnswer>(await complete(payment, { result: 'approved' })).status).toBe('completed');
  });

  it('answers the payment if the notification was faster than the answer', async () => {
    const payment = await pay();
    const notified = () =>
      eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
    const answer = await betweenCallAndWrite(notified, () => complete(payment, { result: 'approved' }));
    expect(dataOf<PaymentAnswer>(answer)).toMatchObject({ status: 'completed', next_action: null });
    expect(await causesOf(payment)).toEqual(['processing', 'completed']);
  });

  it.each([
    ['another transaction', { challenge: 'of-another', result: 'approved' }, 'data.challenge'],
    ['no result', {}, 'data.result'],
    ['an unknown result', { result: 'perhaps' }, 'data.result'],
  ])('refuses data of %s by name, and still waits', async (_name, data, field) => {
    const payment = await pay();
    const answer = await complete(payment, data);
    expect(codeOf(answer)).toEqual([422, 'validation_failed']);
    expect((answer.body as { errors: unknown }).errors).toEqual([{ field, message: expect.any(String) }]);
    expect((await merchant.payment(payment.id)).next_action).toEqual(payment.next_action);
  });

  it.each([
    ['no data', {}],
    ['a list', { data: [] }],
    ['too much data', { data: { text: 'x'.repeat(16_400) } }],
    ['a card number', { data: { number: '4111 1111 1111 1111' } }],
  ])('refuses %s', async (_name, body) => {
    const answer = await merchant.api.post(`/payments/${(await pay()).id}/next-action`, body);
    expect(codeOf(answer)).toEqual([422, 'validation_failed']);
    expect(JSON.stringify(answer.body)).not.toMatch(/4111 ?1111/);
  });

  it('a payment that waits for none refuses it', async () => {
    for (const token of ['tok_requires_action', 'tok_pending', 'tok_timeout']) {
      const payment = await merchant.pay('checkout', { payment_method: { token } });
      expect(codeOf(await complete(payment, { result: 'approved' }))).toEqual([409, 'no_next_action']);
    }
  });

  it('another merchant does not find it', async () => {
    const other = new Merchant(await api.loginAsAnotherMerchant());
    expect(codeOf(await complete(await pay(), { result: 'approved' }, other))).toEqual([404, 'payment_not_found']);
  });

  it('a cancellation ends it', async () => {
    const payment = await pay();
    expect(dataOf(await merchant.api.post(`/payments/${payment.id}/cancel`))).toMatchObject({
      status: 'cancelled',
      next_action: null,
    });
    expect(dataOf<PaymentAnswer>(await complete(payment, { result: 'approved' })).status).toBe('cancelled');
  });

  it('gives a caller without payments:read the further action only, and nothing of other callers', async () => {
    const payment = await pay({ metadata: { secret: 1 } });
    const narrow = new Merchant(await api.login('payments:write'));
    expect(dataOf(await complete(payment, { result: 'approved' }, narrow))).toMatchObject({
      status: 'completed',
      metadata: {},
    });
  });

  it('no webhook and no event has its data', async () => {
    const payment = await pay({ webhook_endpoint: 'https://merchant.example/hooks' });
    const { challenge } = payment.next_action!.data!;
    const deliveries = await api.deliveriesOf(payment.id);
    expect(deliveries.length).toBeGreaterThan(0);
    expect(JSON.stringify(deliveries)).not.toContain(challenge);
    await earlierTransactions(api.database);
    const events = await merchant.api.get('/events?limit=100');
    expect(JSON.stringify(events.body)).toContain(`"payment_id":${payment.id}`);
    expect(JSON.stringify(events.body)).not.toContain(challenge);
  });
});

describe('a next action that is too large to store', () => {
  it('counts as no answer, and the payment keeps waiting', async () => {
    const payment = await pay();
    const sandbox = api.get(SandboxProvider);
    const original = SandboxProvider.prototype.completeAction.bind(sandbox);
    const data = { text: 'x'.repeat(20_000) };
    sandbox.completeAction = () =>
      Promise.resolve({ outcome: 'processing', nextAction: { type: 'provider_action', provider: 'sandbox', data } });
    expect(codeOf(await complete(payment, { result: 'approved' }))).toEqual([503, 'dependency_unavailable']);
    sandbox.completeAction = original;
    expect((await merchant.payment(payment.id)).next_action).toEqual(payment.next_action);
    expect(dataOf<PaymentAnswer>(await complete(payment, { result: 'approved' })).status).toBe('completed');
  });
});
