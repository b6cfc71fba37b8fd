import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { eventually } from '../../support/eventually.js';
import { sharedSandbox } from './sandbox-harness.js';

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  ({ api, merchant } = await sharedSandbox());
});
afterAll(() => api?.stop());

interface Dispute {
  id: string;
  kind: string;
  status: string;
  amount: number;
  evidence_due_by: string;
}

const open = (
  { provider_transaction_id: id }: PaymentAnswer,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> => merchant.api.post(`/providers/sandbox/transactions/${id}/disputes`, body, headers);
const change = ({ id }: { id: string }, body: object): Promise<ApiResponse> =>
  merchant.api.patch(`/providers/sandbox/disputes/${id}`, body);
const opened = async (body: object = {}): Promise<{ payment: PaymentAnswer; dispute: Dispute }> => {
  const payment = await merchant.pay('checkout');
  return { payment, dispute: dataOf<Dispute>(await open(payment, body)) };
};
/** The disputes that were reported to this service. */
const reportedOf = async ({ id }: PaymentAnswer) =>
  dataOf<{ provider_dispute_id: string; kind: string; status: string; amount: number; evidence_due_by: string }[]>(
    await merchant.api.get(`/payments/${id}/disputes`),
  );
const stateOf = async (payment: PaymentAnswer) =>
  (await reportedOf(payment)).map(({ kind, status }) => `${kind} ${status}`);
const eventsOf = async ({ id }: PaymentAnswer) =>
  (
    await api.database.pool.query<{ type: string }>(
      `SELECT type FROM webhook_events WHERE payment_id = $1 AND type LIKE 'dispute%' ORDER BY id`,
      [id],
    )
  ).rows.map(({ type }) => type);
const refusalOf = ({ status, body }: ApiResponse) => {
  const { code, detail, errors } = body as { code: string; detail?: string; errors?: { field: string }[] };
  return [status, code, errors?.map(({ field }) => field).join() ?? detail];
};
const unconfirmed = (reason: string) => [409, 'provider_unconfirmed', expect.stringContaining(reason)];

describe('a dispute at the sandbox', () => {
  it('of the whole amount is reported with its reason and a week for evidence', async () => {
    const sendNow = jest.spyOn(api.get(SandboxProvider).books!.notifier, 'sendNow');
    const { payment, dispute } = await opened();
    expect(sendNow).toHaveBeenCalledTimes(1);
    dataOf(await change(dispute, {}));
    expect(sendNow).toHaveBeenCalledTimes(2);
    sendNow.mockRestore();
    expect(dispute).toMatchObject({ kind: 'chargeback', status: 'open', amount: 49.9, reason_code: 'fraudulent' });
    expect(Date.parse(dispute.evidence_due_by) - Date.now()).toBeGreaterThan(6 * 86_400_000);
    const { id: provider_dispute_id, ...fields } = dispute;
    const { kind, status, amount, evidence_due_by } = fields;
    await eventually(async () =>
      expect(await reportedOf(payment)).toMatchObject([{ provider_dispute_id, kind, status, amount, evidence_due_by }]),
    );
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', disputed_amount: 49.9 });
  });

  it.each(['won', 'lost', 'accepted'])('SandboxDisputes puts under review, then makes %s, once', async (end) => {
    const { payment, dispute } = await opened({ amount: 20, reason_code: 'product_not_received' });
    const due = '2030-01-02T03:04:05.000Z';
    dataOf(await change(dispute, { status: 'under_review', evidence_due_by: due }));
    await eventually(async () =>
      expect(await reportedOf(payment)).toMatchObject([{ status: 'under_review', amount: 20, evidence_due_by: due }]),
    );
    expect(refusalOf(await change(dispute, { status: 'open' }))).toEqual(unconfirmed('under review'));
    expect(dataOf(await change(dispute, { status: end }))).toMatchObject({ status: end });
    expect(dataOf(await change(dispute, { status: end }))).toMatchObject({ status: end });
    expect(refusalOf(await change(dispute, { status: 'open' }))).toEqual(unconfirmed(`is closed: ${end}`));
    await eventually(async () => expect(await stateOf(payment)).toEqual([`chargeback ${end}`]));
    expect(await eventsOf(payment)).toEqual(['dispute.opened', 'dispute.updated', 'dispute.closed']);
  });

  it('as an inquiry becomes a chargeback and a pre-arbitration, and is never earlier again', async () => {
    const { payment, dispute } = await opened({ kind: 'inquiry' });
    expect(await merchant.payment(payment.id)).toMatchObject({ disputed_amount: 0 });
    dataOf(await change(dispute, { kind: 'chargeback' }));
    dataOf(await change(dispute, { status: 'won' }));
    dataOf(await change(dispute, { kind: 'pre_arbitration' }));
    expect(refusalOf(await change(dispute, { kind: 'inquiry' }))).toEqual([422, 'validation_failed', 'kind']);
    dataOf(await change(dispute, { status: 'lost' }));
    await eventually(async () => expect(await stateOf(payment)).toEqual(['pre_arbitration lost']));
  });

  it('SandboxDisputes opens once under a key, and for one of two requests without one', async () => {
    const payment = await merchant.pay('checkout');
    const key = { 'idempotency-key': `dispute-${payment.id}` };
    const ids = await Promise.all(
      [1, 2, 3].map(async () => dataOf<Dispute>(await open(payment, { amount: 9.9 }, key)).id),
    );
    expect(new Set(ids).size).toBe(1);
    expect(refusalOf(await open(payment, { amount: 9 }, key)).slice(0, 2)).toEqual([422, 'idempotency_key_reused']);
    const answers = await Promise.all([open(payment), open(payment)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    await eventually(async () =>
      expect((await reportedOf(payment)).map(({ amount }) => amount).sort()).toEqual([40, 9.9]),
    );
  });

  it('at the same time is won or lost, not both', async () => {
    const { payment, dispute } = await opened();
    const answers = await Promise.all([change(dispute, { status: 'won' }), change(dispute, { status: 'lost' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status } = dataOf<Dispute>(answers.find((answer) => answer.status === 200)!);
    await eventually(async () => expect(await stateOf(payment)).toEqual([`chargeback ${status}`]));
  });

  it.each([
    [{ amount: 49.91 }, 'amount'],
    [{ amount: 1.001 }, 'amount'],
    [{ kind: 'arbitration' }, 'kind'],
    [{ reason_code: 'no code' }, 'reason_code'],
    [{ evidence_due_by: 'tomorrow' }, 'evidence_due_by'],
  ])('with %j is refused by field', async (body, field) => {
    const payment = await merchant.pay('checkout');
    expect(refusalOf(await open(payment, body))).toEqual([422, 'validation_failed', field]);
    expect(await reportedOf(payment)).toEqual([]);
  });

  it('needs a captured transaction, also a refunded one', async () => {
    const held = await merchant.pay('checkout', { capture: 'manual' });
    expect(refusalOf(await open(held))).toEqual(unconfirmed('not_captured'));
    const payment = await merchant.pay('checkout');
    dataOf(await merchant.api.post(`/payments/${payment.id}/refund`, {}));
    expect((await open(payment)).status).toBe(201);
  });

  it('of another merchant, or without a valid id, is not found', async () => {
    const { dispute } = await opened();
    const stranger = await api.loginAsAnotherMerchant();
    const path = `/providers/sandbox/disputes/${dispute.id}`;
    const answers = [
      await stranger.patch(path, { status: 'lost' }),
      await stranger.get(path),
      await change({ id: 'sbd_unknown' }, { status: 'lost' }),
      await change({ id: '%00' }, { status: 'lost' }),
    ];
    expect(answers.map((answer) => refusalOf(answer).slice(0, 2))).toEqual(
      Array.from({ length: 4 }, () => [404, 'dispute_not_found']),
    );
    expect(refusalOf(await change(dispute, { status: 'closed' }))).toEqual([422, 'validation_failed', 'status']);
    expect(dataOf(await change(dispute, {}))).toMatchObject({ status: 'open' });
    expect(dataOf(await merchant.api.get(path))).toMatchObject({ id: dispute.id, status: 'open' });
  });
});
