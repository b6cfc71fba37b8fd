import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { recordSandbox } from './failover-harness.js';

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  api = await sharedApi();
  // a charge without an answer fails at once
  recordSandbox(api);
  merchant = new Merchant(await api.login());
  await merchant.createFlow('checkout', [(await merchant.createShop('A')).id]);
});
afterAll(() => api.stop());

const pay = (session: string | undefined, token = 'tok_success', key?: string) =>
  merchant.tryPay(
    'checkout',
    { unique: 'payment_session_id', payment_session_id: session, payment_method: { token } },
    key === undefined ? {} : { 'idempotency-key': key },
  );
const outcomeOf = ({ status, body }: ApiResponse) => [status, (body as { code?: string }).code];
const USED = [409, 'payment_session_used'];

describe('a unique payment_session_id', () => {
  it.each(['tok_success', 'tok_pending', 'tok_timeout'])('a second payment is refused after %s', async (token) => {
    const { id, status } = dataOf<PaymentAnswer>(await pay(token, token));
    const again = await pay(token);
    expect(outcomeOf(again)).toEqual(USED);
    expect(again.body).toMatchObject({ detail: `payment ${id} has this payment_session_id and is ${status}` });
  });

  it('another payment may have it after one that failed or was cancelled', async () => {
    expect(dataOf<PaymentAnswer>(await pay('again', 'tok_decline')).status).toBe('failed');
    const { id } = dataOf<PaymentAnswer>(await pay('again', 'tok_timeout'));
    expect((await merchant.api.post(`/payments/${id}/cancel`)).status).toBe(200);
    expect(dataOf<PaymentAnswer>(await pay('again')).status).toBe('completed');
    expect(outcomeOf(await pay('again'))).toEqual(USED);
  });

  it('one of several requests at the same time pays it', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay('at once')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('counts payments that did not ask for it, and binds only those that do', async () => {
    const plain = { payment_session_id: 'plain' };
    await merchant.pay('checkout', plain);
    expect(outcomeOf(await pay('plain'))).toEqual(USED);
    await merchant.pay('checkout', plain);
  });

  it('belongs to one merchant', async () => {
    const other = new Merchant(await api.loginAsAnotherMerchant());
    await other.createFlow('checkout', [(await other.createShop('B')).id]);
    await merchant.pay('checkout', { payment_session_id: 'shared' });
    const answer = await other.tryPay('checkout', { unique: 'payment_session_id', payment_session_id: 'shared' });
    expect(answer.status).toBe(201);
  });

  it('a repeat of the key gets its payment', async () => {
    const first = await pay('keyed', 'tok_success', 'unique-session-key');
    const again = await pay('keyed', 'tok_success', 'unique-session-key');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(outcomeOf(await pay('keyed', 'tok_success', 'other-session-key'))).toEqual(USED);
  });

  it('a request for a unique one must give it', async () => {
    const { status, body } = await pay(undefined);
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        errors: [{ field: 'payment_session_id', message: 'is needed with unique: payment_session_id' }],
      }),
    ]);
  });
});
