import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient, type ApiResponse } from '../../support/app/api-client.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { replace } from '../../support/providers/shared-provider-api.js';
import { sharedSandbox } from './sandbox-harness.js';

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  ({ api, merchant } = await sharedSandbox());
});
afterAll(() => api?.stop());

const pay = (token = 'tok_success', fields: Record<string, unknown> = {}): Promise<PaymentAnswer> =>
  merchant.pay('checkout', { payment_method: { token }, ...fields });
const authorize = (token = 'tok_authorize_only') => pay(token, { capture: 'manual' });

const dashboard = (
  { provider_transaction_id: id }: PaymentAnswer,
  change: 'captures' | 'voids' | 'refunds' | 'disputes',
  body: object = {},
  { key, client = merchant.api }: { key?: string; client?: ApiClient } = {},
): Promise<ApiResponse> =>
  client.post(
    `/providers/sandbox/transactions/${id}/${change}`,
    body,
    key === undefined ? {} : { 'idempotency-key': key },
  );

const amountsOf = async ({ id }: PaymentAnswer) => {
  const { status, amount_captured: captured, amount_refunded: refunded } = await merchant.payment(id);
  return [status, captured, refunded];
};
const heldOf = async ({ id }: PaymentAnswer) => {
  const rows = await merchant.api.get(`/providers/sandbox/transactions?payment_id=${id}`);
  return dataOf<{ status: string; captured_amount: number; refunded_amount: number }[]>(rows).map((row) => [
    row.status,
    row.captured_amount,
    row.refunded_amount,
  ])[0];
};
const refundsOf = async ({ id }: PaymentAnswer) =>
  dataOf<{ origin: string; status: string; amount: number }[]>(await merchant.api.get(`/payments/${id}/refunds`)).map(
    ({ origin, status, amount }) => [origin, status, amount],
  );
const refusalOf = ({ status, body }: ApiResponse) => {
  const { code, detail, errors } = body as { code: string; detail?: string; errors?: { field: string }[] };
  return [status, code, errors?.map(({ field }) => field).join() ?? detail];
};
const unconfirmed = (reason: string) => [409, 'provider_unconfirmed', expect.stringContaining(reason)];

describe("a refund at the sandbox's dashboard", () => {
  it('of a part, then of the rest, becomes refunds of the payment with the origin provider', async () => {
    const payment = await pay();
    expect(dataOf(await dashboard(payment, 'refunds', { amount: 10 }))).toMatchObject({ refunded_amount: 10 });
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
    expect(dataOf(await dashboard(payment, 'refunds'))).toMatchObject({ status: 'refunded', refunded_amount: 49.9 });
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9]);
    expect(await refundsOf(payment)).toEqual([
      ['provider', 'succeeded', 39.9],
      ['provider', 'succeeded', 10],
    ]);
    expect(refusalOf(await dashboard(payment, 'refunds'))).toEqual(unconfirmed('nothing_to_refund'));
  });

  it('DashboardChanges makes once under a key, and refuses for another request', async () => {
    const payment = await pay();
    const send = (amount: number) => dashboard(payment, 'refunds', { amount }, { key: `return-${payment.id}` });
    const answers = await Promise.all([send(10), send(10), send(10)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(dataOf(await send(10))).toMatchObject({ refunded_amount: 10 });
    expect(refusalOf(await send(11)).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 10]);
  });

  it('at the same time as others and as ours never exceeds what is captured', async () => {
    const payment = await pay();
    const ours = () => merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10 });
    const theirs = () => dashboard(payment, 'refunds', { amount: 10 });
    await Promise.all([theirs(), ours(), theirs(), ours(), theirs(), ours(), theirs()]);
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 40]);
    await eventually(async () => expect(await amountsOf(payment)).toEqual(['completed', 49.9, 40]));
  });

  it.each([
    [{ amount: 49.91 }, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 1.001 }, 'amount'],
    [{ amount: '10' }, 'amount'],
    [{ sum: 1 }, 'sum'],
  ])('of %j is refused by field', async (body, field) => {
    const payment = await pay();
    expect(refusalOf(await dashboard(payment, 'refunds', body))).toEqual([422, 'validation_failed', field]);
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 0]);
  });

  it('of an authorisation, and with tok_refund_refused, is refused', async () => {
    expect(refusalOf(await dashboard(await authorize(), 'refunds'))).toEqual(unconfirmed('not_captured'));
    const refused = await dashboard(await pay('tok_refund_refused'), 'refunds');
    expect(refusalOf(refused)).toEqual(unconfirmed('refund_refused'));
  });

  it.each([
    ['tok_refund_pending', 'succeeded', ['refunded', 49.9, 49.9]],
    ['tok_refund_fails', 'failed', ['completed', 49.9, 0]],
  ])('with %s is pending first, then %s', async (token, status, amounts) => {
    const payment = await pay(token);
    dataOf(await dashboard(payment, 'refunds'));
    await eventually(async () => expect(await refundsOf(payment)).toEqual([['provider', status, 49.9]]));
    expect(await amountsOf(payment)).toEqual(amounts);
  });
});

describe("a capture at the sandbox's dashboard", () => {
  it('of a part completes the payment with this amount, once', async () => {
    const payment = await authorize();
    expect(refusalOf(await dashboard(payment, 'captures', { amount: 50 }))).toEqual([
      422,
      'validation_failed',
      'amount',
    ]);
    expect(dataOf(await dashboard(payment, 'captures', { amount: 30 }, { key: `ship-${payment.id}` }))).toMatchObject({
      status: 'captured',
      captured_amount: 30,
    });
    expect(await amountsOf(payment)).toEqual(['completed', 30, 0]);
    expect((await dashboard(payment, 'captures', { amount: 30 }, { key: `ship-${payment.id}` })).status).toBe(200);
    expect(refusalOf(await dashboard(payment, 'captures'))).toEqual(unconfirmed('already_captured'));
  });

  it('without an amount captures all of it; with tok_capture_pending a little later', async () => {
    const payment = await authorize('tok_capture_pending');
    dataOf(await dashboard(payment, 'captures'));
    await eventually(async () => expect(await amountsOf(payment)).toEqual(['completed', 49.9, 0]));
  });

  it('and a void at the same time never both win', async () => {
    for (let round = 0; round < 5; round++) {
      const payment = await authorize();
      const answers = await Promise.all([dashboard(payment, 'captures'), dashboard(payment, 'voids')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const expected = answers[0].status === 200 ? ['completed', 49.9, 0] : ['cancelled', 0, 0];
      await eventually(async () => expect(await amountsOf(payment)).toEqual(expected));
    }
  });
});

describe("a void at the sandbox's dashboard", () => {
  it.each(['tok_authorize_only', 'tok_pending'])(
    'of %s cancels the payment; a repeat changes nothing',
    async (token) => {
      const payment = await authorize(token);
      expect(dataOf(await dashboard(payment, 'voids'))).toMatchObject({ status: 'voided' });
      expect(await amountsOf(payment)).toEqual(['cancelled', 0, 0]);
      expect(dataOf(await dashboard(payment, 'voids'))).toMatchObject({ status: 'voided' });
    },
  );

  it('of a captured, a declined or a refused one is refused', async () => {
    expect(refusalOf(await dashboard(await pay(), 'voids'))).toEqual(unconfirmed('already_captured'));
    expect(refusalOf(await dashboard(await pay('tok_decline'), 'voids'))).toEqual(unconfirmed('nothing_to_void'));
    const refused = await dashboard(await authorize('tok_void_refused'), 'voids');
    expect(refusalOf(refused)).toEqual(unconfirmed('void_refused'));
  });
});

describe('the dashboard of the sandbox', () => {
  const CHANGES = ['captures', 'voids', 'refunds', 'disputes'] as const;

  it('shows no merchant the transactions of another, and knows no malformed id', async () => {
    const payment = await pay();
    const stranger = await api.loginAsAnotherMerchant();
    for (const change of CHANGES) {
      const refusal = refusalOf(await dashboard(payment, change, {}, { client: stranger }));
      expect(refusal.slice(0, 2)).toEqual([404, 'transaction_not_found']);
      for (const id of ['%00', 'sbx_unknown', 'x'.repeat(300)]) {
        const answer = await merchant.api.post(`/providers/sandbox/transactions/${id}/${change}`, {});
        expect(refusalOf(answer).slice(0, 2)).toEqual([404, 'transaction_not_found']);
      }
    }
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 0]);
  });

  it('refuses a token that only reads, and a malformed key', async () => {
    const payment = await pay();
    const client = await api.login('payments:read');
    for (const change of CHANGES) {
      expect((await dashboard(payment, change, {}, { client })).status).toBe(403);
      expect((await dashboard(payment, change, {}, { key: 'with space' })).status).toBe(400);
    }
  });

  it('refuses changes that it cannot report, for a shop without a secret', async () => {
    const shop = await merchant.createShop('silent', { provider_credentials: {} });
    await merchant.createFlow('silent', [shop.id]);
    const payment = await merchant.pay('silent');
    for (const change of CHANGES) {
      expect(refusalOf(await dashboard(payment, change))).toEqual(unconfirmed(`shop ${shop.id}`));
    }
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 0]);
  });

  it('changes nothing if it cannot store the notification', async () => {
    const { pool } = api.database;
    const [captured, held] = [await pay(), await authorize()];
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON sandbox_notifications FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const answers = [
      await dashboard(captured, 'refunds'),
      await dashboard(captured, 'disputes'),
      await dashboard(held, 'captures'),
      await dashboard(held, 'voids'),
    ];
    await pool.query('DROP FUNCTION refuse CASCADE');
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect([await heldOf(captured), await heldOf(held)]).toEqual([
      ['captured', 49.9, 0],
      ['authorized', 0, 0],
    ]);
    // the refused dispute left nothing, so all of the amount can be disputed
    expect(dataOf(await dashboard(captured, 'disputes'))).toMatchObject({ amount: 49.9 });
  });
});

describe('a change at the dashboard whose process ends before its notification arrives', () => {
  it('SandboxNotifier of the next process reports it', async () => {
    const notifier = api.get(SandboxProvider).books!.notifier;
    const putBack = replace(notifier, { state: 'stopped' });
    let next: TestApi | undefined;
    try {
      const [payment, held] = [await pay(), await authorize()];
      dataOf(await dashboard(payment, 'refunds', { amount: 10 }));
      dataOf(await dashboard(payment, 'disputes', { amount: 20 }));
      dataOf(await dashboard(held, 'captures', { amount: 30 }));
      expect([await amountsOf(payment), await amountsOf(held)]).toEqual([
        ['completed', 49.9, 0],
        ['processing', 0, 0],
      ]);
      next = await startApi({}, { other: api });
      await eventually(async () => {
        expect([await amountsOf(payment), await amountsOf(held)]).toEqual([
          ['completed', 49.9, 10],
          ['completed', 30, 0],
        ]);
        expect(await merchant.payment(payment.id)).toMatchObject({ disputed_amount: 20 });
      });
    } finally {
      putBack();
      notifier.wake(0);
      await next?.stop();
    }
  });
});

describe('without a ledger', () => {
  it('the sandbox has no transaction to change', async () => {
    const other = await startApi({ SANDBOX_LEDGER: 'false' }, { other: api });
    try {
      const client = new ApiClient(other.url, merchant.api.token);
      const answer = await dashboard(await pay(), 'refunds', {}, { client });
      expect(refusalOf(answer).slice(0, 2)).toEqual([404, 'transaction_not_found']);
    } finally {
      await other.stop();
    }
  });
});
