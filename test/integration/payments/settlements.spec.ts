import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import { Settlements } from '../../../src/payments/api/settlements.service.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient, type ApiResponse } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { scriptNotifications, sendEvents } from './scripted-events.js';
import { moveTries, stopOperations } from '../../support/operation-work.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
});
beforeEach(async () => {
  provider = new LedgerProvider(api);
  shopId = (await merchant.createShop(`Shop ${Math.random()}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
});
afterAll(() => api.stop());

const REASON = 'the dashboard shows it';
const ENDPOINT = 'http://127.0.0.1:4000/';
const pay = (fields: Record<string, unknown> = {}) =>
  merchant.pay(`flow ${shopId}`, { webhook_endpoint: ENDPOINT, ...fields });
const sql = (text: string, values: unknown[] = []) => api.database.pool.query(text, values);
const codeOf = ({ status, body }: ApiResponse) => [status, (body as { code?: string }).code];
const act = ({ id }: { id: number }, action: string, body = {}): Promise<ApiResponse> =>
  merchant.api.post(`/payments/${id}/${action}`, body);
const stepsOf = async ({ id }: { id: number }) => (await merchant.history(id)).map(({ to, cause }) => `${to} ${cause}`);
const amountsOf = async ({ id }: { id: number }) => {
  const payment = await merchant.payment(id);
  return [payment.status, payment.amount_authorized, payment.amount_captured, payment.amount_refunded];
};
const stateOf = async ({ id }: { id: number }, kind: string) =>
  (await operationsOf(api, id)).filter((row) => row.kind === kind).map(({ state }) => state);

/** The id of the last operation of a kind. */
async function idOf({ id }: { id: number }, kind: string): Promise<number> {
  const operations = dataOf<{ id: number; kind: string }[]>(await merchant.api.get(`/payments/${id}/operations`));
  return operations.findLast((row) => row.kind === kind)!.id;
}

/** Stops the operations of a payment, as three days without an answer do. */
const stop = ({ id }: { id: number }) =>
  sql(
    stopOperations(
      `payment_id = $1 AND state IN ('open', 'pending', 'unknown')`,
      `CASE state WHEN 'pending' THEN state ELSE 'unknown' END`,
    ),
    [id],
  );

async function settle(payment: { id: number }, kind: string, body: object, on = merchant): Promise<ApiResponse> {
  const path = `/payments/${payment.id}/operations/${await idOf(payment, kind)}/settle`;
  return on.api.post(path, { reason: REASON, ...body });
}

const auditOf = async ({ id }: { id: number }) =>
  dataOf<{ details: object; actor: object }[]>(
    await merchant.api.get(`/audit?action=operation.settled&object_type=payment&object_id=${id}`),
  ).map(({ details }) => details);

/** A pending payment whose charge was never answered. */
async function unanswered(fields: Record<string, unknown> = {}): Promise<PaymentAnswer> {
  provider.fates = { charge: ['lost'] };
  const payment = await pay(fields);
  provider.capabilities = { ...provider.capabilities, lookup: 'none' };
  await stop(payment);
  return payment;
}

/** A payment that the provider charged with another amount. */
async function mismatched(): Promise<PaymentAnswer> {
  provider.fates = { charge: ['lost'] };
  const payment = await pay();
  provider.finish(payment.id, 'captured', { amount: '1.0000' });
  await recover(api, [payment.id], 1);
  return payment;
}

describe('a payment with another amount at the provider', () => {
  it('Settlements ends it with what was captured, after sync and refund could not', async () => {
    const payment = await mismatched();
    await act(payment, 'sync');
    expect((await act(payment, 'refund')).status).toBe(409);
    expect(await amountsOf(payment)).toEqual(['pending', 0, 0, 0]);
    expect(codeOf(await settle(payment, 'charge', { outcome: 'captured' }))).toEqual([422, 'validation_failed']);
    const other = await settle(payment, 'charge', { outcome: 'captured', amount: 2 });
    expect(codeOf(other)).toEqual([409, 'settle_contradicts_provider']);
    const answer = await settle(payment, 'charge', { outcome: 'captured', amount: 1 });
    expect(dataOf(answer)).toMatchObject({ state: 'confirmed', reason: `settled as captured: ${REASON}` });
    expect(await amountsOf(payment)).toEqual(['completed', 1, 1, 0]);
    expect(await stepsOf(payment)).toEqual(['processing settled_by_operator', 'completed settled_by_operator']);
    expect((await api.deliveriesOf(payment.id)).at(-1)!.payment_status).toBe('completed');
    // the provider's late report of the same amount is no alarm
    const { entries } = provider;
    const transactionId = [...entries.values()].at(-1)!.transactionId;
    await sendEvents(merchant, shopId, [
      { status: 'completed', match: { transactionId }, amount: '1.00', currency: 'EUR' },
    ]);
    const alarms = dataOf<{ reason: string }[]>(
      await merchant.api.get(`/providers/notifications?shop_id=${shopId}&outcome=alarm`),
    );
    // that of the look-up; the notification agrees with the person
    expect(alarms.map(({ reason }) => reason)).toEqual(['amount_differs']);
    expect(dataOf(await act(payment, 'refund'))).toMatchObject({ status: 'refunded', amount_refunded: 1 });
  });
});

describe('a charge without an answer', () => {
  it('Settlements ends it, with webhooks and an audit entry, once', async () => {
    const payment = await unanswered();
    const outcome = 'refunded';
    expect((await settle(payment, 'charge', { outcome })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9, 49.9]);
    expect(await stateOf(payment, 'charge')).toEqual(['confirmed']);
    expect(await stepsOf(payment)).toEqual(['completed settled_by_operator', 'refunded settled_by_operator']);
    const deliveries = await api.deliveriesOf(payment.id);
    expect(deliveries.map((delivery) => delivery.payment_status)).toEqual(['completed', 'refunded']);
    expect(await auditOf(payment)).toEqual([
      {
        operation_id: await idOf(payment, 'charge'),
        kind: 'charge',
        outcome,
        amount: 49.9,
        currency: 'EUR',
        reason: REASON,
      },
    ]);
    const again = await settle(payment, 'charge', { outcome });
    expect(codeOf(again)).toEqual([409, 'operation_closed']);
    expect(await auditOf(payment)).toHaveLength(1);
  });

  it('Settlements gives a transaction id to one of two payments that are settled at once', async () => {
    const both = [await unanswered(), await unanswered()];
    const body = { outcome: 'captured', provider_transaction_id: `tx_${Math.random()}` };
    const answers = await Promise.all(both.map((payment) => settle(payment, 'charge', body)));
    expect(answers.map(codeOf).sort()).toEqual([
      [200, undefined],
      [409, 'transaction_id_taken'],
    ]);
    expect((await Promise.all(both.map(amountsOf))).map(([status]) => status).sort()).toEqual(['completed', 'pending']);
  });
});

describe('a settlement that contradicts the provider', () => {
  it('Settlements refuses it by a look-up now, unless it is confirmed', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    await stop(payment);
    const refused = await settle(payment, 'charge', { outcome: 'not_captured' });
    expect(codeOf(refused)).toEqual([409, 'settle_contradicts_provider']);
    expect((refused.body as { detail: string }).detail).toContain('the provider reports: captured 49.9 EUR');
    expect((await merchant.payment(payment.id)).status).toBe('pending');
    expect(await auditOf(payment)).toEqual([]);
    expect((await settle(payment, 'charge', { outcome: 'not_captured', confirm: true })).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('failed');
    expect(await auditOf(payment)).toEqual([expect.objectContaining({ confirmed: 'true', outcome: 'not_captured' })]);
  });

  it('Settlements refuses it by the last answer if the provider cannot be asked', async () => {
    const payment = await unanswered();
    await sql(`UPDATE provider_operations SET last_answer = 'captured' WHERE payment_id = $1`, [payment.id]);
    expect(codeOf(await settle(payment, 'charge', { outcome: 'voided' }))).toEqual([
      409,
      'settle_contradicts_provider',
    ]);
  });
});

describe('a settlement with more than its operation', () => {
  it('Settlements never exceeds what was authorised or asked, and needs confirm above the operation', async () => {
    const charge = await unanswered();
    for (const fields of [{}, { confirm: true }]) {
      for (const outcome of ['captured', 'refunded']) {
        const answer = await settle(charge, 'charge', { outcome, amount: 50, ...fields });
        expect(codeOf(answer)).toEqual([422, 'validation_failed']);
      }
    }
    expect(await amountsOf(charge)).toEqual(['pending', 0, 0, 0]);
    provider.capabilities = { ...provider.capabilities, lookup: 'by_reference' };
    const payment = await pay({ capture: 'manual' });
    provider.fates = { capture: ['dropped'] };
    await act(payment, 'capture', { amount: 30 });
    await stop(payment);
    provider.finish(payment.id, 'captured', { capturedAmount: '40' });
    const body = { outcome: 'captured', amount: 40 };
    expect(codeOf(await settle(payment, 'capture', body))).toEqual([409, 'settle_exceeds_operation']);
    const over = await settle(payment, 'capture', { ...body, amount: 50, confirm: true });
    expect(codeOf(over)).toEqual([422, 'validation_failed']);
    expect((await settle(payment, 'capture', { ...body, confirm: true })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 40, 0]);
  });

  it('Settlements needs a second client with approvals, only for what contradicts or exceeds', async () => {
    const config = jest.replaceProperty(api.app.get<{ config: object }>(Settlements), 'config', {
      flowActivationApprovals: 1,
    });
    try {
      const { rows } = await sql('SELECT merchant_id FROM shops WHERE id = $1', [shopId]);
      const { merchant_id: merchantId } = rows[0] as { merchant_id: number };
      const { id, secret } = await insertClient(api.database, { merchantId });
      const second = new Merchant(await ApiClient.login(api.url, id, secret));
      const plain = await unanswered();
      expect((await settle(plain, 'charge', { outcome: 'captured' })).status).toBe(200);
      provider.capabilities = { ...provider.capabilities, lookup: 'by_reference' };
      provider.fates = { charge: ['lost'] };
      const payment = await pay();
      await stop(payment);
      const body = { outcome: 'not_captured', confirm: true };
      const waiting = [409, 'settle_approval_required'];
      expect(codeOf(await settle(payment, 'charge', { outcome: 'not_captured' }))).toEqual([
        409,
        'settle_contradicts_provider',
      ]);
      expect(codeOf(await settle(payment, 'charge', body))).toEqual(waiting);
      expect(codeOf(await settle(payment, 'charge', body))).toEqual(waiting);
      const other = await settle(payment, 'charge', { ...body, outcome: 'voided' }, second);
      expect(codeOf(other)).toEqual(waiting);
      expect((await merchant.payment(payment.id)).status).toBe('pending');
      expect(codeOf(await settle(payment, 'charge', body))).toEqual(waiting);
      expect((await settle(payment, 'charge', body, second)).status).toBe(200);
      expect((await merchant.payment(payment.id)).status).toBe('failed');
      expect(await auditOf(payment)).toEqual([expect.objectContaining({ confirmed: 'true', outcome: 'not_captured' })]);
    } finally {
      config.restore();
    }
  });
});

describe('an operation that is still tried', () => {
  it('Settlements refuses it while its call may be under way', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    const answer = await settle(payment, 'charge', { outcome: 'captured', confirm: true });
    expect(codeOf(answer)).toEqual([409, 'operation_under_way']);
    expect(answer.headers.get('retry-after')).toBe('30');
    const later = moveTries(`now() + interval '1 hour'`, 'o.payment_id = $1');
    await sql(later, [payment.id]);
    expect((await settle(payment, 'charge', { outcome: 'captured' })).status).toBe(200);
  });
});

describe('a refund without an answer', () => {
  type Refund = { id: number; status: string; failure_code: string | null; provider_refund_id: string | null };
  async function unansweredRefund(amount: number): Promise<PaymentAnswer> {
    const payment = await pay();
    provider.fates = { refund: ['dropped'] };
    await act(payment, 'refunds', { amount });
    provider.capabilities = { ...provider.capabilities, lookup: 'none' };
    await stop(payment);
    return payment;
  }
  const refundsOf = async ({ id }: { id: number }) =>
    dataOf<Refund[]>(await merchant.api.get(`/payments/${id}/refunds`));

  it('Settlements makes the refund succeed with its own amount, and the payment follows', async () => {
    const payment = await unansweredRefund(49.9);
    const other = await settle(payment, 'refund', { outcome: 'refunded', amount: 10 });
    expect(codeOf(other)).toEqual([422, 'validation_failed']);
    const body = { outcome: 'refunded', provider_transaction_id: 're_1' };
    expect((await settle(payment, 'refund', body)).status).toBe(200);
    expect(await refundsOf(payment)).toMatchObject([{ status: 'succeeded', provider_refund_id: 're_1' }]);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9, 49.9]);
    expect((await stepsOf(payment)).at(-1)).toBe('refunded settled_by_operator');
    expect((await api.deliveriesOf(payment.id)).at(-1)!.payment_status).toBe('refunded');
  });
});

describe('a request to settle', () => {
  it.each([
    [{ outcome: 'not_refunded' }, 'outcome'],
    [{ outcome: 'lost' }, 'outcome'],
    [{ outcome: 'voided', amount: 5 }, 'amount'],
    [{ outcome: 'captured', amount: 5.001 }, 'amount'],
    [{ outcome: 'captured', reason: '' }, 'reason'],
  ])('Settlements refuses %j', async (body, field) => {
    const answer = await settle(await unanswered(), 'charge', body);
    expect(codeOf(answer)).toEqual([422, 'validation_failed']);
    expect((answer.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual([field]);
  });

  it('Settlements finds no operation of another payment', async () => {
    const [payment, other] = [await unanswered(), await pay()];
    const body = { outcome: 'captured', reason: REASON };
    const path = `/payments/${other.id}/operations/${await idOf(payment, 'charge')}/settle`;
    expect(codeOf(await merchant.api.post(path, body))).toEqual([404, 'operation_not_found']);
    expect(codeOf(await merchant.api.post('/payments/999999999/operations/1/settle', body))).toEqual([
      404,
      'payment_not_found',
    ]);
  });

  it('SettlementsController requires payments:settle, which payments:write does not contain', async () => {
    const payment = await unanswered();
    const writer = new Merchant(await api.login('payments:read payments:write'));
    const refused = await settle(payment, 'charge', { outcome: 'captured' }, writer);
    expect(codeOf(refused)).toEqual([403, 'insufficient_scope']);
    const settler = new Merchant(await api.login('payments:settle'));
    expect((await settle(payment, 'charge', { outcome: 'captured' }, settler)).status).toBe(200);
  });
});

describe('settlements at once', () => {
  it('Settlements lets one of them win', async () => {
    const payment = await unanswered();
    const outcomes = ['captured', 'not_captured', 'voided', 'refunded', 'captured', 'voided'];
    const answers = await Promise.all(outcomes.map((outcome) => settle(payment, 'charge', { outcome })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status !== 200).map(codeOf);
    expect(losers).toEqual(Array(outcomes.length - 1).fill([409, 'operation_closed']));
    expect(await auditOf(payment)).toHaveLength(1);
    const ends = (await stepsOf(payment)).filter((step) => /^(failed|cancelled)|^(completed|refunded)/.test(step));
    expect(ends.length).toBeLessThanOrEqual(2); // `completed` before `refunded`
  });

  it('a settlement and a sync end in one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      provider = new LedgerProvider(api);
      provider.fates = { charge: ['lost'] };
      const payment = await pay();
      const later = moveTries(`now() + interval '1 hour'`, 'o.payment_id = $1');
      await sql(later, [payment.id]);
      const [answer] = await Promise.all([settle(payment, 'charge', { outcome: 'captured' }), act(payment, 'sync')]);
      expect([200, 409]).toContain(answer.status);
      expect(await amountsOf(payment)).toEqual(['completed', 49.9, 49.9, 0]);
      expect((await stepsOf(payment)).filter((step) => step.startsWith('completed'))).toHaveLength(1);
      expect(provider.heldOf(payment.id)).toEqual(['captured']);
    }
  });
});

describe('a process that dies in a settlement', () => {
  it('Settlements leaves nothing of it, because the audit entry is in the same transaction', async () => {
    const payment = await unanswered();
    const dying = jest.spyOn(api.get(AuditLogService), 'record').mockRejectedValueOnce(new Error('killed'));
    expect((await settle(payment, 'charge', { outcome: 'captured' })).status).toBe(500);
    dying.mockRestore();
    expect(await amountsOf(payment)).toEqual(['pending', 0, 0, 0]);
    expect(await stateOf(payment, 'charge')).toEqual(['unknown']);
    expect(await auditOf(payment)).toEqual([]);
    expect((await settle(payment, 'charge', { outcome: 'captured' })).status).toBe(200);
  });
});
