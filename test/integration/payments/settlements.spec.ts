import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../src/audit/audit-log.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { LedgerProvider } from './ledger-provider.js';
import { scriptNotifications, sendEvents } from './scripted-events.js';

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let shopId: number;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '2000' });
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
    `UPDATE provider_operations SET next_try_at = NULL, state = CASE state WHEN 'pending' THEN state ELSE 'unknown' END
     WHERE payment_id = $1 AND state IN ('open', 'pending', 'unknown')`,
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

/** A cancelled payment that was charged afterwards, and whose refund has no outcome. */
async function chargedAfterEnd(): Promise<PaymentAnswer> {
  provider.fates = { charge: ['lost'], void: ['dropped'], refund: ['dropped', 'dropped', 'dropped'] };
  const payment = await pay();
  await act(payment, 'cancel');
  await recover(api, [payment.id], 2);
  await stop(payment);
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
    expect(dataOf(await merchant.api.get(`/providers/notifications?shop_id=${shopId}&outcome=alarm`))).toEqual([]);
    expect(dataOf(await act(payment, 'refund'))).toMatchObject({ status: 'refunded', amount_refunded: 1 });
  });

  it('Settlements ends it as refunded at the provider', async () => {
    const payment = await mismatched();
    const body = { outcome: 'refunded', amount: 1 };
    expect(codeOf(await settle(payment, 'charge', body))).toEqual([409, 'settle_contradicts_provider']);
    provider.finish(payment.id, 'refunded');
    expect((await settle(payment, 'charge', body)).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['refunded', 1, 1, 1]);
    expect(await stepsOf(payment)).toEqual(['completed settled_by_operator', 'refunded settled_by_operator']);
    expect((await operationsOf(api, payment.id)).every(({ is_due: isDue }) => !isDue)).toBe(true);
  });

  it('Settlements ends it after its cancellation, with its void', async () => {
    const payment = await mismatched();
    await act(payment, 'cancel');
    await stop(payment);
    const captured = await settle(payment, 'charge', { outcome: 'captured', amount: 1 });
    expect(codeOf(captured)).toEqual([422, 'validation_failed']);
    provider.finish(payment.id, 'refunded');
    const isVoidOpen = (await stateOf(payment, 'void')).includes('unknown');
    const answer = await settle(payment, 'charge', { outcome: 'refunded', amount: 1 });
    expect([answer.status, isVoidOpen]).toEqual([200, isVoidOpen]);
    expect((await merchant.payment(payment.id)).status).toBe('cancelled');
    expect((await stateOf(payment, 'void')).filter((state) => state === 'unknown')).toEqual([]);
  });
});

describe('a charge without an answer', () => {
  it.each([
    ['captured', ['completed', 49.9, 49.9, 0], 'confirmed'],
    ['not_captured', ['failed', 0, 0, 0], 'refused'],
    ['voided', ['cancelled', 0, 0, 0], 'refused'],
    ['refunded', ['refunded', 49.9, 49.9, 49.9], 'confirmed'],
  ])('Settlements ends it as %s: the payment is %j', async (outcome, amounts, state) => {
    const payment = await unanswered();
    expect((await settle(payment, 'charge', { outcome })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(amounts);
    expect(await stateOf(payment, 'charge')).toEqual([state]);
    expect((await stepsOf(payment)).at(-1)).toBe(`${String(amounts[0])} settled_by_operator`);
    expect((await api.deliveriesOf(payment.id)).at(-1)!.payment_status).toBe(amounts[0]);
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

  it('Settlements keeps the transaction id that a person found', async () => {
    const payment = await unanswered();
    const id = `tx_${Math.random()}`;
    await settle(payment, 'charge', { outcome: 'captured', provider_transaction_id: id });
    expect((await merchant.payment(payment.id)).provider_transaction_id).toBe(id);
  });

  it('Settlements refuses the transaction id of another payment', async () => {
    const [first, second] = [await pay(), await unanswered()];
    const body = { outcome: 'captured', provider_transaction_id: first.provider_transaction_id };
    expect(codeOf(await settle(second, 'charge', body))).toEqual([409, 'transaction_id_taken']);
    expect(await amountsOf(second)).toEqual(['pending', 0, 0, 0]);
    expect(await stateOf(second, 'charge')).toEqual(['unknown']);
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

  it('Settlements records its refund if it was captured after the cancellation', async () => {
    const payment = await unanswered();
    provider.fates = { void: ['dropped'] };
    await act(payment, 'cancel');
    await stop(payment);
    expect((await settle(payment, 'charge', { outcome: 'captured' })).status).toBe(200);
    expect(await stateOf(payment, 'void')).toEqual(['refused']);
    expect(await stateOf(payment, 'refund')).toEqual(['open']);
    await recover(api, [payment.id], 2);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
    expect((await merchant.payment(payment.id)).status).toBe('cancelled');
    expect(await stepsOf(payment)).toContain('cancelled late_charge_reversed');
  });

  it('LateCharges gives it back if it is reported after a settlement as not captured', async () => {
    const payment = await unanswered();
    await settle(payment, 'charge', { outcome: 'not_captured' });
    const transactionId = [...provider.entries.values()].at(-1)!.transactionId;
    const [{ reference } = { reference: '' }] = dataOf<{ reference: string }[]>(
      await merchant.api.get(`/payments/${payment.id}/operations`),
    );
    await sendEvents(merchant, shopId, [{ status: 'completed', match: { transactionId, reference } }]);
    await recover(api, [payment.id], 2);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
    expect((await merchant.payment(payment.id)).status).toBe('failed');
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

describe('an operation that is still tried', () => {
  it('Settlements refuses it while its call may be under way', async () => {
    provider.fates = { charge: ['lost'] };
    const payment = await pay();
    const answer = await settle(payment, 'charge', { outcome: 'captured', confirm: true });
    expect(codeOf(answer)).toEqual([409, 'operation_under_way']);
    expect(answer.headers.get('retry-after')).toBe('30');
    const later = `UPDATE provider_operations SET next_try_at = now() + interval '1 hour' WHERE payment_id = $1`;
    await sql(later, [payment.id]);
    expect((await settle(payment, 'charge', { outcome: 'captured' })).status).toBe(200);
  });
});

describe('a void that the provider refuses', () => {
  async function refusedVoid(): Promise<PaymentAnswer> {
    provider.chargeAs = () => 'open';
    const payment = await pay();
    provider.fates = { void: ['dropped', 'dropped'] };
    await act(payment, 'cancel');
    await stop(payment);
    return payment;
  }

  it.each([
    ['voided', 'cancelled', 'confirmed', 'voided'],
    ['captured', 'completed', 'refused', 'captured'],
    ['not_captured', 'processing', 'refused', 'open'],
    ['refunded', 'refunded', 'refused', 'refunded'],
  ] as const)('Settlements ends it as %s: the payment is %s', async (outcome, status, state, held) => {
    const payment = await refusedVoid();
    provider.finish(payment.id, held);
    expect((await settle(payment, 'void', { outcome })).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe(status);
    expect(await stateOf(payment, 'void')).toEqual([state]);
  });
});

describe('a capture without an answer', () => {
  async function unansweredCapture(): Promise<PaymentAnswer> {
    const payment = await pay({ capture: 'manual' });
    provider.fates = { capture: ['dropped'] };
    await act(payment, 'capture', { amount: 30 });
    await stop(payment);
    return payment;
  }

  it('Settlements completes the payment with its amount', async () => {
    const payment = await unansweredCapture();
    provider.finish(payment.id, 'captured', { capturedAmount: '30' });
    expect((await settle(payment, 'capture', { outcome: 'captured' })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 30, 0]);
    expect((await stepsOf(payment)).at(-1)).toBe('completed settled_by_operator');
  });

  it('Settlements lets the payment be captured again if nothing was captured', async () => {
    const payment = await unansweredCapture();
    expect((await settle(payment, 'capture', { outcome: 'not_captured' })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['processing', 49.9, 0, 0]);
    expect(dataOf(await act(payment, 'capture', { amount: 20 }))).toMatchObject({
      status: 'completed',
      amount_captured: 20,
    });
  });

  it('Settlements cancels the payment if it was voided', async () => {
    const payment = await unansweredCapture();
    provider.finish(payment.id, 'voided');
    expect((await settle(payment, 'capture', { outcome: 'voided' })).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('cancelled');
    expect(await stateOf(payment, 'capture')).toEqual(['refused']);
  });
});

describe('a refunded payment', () => {
  it.each(['charge', 'void'] as const)('stays refunded when its %s is settled as captured', async (kind) => {
    const payment = await pay();
    if (kind === 'void') {
      await sql(
        `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key,
           reference, amount, currency, state)
         SELECT merchant_id, shop_id, payment_id, attempt, 'void', 'cancel_requested', gen_random_uuid()::text, reference,
           amount, currency, 'unknown' FROM provider_operations WHERE payment_id = $1`,
        [payment.id],
      );
    }
    await act(payment, 'refund');
    await sql(
      `UPDATE provider_operations SET state = 'unknown', next_try_at = NULL WHERE payment_id = $1 AND kind = $2`,
      [payment.id, kind],
    );
    const answer = await settle(payment, kind, { outcome: 'captured', confirm: true });
    expect(answer.status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9, 49.9]);
    expect((await stepsOf(payment)).at(-1)).toBe('refunded refund_requested');
  });
});

describe('a charge that is captured in part after the cancellation', () => {
  it('LateCharges gives back what was captured', async () => {
    const payment = await pay({ capture: 'manual' });
    provider.fates = { capture: ['dropped'] };
    await act(payment, 'capture', { amount: 20 });
    await stop(payment);
    expect((await settle(payment, 'capture', { outcome: 'voided', confirm: true })).status).toBe(200);
    provider.finish(payment.id, 'captured', { capturedAmount: '20' });
    const match = { transactionId: payment.provider_transaction_id };
    await sendEvents(merchant, shopId, [{ status: 'completed', match, amount: '20', currency: 'EUR' }]);
    expect((await merchant.payment(payment.id)).status).toBe('cancelled');
    await recover(api, [payment.id], 1);
    expect(provider.callsOf(payment.id, 'refund').map(({ amount }) => Number(amount))).toEqual([20]);
    expect(await stateOf(payment, 'refund')).toEqual(['confirmed']);
    expect(provider.heldOf(payment.id)).toEqual(['refunded']);
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

  it('Settlements makes the refund succeed, and the payment follows', async () => {
    const payment = await unansweredRefund(49.9);
    const body = { outcome: 'refunded', provider_transaction_id: 're_1' };
    expect((await settle(payment, 'refund', body)).status).toBe(200);
    expect(await refundsOf(payment)).toMatchObject([{ status: 'succeeded', provider_refund_id: 're_1' }]);
    expect(await amountsOf(payment)).toEqual(['refunded', 49.9, 49.9, 49.9]);
    expect((await stepsOf(payment)).at(-1)).toBe('refunded settled_by_operator');
    expect((await api.deliveriesOf(payment.id)).at(-1)!.payment_status).toBe('refunded');
  });

  it('Settlements makes the refund fail, and its amount is left', async () => {
    const payment = await unansweredRefund(20);
    expect((await settle(payment, 'refund', { outcome: 'not_refunded' })).status).toBe(200);
    expect(await refundsOf(payment)).toMatchObject([{ status: 'failed', failure_code: 'settled_by_operator' }]);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 49.9, 0]);
    expect(await stateOf(payment, 'refund')).toEqual(['refused']);
  });

  it('RefundEvents raises an alarm if the provider makes it after all', async () => {
    const payment = await unansweredRefund(20);
    await sql(`UPDATE refunds SET provider_refund_id = 're_1' WHERE payment_id = $1`, [payment.id]);
    await settle(payment, 'refund', { outcome: 'not_refunded' });
    const match = { transactionId: payment.provider_transaction_id };
    await sendEvents(merchant, shopId, [{ status: 'refunded', match, operationId: 're_1', amount: '20' }]);
    const alarms = await merchant.api.get(`/providers/notifications?shop_id=${shopId}&outcome=alarm`);
    expect(dataOf(alarms)).toMatchObject([{ status: 'refunded', reason: 'other_refund' }]);
  });

  it('Settlements takes its own amount only', async () => {
    const payment = await unansweredRefund(20);
    const answer = await settle(payment, 'refund', { outcome: 'refunded', amount: 10 });
    expect(codeOf(answer)).toEqual([422, 'validation_failed']);
    expect((await settle(payment, 'refund', { outcome: 'refunded', amount: 20 })).status).toBe(200);
    expect(await amountsOf(payment)).toEqual(['completed', 49.9, 49.9, 20]);
  });
});

describe('the reversal of a late charge', () => {
  it('Settlements ends it as refunded only', async () => {
    const payment = await chargedAfterEnd();
    expect(codeOf(await settle(payment, 'refund', { outcome: 'not_refunded' }))).toEqual([422, 'validation_failed']);
    provider.finish(payment.id, 'refunded');
    expect((await settle(payment, 'refund', { outcome: 'refunded' })).status).toBe(200);
    expect(await stateOf(payment, 'refund')).toEqual(['confirmed']);
    expect((await stepsOf(payment)).at(-1)).toBe('cancelled late_charge_reversed');
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

  it('Settlements and PaymentSync end in one outcome', async () => {
    for (let round = 0; round < 5; round++) {
      provider = new LedgerProvider(api);
      provider.fates = { charge: ['lost'] };
      const payment = await pay();
      const later = `UPDATE provider_operations SET next_try_at = now() + interval '1 hour' WHERE payment_id = $1`;
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
