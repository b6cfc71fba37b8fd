import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HeldKey, IdempotencyService } from '../../../src/platform/idempotency/idempotency.service.js';
import type { PaymentRow } from '../../../src/payments/money/state/payment.js';
import { PaymentRecorder } from '../../../src/payments/creation/payment-recorder.service.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { LaneNotifier } from '../../../src/webhooks/outbox/lane-notifier.js';
import type { TestApi } from '../../support/app/api-app.js';
import { answered, applyIn, notified } from '../../support/app/charge-facts.js';
import { Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { pendingPayment, sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let shops: ShopAnswer[];
let merchantId: number;
let payments: PaymentsService;
let money: MoneyService;

const ENDPOINT = 'http://127.0.0.1:4000/hook';
const COMPLETE = answered('captured');
const FAILED = ['processing', 'failed'];

beforeAll(async () => {
  ({ api, merchant, shops } = await sharedCheckout(['A', 'B', 'C']));
  const shopsOfFlow = shops.map(({ id }) => ({ shop_id: id }));
  await merchant.api.post('/flows', { name: 'tries', strategy: 'round_robin', shops: shopsOfFlow, max_attempts: 3 });
  payments = api.get(PaymentsService);
  money = api.get(MoneyService);
  merchantId = (await sql<{ id: number }>('SELECT merchant_id AS id FROM shops WHERE id = $1', [shops[0]!.id]))[0]!.id;
});
afterAll(() => api.stop());

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query(text, values)).rows as Row[];

const insert = (fields?: { amount?: number; webhook_endpoint?: string }, key?: HeldKey): Promise<PaymentRow> =>
  pendingPayment(api, merchantId, fields, key);

/** Removes the fields that only a read of a payment has. */
const asWritten = ({
  is_refund_pending: _,
  is_capture_pending: __,
  disputed_amount: ___,
  captured_at: ____,
  ...payment
}: PaymentRow): PaymentRow => payment;

/** Without a late charge, which changes no status. */
const stepsOf = async (id: number): Promise<string[]> =>
  (await merchant.history(id)).flatMap(({ from, to }) => (from === to ? [] : [to]));

const statusOf = async (id: number): Promise<string> => (await payments.find(merchantId, id)).status;

describe('a payment that was just inserted', () => {
  it.each<[string, Record<string, unknown>]>([
    ['with as little as possible', {}],
    ['with all there is', { country: 'DE', webhook_endpoint: ENDPOINT, payment_session_id: 'ps_1', expires_in: 60 }],
    ['with a customer', { customer: { email: 'ada@example.com', city: 'London', date_of_birth: '1985-12-10' } }],
    ['with an empty customer', { customer: {} }],
    ['with metadata', { metadata: { b: 1, a: [1.5, 'ü "quoted" \\ \u2028', null, { deep: {} }], '10': 0, '9': 1e21 } }],
    ['in a currency without decimals', { amount: 1200, currency: 'JPY' }],
    ['in a currency with three decimals', { amount: 1.005, currency: 'KWD' }],
    ['of a large amount', { amount: 999_999_999_999.99 }],
    ['with fallbacks', { flow_name: 'tries' }],
  ])('gets the same fields in memory and in the database, %s', async (_, fields) => {
    const [known, read] = await whileInserting(fields);
    expect(known).toEqual(asWritten(read));
    expect(Object.keys(known.customer ?? {})).toEqual(Object.keys(read.customer ?? {}));
  });

  it('gets the same fields in memory and in the database, with an earlier customer', async () => {
    const { customer } = await merchant.pay('checkout', { customer: { first_name: 'Ada', phone: '+44 20 7946 0958' } });
    const [known, read] = await whileInserting({ customer_id: customer!['id'] });
    expect(known.customer).toMatchObject({ id: customer!['id'], first_name: 'Ada' });
    expect(known).toEqual(asWritten(read));
  });

  /** The row that the creation continues with, and the same row read right after the insert. */
  async function whileInserting({ flow_name: flow = 'checkout', ...fields }: Record<string, unknown>) {
    const recorder = api.get(PaymentRecorder);
    const rows: PaymentRow[] = [];
    recorder.insert = async (payment) => {
      const recorded = await PaymentRecorder.prototype.insert.call(recorder, payment);
      rows.push(recorded.payment, await payments.find(merchantId, recorded.payment.id));
      return recorded;
    };
    try {
      await merchant.pay(flow as string, fields);
    } finally {
      delete (recorder as Partial<PaymentRecorder>).insert;
    }
    return rows as [PaymentRow, PaymentRow];
  }
});

describe('payments that are read together', () => {
  it('belong only to their own merchants', async () => {
    const other = new Merchant(await api.loginAsAnotherMerchant());
    const { id: otherShop } = await other.createShop('elsewhere');
    await other.createFlow('checkout', [otherShop]);
    const ids: number[] = [];
    for (const payer of [merchant, other, merchant, other]) ids.push((await payer.pay('checkout')).id);
    const asked = [...ids, ids[0]!, 999_999_999];
    const statuses = (reader: Merchant) =>
      Promise.all(asked.map(async (id) => (await reader.api.get(`/payments/${id}`)).status));
    const [own, others] = await Promise.all([statuses(merchant), statuses(other)]);
    expect(own).toEqual([200, 404, 200, 404, 200, 404]);
    expect(others).toEqual([404, 200, 404, 200, 404, 404]);
  });

  it('show the state that was committed before the read', async () => {
    const { id } = await insert();
    const others = Array.from({ length: 20 }, () => statusOf(id)); // reads during the change
    await money.apply(id, COMPLETE);
    expect(await statusOf(id)).toBe('completed');
    await Promise.all(others);
  });
});

describe('payments that are inserted together', () => {
  it('succeed even if one of them cannot be stored', async () => {
    const outcomes = await Promise.allSettled([10, 0, 20].map((amount) => insert({ amount })));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const amounts = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.amount : []));
    expect(amounts).toEqual(['10.0000', '20.0000']);
  });

  it('succeed without the one whose idempotency key was lost', async () => {
    const names = ['group-1', 'group-2', 'group-3'];
    const idempotency = api.get(IdempotencyService);
    const claims = await Promise.all(
      names.map((name) => idempotency.claim({ merchantId: 1, clientId: 'a client' }, name, { name })),
    );
    await sql(`UPDATE idempotency_keys SET lock_version = lock_version + 1 WHERE key = 'group-2'`);
    const before = await sql('SELECT count(*) FROM payments');
    const outcomes = await Promise.allSettled(
      claims.map((claim) => insert({}, claim.state === 'held' ? claim.key : undefined)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'idempotency_key_in_flight' } });
    const attached = await sql<{ payment_id: number | null }>(
      `SELECT payment_id FROM idempotency_keys WHERE client_id = 'a client' ORDER BY key`,
    );
    const ids = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.id : null));
    expect(attached.map((row) => row.payment_id)).toEqual(ids);
    const [{ made } = { made: 0 }] = await sql<{ made: number }>('SELECT count(*) - $1::bigint AS made FROM payments', [
      (before[0] as { count: number }).count,
    ]);
    expect(made).toBe(2);
  });

  it('count for their shops, together with their outcomes', async () => {
    const endpoint = (index: number) => (index % 2 === 0 ? { webhook_endpoint: ENDPOINT } : {});
    const made = await Promise.all(
      Array.from({ length: 200 }, (_, index) => merchant.pay('checkout', endpoint(index))),
    );
    expect(made.every((payment) => payment.status === 'completed')).toBe(true);
    const ids = [shops.map(({ id }) => id)];
    expect(
      await sql(
        `SELECT shop_id, sum(payments)::int AS all, sum(payments_with_webhooks)::int AS webhooks FROM webhook_shop_counters
         WHERE shop_id = ANY ($1) GROUP BY shop_id ORDER BY shop_id`,
        ids,
      ),
    ).toEqual(
      await sql(
        `SELECT shop_id, count(*)::int AS all, count(webhook_endpoint)::int AS webhooks FROM payments
         WHERE shop_id = ANY ($1) GROUP BY shop_id ORDER BY shop_id`,
        ids,
      ),
    );
    expect(
      await sql(
        `SELECT shop_id, sum(approved)::int AS approved FROM shop_outcomes WHERE shop_id = ANY ($1)
         GROUP BY shop_id ORDER BY shop_id`,
        ids,
      ),
    ).toEqual(
      await sql(
        `SELECT shop_id, count(*)::int AS approved FROM payment_attempts
         WHERE outcome = 'approved' AND shop_id = ANY ($1) GROUP BY shop_id ORDER BY shop_id`,
        ids,
      ),
    );
  });

  it('append the deliveries of each payment in the order of its changes', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => merchant.pay('checkout', { webhook_endpoint: ENDPOINT })),
    );
    for (const payment of made) {
      const deliveries = await api.deliveriesOf(payment.id); // by their ids
      expect(deliveries.map((delivery) => delivery.payment_status)).toEqual(['processing', 'completed']);
      const bodies = deliveries.map(
        (delivery) => JSON.parse(delivery.request_body) as { payment: { status: string; updated_at: string } },
      );
      expect(bodies.map((body) => body.payment.status)).toEqual(['processing', 'completed']);
      expect(bodies.map((body) => body.payment.updated_at)).toEqual(
        (await merchant.history(payment.id)).map((change) => change.at),
      );
    }
  });
});

describe('changes that are written together', () => {
  it('skip a payment that was changed meanwhile, and return its present state', async () => {
    const known = await Promise.all([1, 2, 3].map(() => insert({ webhook_endpoint: ENDPOINT })));
    await money.apply(known[1]!.id, answered('declined'));
    const results = await Promise.all(known.map((row) => money.applyAnswer(row, COMPLETE)));
    expect(results.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
    for (const payment of results) expect(payment).toEqual(asWritten(await payments.find(merchantId, payment.id)));
    expect((await api.deliveriesOf(known[1]!.id)).map((delivery) => delivery.payment_status)).toEqual(FAILED);
    expect(await stepsOf(known[1]!.id)).toEqual(FAILED);
  });

  it('leave one winner if two are for the same payment', async () => {
    const known = await insert({ webhook_endpoint: ENDPOINT });
    const facts: Fact[] = [notified('captured'), { about: 'end', to: 'cancelled', cause: 'expired' }];
    const results = await Promise.all(facts.map((fact) => money.applyAnswer(known, fact)));
    expect(new Set(results.map(({ status }) => status)).size).toBe(1);
    expect(await stepsOf(known.id)).toHaveLength(1);
    expect(await api.deliveriesOf(known.id)).toHaveLength(1);
  });

  it('succeed even if one of them cannot be stored', async () => {
    const known = await Promise.all([1, 2, 3].map(() => insert()));
    const outcomes = await Promise.allSettled(
      known.map((row, index) =>
        money.applyAnswer(row, { ...COMPLETE, ...(index === 1 && { transactionId: 'NUL \0' }) }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await Promise.all(known.map(({ id }) => statusOf(id)))).toEqual(['completed', 'pending', 'completed']);
  });

  it('notify their lanes after the commit, and only then', async () => {
    const notifier = api.get(LaneNotifier);
    const notified: number[] = [];
    notifier.notify = (laneIds) => void notified.push(...laneIds);
    try {
      const known = await Promise.all([1, 2, 3].map(() => insert({ webhook_endpoint: ENDPOINT })));
      const laneIds = known.map(({ webhook_lane_id: laneId }) => laneId);
      const rolledBack = api.get(Database).transaction(async (transaction) => {
        await applyIn(api, transaction, known[0]!.id, COMPLETE);
        throw new Error('no');
      });
      await expect(rolledBack).rejects.toThrow('no');
      expect(notified).toEqual([]);
      await api.get(Database).transaction(async (transaction) => {
        await applyIn(api, transaction, known[0]!.id, COMPLETE);
        expect(notified).toEqual([]);
      });
      expect(notified).toEqual(laneIds.slice(0, 1));
      await money.apply(known[1]!.id, COMPLETE);
      await money.applyAnswer(known[2]!, COMPLETE);
      expect(notified).toEqual(laneIds);
    } finally {
      delete (notifier as Partial<LaneNotifier>).notify;
    }
  });
});
