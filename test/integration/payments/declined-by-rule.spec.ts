import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { TestApi } from '../../support/app/api-app.js';
import { bodyErrors } from '../../support/app/event-schemas.js';
import { dataOf, type Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { sharedCheckout } from './checkout.js';

const ENDPOINT = 'http://127.0.0.1:4000/hook';
const decline = { code: 'blocked_country', message: 'We do not sell to this country.' };

let api: TestApi;
let merchant: Merchant;
let first: ShopAnswer;
let second: ShopAnswer;
let flow: { id: number };

beforeAll(async () => {
  let shops: ShopAnswer[];
  ({ api, merchant, shops } = await sharedCheckout(['B', 'A']));
  [second, first] = shops as [ShopAnswer, ShopAnswer];
  const use = { shops: [first.id, second.id], strategy: 'round_robin' };
  flow = dataOf(
    await merchant.api.post('/flows', {
      name: 'guarded',
      strategy: 'rules',
      shops: [{ shop_id: second.id, priority: 2 }, { shop_id: first.id }],
      rules: [
        { when: { amount: { max: 5 } }, use },
        { when: { country: { equals: 'US' } }, decline },
      ],
      default: use,
    }),
  );
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];
const pay = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  merchant.tryPay('guarded', { country: 'US', ...fields }, headers);
const read = async <T>(path: string): Promise<T> => dataOf<T>(await merchant.api.get(path));
const rowsOf = async (table: string, id: number): Promise<number> =>
  (await sql(`SELECT FROM ${table} WHERE payment_id = $1`, [id])).length;

describe('a payment that a rule declines', () => {
  let payment: PaymentAnswer;
  let counted: unknown[];

  /** Counters of the shops and the flow, as other payments have left them. */
  const counts = () =>
    Promise.all([
      sql('SELECT * FROM webhook_shop_counters WHERE shop_id = ANY ($1)', [[first.id, second.id]]),
      sql('SELECT * FROM shop_outcomes WHERE shop_id = ANY ($1)', [[first.id, second.id]]),
      sql('SELECT counter FROM flow_counters WHERE flow_id = $1', [flow.id]),
    ]);

  beforeAll(async () => {
    const customer = { reference: 'ada', email: 'ada@example.com' };
    const method = { token: 'tok_success' };
    const before = await counts();
    payment = dataOf(await pay({ webhook_endpoint: ENDPOINT, customer, payment_method: method }));
    counted = [before, await counts()];
  });

  it('FlowRouting counts it as a declined decision, and a payment that a shop takes as a chosen one', async () => {
    const decisions = async (): Promise<number[]> => {
      const text = await api.get(Metrics).render();
      return ['declined', 'chosen'].map((outcome) => {
        const sample = `routing_decisions_total{strategy="rules",outcome="${outcome}"} `;
        const line = text.split('\n').find((each) => each.startsWith(sample));
        return Number(line?.slice(sample.length) ?? 0);
      });
    };
    const before = await decisions();
    await pay();
    await pay({ country: 'DE' });
    expect(await decisions()).toEqual([before[0]! + 1, before[1]! + 1]);
  });

  it('gets the answer of another failed payment, with the code and the message of the rule', async () => {
    expect(payment).toMatchObject({
      status: 'failed',
      amount_authorized: 0,
      shop: { id: first.id, name: 'A' },
      payment_provider: 'sandbox',
      provider_metadata: { decline_code: decline.code, decline_message: decline.message },
      customer: { email: 'ada@example.com' },
    });
    expect(payment).not.toHaveProperty('provider_transaction_id');
    expect(await merchant.payment(payment.id)).toEqual(payment);
  });

  it('shows one change of status, no attempt and no operation', async () => {
    expect(await merchant.history(payment.id)).toEqual([
      { from: 'pending', to: 'failed', at: payment.updated_at, cause: 'declined_by_rule' },
    ]);
    expect(await read(`/payments/${payment.id}/attempts`)).toEqual([]);
    expect(await read(`/payments/${payment.id}/operations`)).toEqual([]);
    expect(await sql('SELECT attempt FROM payments WHERE id = $1', [payment.id])).toEqual([{ attempt: 0 }]);
  });

  it('keeps a decision that names the rule', async () => {
    expect(await read(`/payments/${payment.id}/decision`)).toMatchObject({ rule: 1, declined: decline, picked: null });
  });

  it('produces a webhook and an event of the first shop by priority', async () => {
    const bodies = await sql<{ shop_id: number; payment_status: string; body: string }>(
      `SELECT d.shop_id, d.payment_status, b.body FROM pending_deliveries d JOIN webhook_bodies b ON b.delivery_id = d.id
       WHERE d.payment_id = $1`,
      [payment.id],
    );
    expect(bodies).toMatchObject([{ shop_id: first.id, payment_status: 'failed' }]);
    const body = JSON.parse(bodies[0]!.body) as { payment: object };
    expect(bodyErrors('payment.status_changed', body)).toEqual([]);
    expect(body).toMatchObject({
      payment: { id: payment.id, status: 'failed', provider_transaction_id: null, payment_provider: 'sandbox' },
      shop: { id: first.id },
      provider_metadata: { decline_code: decline.code, decline_message: decline.message },
    });
    // an event is shown when all earlier transactions have ended
    await eventually(async () => {
      const { body: events } = await merchant.api.get('/events?limit=100');
      const { data } = events as { data: { type: string; data: { payment?: { id: number; status: string } } }[] };
      const own = data.filter((event) => event.data.payment?.id === payment.id);
      expect(own.map((event) => [event.type, event.data.payment!.status])).toEqual([
        ['payment.status_changed', 'failed'],
      ]);
    });
  });

  it('leaves the shops and the counter of the flow as they were', () => {
    expect(counted[1]).toEqual(counted[0]);
  });

  it.each([
    ['cancel', 409, 'illegal_status_change'],
    ['refund', 409, 'illegal_status_change'],
    ['capture', 409, 'illegal_status_change'],
    ['sync', 200, undefined],
  ])('answers a request to %s it like any failed payment', async (action, status, code) => {
    const answer = await merchant.api.post(`/payments/${payment.id}/${action}`);
    expect([answer.status, (answer.body as { code?: string }).code]).toEqual([status, code]);
    expect(await merchant.payment(payment.id)).toEqual(payment);
  });

  it('appears in lists by its status and shop', async () => {
    const isListed = async (filter: string) =>
      (await read<PaymentAnswer[]>(`/payments?limit=100&${filter}`)).some(({ id }) => id === payment.id);
    expect(await isListed(`status=failed&shop_id=${first.id}`)).toBe(true);
    expect(await isListed(`status=completed&shop_id=${first.id}`)).toBe(false);
    expect(await isListed(`status=failed&shop_id=${second.id}`)).toBe(false);
  });
});

it('an earlier rule with a shop takes the payment', async () => {
  const small = dataOf<PaymentAnswer>(await pay({ amount: 5, payment_method: { token: 'tok_success' } }));
  expect(small).toMatchObject({ status: 'completed', provider_metadata: expect.not.objectContaining(decline) });
});

describe('a declined payment under an idempotency key', () => {
  const failedOf = async (key: string) =>
    sql<{ id: number }>('SELECT payment_id AS id FROM idempotency_keys WHERE key = $1', [key]);

  it('exists once after concurrent requests, and is answered again byte for byte', async () => {
    const [{ count: before }] = (await sql<{ count: number }>('SELECT count(*)::int FROM payments')) as [
      { count: number },
    ];
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay({}, { 'idempotency-key': 'once' })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(new Set(made.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await pay({}, { 'idempotency-key': 'once' })).body).toEqual(made[0]!.body);
    expect(await sql('SELECT count(*)::int FROM payments')).toEqual([{ count: before + 1 }]);
  });

  it('comes back to the repeat of a request that died after its commit', async () => {
    const answer = await pay({}, { 'idempotency-key': 'forgotten' });
    await sql(
      `UPDATE idempotency_keys SET response_body = NULL, locked_until = now() - interval '1 s' WHERE key = $1`,
      ['forgotten'],
    );
    const again = await pay({}, { 'idempotency-key': 'forgotten' });
    expect([again.status, again.body]).toEqual([201, answer.body]);
    expect(await failedOf('forgotten')).toEqual([{ id: (answer.body as { data: PaymentAnswer }).data.id }]);
  });

  it('leaves nothing behind if the process dies between the insert and the change of status', async () => {
    const rows = 'SELECT count(*)::int FROM payments';
    const [before] = await sql(rows);
    const dying = jest.spyOn(api.get(MoneyService), 'applyTo').mockImplementationOnce(async (transaction) => {
      await transaction.query({ name: 'test.die', text: 'SELECT pg_terminate_backend(pg_backend_pid())' });
      throw new Error('not reached');
    });
    const lost = await pay({ webhook_endpoint: ENDPOINT }, { 'idempotency-key': 'dying' });
    dying.mockRestore();
    expect(lost.status).toBeGreaterThanOrEqual(500);
    expect((await sql(rows))[0]).toEqual(before);
    const again = await pay({ webhook_endpoint: ENDPOINT }, { 'idempotency-key': 'dying' });
    expect(again.status).toBe(201);
    const { id } = (again.body as { data: PaymentAnswer }).data;
    expect([await rowsOf('pending_deliveries', id), await rowsOf('payment_status_changes', id)]).toEqual([1, 1]);
  });
});

describe('the simulation of a declined payment', () => {
  const simulate = (fields: Record<string, unknown>) =>
    merchant.api.post('/flows/simulate', { flow_name: 'guarded', country: 'US', ...fields });

  it('names the rule, the code and the message, and a request that avoids it', async () => {
    const data = dataOf<Record<string, unknown>>(await simulate({ explain: true, count: 2, at_counter: 0 }));
    expect(data).toMatchObject({
      success: false,
      result: { primary_shop: null, declined: decline, current_counter: 0, next_counter: 0 },
      picks: [{ shop_id: null }, { shop_id: null }],
      explanation: {
        rule: 1,
        declined: decline,
        reasoning: null,
        shops: [
          { shop_id: first.id, tests: { rule: 'failed' }, smallest_change: { field: 'amount', from: 100, to: 5 } },
          { shop_id: second.id, tests: { rule: 'failed' } },
        ],
      },
    });
  });

  it('says that no shop is available in the simple form', async () => {
    expect((await simulate({ simple: true })).body).toBe(false);
    expect((await simulate({ simple: true, country: 'DE' })).body).toBe(true);
    expect(dataOf(await simulate({ country: 'DE' }))).toMatchObject({
      success: true,
      result: expect.not.objectContaining({ declined: expect.anything() }),
    });
  });
});

describe('a rule that declines', () => {
  const create = (rule: Record<string, unknown>) =>
    merchant.api.post('/flows', {
      name: `flow ${Math.random()}`,
      strategy: 'rules',
      shops: [{ shop_id: first.id }],
      rules: [{ when: {}, ...rule }],
      default: { shops: [first.id], strategy: 'weighted' },
    });
  const use = () => ({ shops: [first.id], strategy: 'weighted' });

  it('stays as given, and null counts as absent', async () => {
    const stored = dataOf<{ rules: object[] }>(await create({ use: null, decline: { code: 'no', message: null } }));
    expect(stored.rules).toEqual([{ when: {}, decline: { code: 'no' } }]);
  });

  it.each<[string, () => Record<string, unknown>, string]>([
    ['with shops', () => ({ use: use(), decline: { code: 'no' } }), 'rules[0]'],
    ['without an end', () => ({}), 'rules[0]'],
    ['with a code in capitals', () => ({ decline: { code: 'NO' } }), 'rules[0].decline.code'],
    ['with a long code', () => ({ decline: { code: `a${'b'.repeat(50)}` } }), 'rules[0].decline.code'],
    ['with a long message', () => ({ decline: { code: 'no', message: 'x'.repeat(201) } }), 'rules[0].decline.message'],
    ['with other fields', () => ({ decline: { code: 'no', why: '' } }), 'rules[0].decline.why'],
  ])('causes an error %s', async (_, rule, field) => {
    const { status, body } = await create(rule());
    expect([status, (body as { errors: { field: string }[] }).errors.map((error) => error.field)]).toEqual([
      422,
      [field],
    ]);
  });
});
