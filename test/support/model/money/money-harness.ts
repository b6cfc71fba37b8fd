import assert from 'node:assert/strict';
import { AuthorizationExpiry } from '../../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../../src/payments/store/operation-records.service.js';
import { type ApiEvent, following } from '../../../integration/events/events-harness.js';
import {
  checkWaiting,
  scriptNotifications,
  sendEvents,
  type TestEvent,
} from '../../../integration/payments/scripted-events.js';
import { startApi, type TestApi } from '../../app/api-app.js';
import type { ApiClient, ApiResponse } from '../../app/api-client.js';
import { doDueWork } from '../../app/due-work.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../app/merchant.js';
import { eventually } from '../../eventually.js';
import { type Ledgers, readLedgers } from '../../ledger/ledger.js';
import type { PaymentMoney } from './payment-money.js';
import { type Booked, ProviderBooks } from './provider-books.js';
import { stopOperations } from '../../operation-work.js';

const FLOW = 'money';

interface RefundAnswer {
  id: number;
  amount: number;
  status: string;
  origin: string;
  provider_refund_id: string | null;
}

/** The API over books of a provider that the test controls. */
export class MoneyHarness {
  /** The cursor of the events that were read. */
  private cursor: string | undefined;

  private constructor(
    readonly api: TestApi,
    readonly books: ProviderBooks,
    readonly merchant: Merchant,
    private readonly client: ApiClient,
    private readonly shopId: number,
  ) {}

  static async start(): Promise<MoneyHarness> {
    const api = await startApi({ PROVIDER_TIMEOUT_MS: '5000' });
    scriptNotifications(api);
    const books = new ProviderBooks(api);
    const client = await api.login();
    const merchant = new Merchant(client);
    const shop = await merchant.createShop(FLOW);
    await merchant.createFlow(FLOW, [shop.id]);
    return new MoneyHarness(api, books, merchant, client, shop.id);
  }

  stop(): Promise<void> {
    return this.api.stop();
  }

  pay(capture: string): Promise<PaymentAnswer> {
    return this.merchant.pay(FLOW, { capture, webhook_endpoint: 'http://127.0.0.1:4000/' });
  }

  act(paymentId: number, action: string, body: object = {}): Promise<ApiResponse> {
    return this.merchant.api.post(`/payments/${paymentId}/${action}`, body);
  }

  /** The provider's notification. */
  async notify(booked: Booked, event: Omit<TestEvent, 'match'>): Promise<void> {
    const { status, body } = await sendEvents(this.merchant, this.shopId, [
      { match: { reference: booked.reference }, ...event },
    ]);
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** Runs the check that a worker makes every two seconds. */
  checkWaiting(): Promise<void> {
    return checkWaiting(this.api);
  }

  /** The authorisation has ended; the worker notices it. */
  async lapse(paymentId: number): Promise<void> {
    await this.api.database.pool.query(
      `UPDATE payments SET capture_before = now() - interval '1 s' WHERE id = $1 AND status = 'processing'`,
      [paymentId],
    );
    await doDueWork(this.api, new AuthorizationExpiry(this.api.get(OperationRecords)).work);
  }

  /** Recovery gives up on the payment's operations, as after three days. Returns those of a kind, the oldest first. */
  async stopOperations(paymentId: number, kind: string): Promise<number[]> {
    await this.api.database.pool.query(
      stopOperations(
        `payment_id = $1 AND state NOT IN ('confirmed', 'refused')`,
        `CASE state WHEN 'open' THEN 'unknown' ELSE state END`,
      ),
      [paymentId],
    );
    const operations = dataOf<{ id: number; kind: string; state: string }[]>(
      await this.merchant.api.get(`/payments/${paymentId}/operations`),
    );
    return operations.filter((each) => each.kind === kind && !/confirmed|refused/.test(each.state)).map(({ id }) => id);
  }

  /** The refunds, oldest first. */
  async refundsOf(paymentId: number): Promise<RefundAnswer[]> {
    return dataOf<RefundAnswer[]>(await this.merchant.api.get(`/payments/${paymentId}/refunds?limit=100`)).reverse();
  }

  /** The state of the payment on our side, in the form of `expectedOf`. */
  async found(paymentId: number): Promise<object> {
    const payment = (await this.merchant.payment(paymentId)) as PaymentAnswer & { disputed_amount: number };
    const deliveries = await this.api.deliveriesOf(paymentId);
    const disputes = dataOf<{ kind: string; status: string; amount: number }[]>(
      await this.merchant.api.get(`/payments/${paymentId}/disputes`),
    );
    return {
      status: payment.status,
      amounts: amountsOf(payment),
      refund_pending: payment.refund_pending,
      capture_pending: payment.capture_pending,
      disputed_amount: payment.disputed_amount,
      history: (await this.merchant.history(paymentId)).map(({ to, cause }) => `${to} ${cause}`),
      webhooks: deliveries.map(({ request_body: body }) => {
        const sent = (JSON.parse(body) as { payment: PaymentAnswer }).payment;
        return [sent.status, ...amountsOf(sent)];
      }),
      refunds: (await this.refundsOf(paymentId)).map(
        ({ amount, status, origin, provider_refund_id: id }) => `${amount} ${status} ${origin} ${id}`,
      ),
      disputes: disputes.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`),
    };
  }

  /** The events since the last call, when as many as these are visible. */
  async newEvents(paymentIds: readonly number[], count: number): Promise<ApiEvent[]> {
    const seen = await eventually(
      async () => {
        const { events, cursor } = await following(this.client, this.cursor);
        const predicted = events.filter(({ type }) => !UNPREDICTED.has(type));
        const own = predicted.filter(({ payment_id: id }) => id !== null && paymentIds.includes(id));
        return own.length >= count ? { own, cursor } : null;
      },
      { timeoutMs: 20_000 },
    );
    this.cursor = seen.cursor;
    return seen.own;
  }

  async ledgers(paymentIds: readonly number[]): Promise<Ledgers> {
    const { pool } = this.api.database;
    const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await pool.query(text, values)).rows as Row[];
    return { ...(await readLedgers(query, paymentIds)), transactions: this.books.transactionsOf(paymentIds) };
  }
}

/** Events that the model does not predict (test/integration/events/payment-events.spec.ts). */
const UNPREDICTED = new Set(['payment.amounts_changed', 'capture.failed']);

const amountsOf = (payment: PaymentAnswer): number[] => [
  payment.amount_authorized,
  payment.amount_captured,
  payment.amount_refunded,
];

/** The same for the expected state. */
export const expectedOf = (money: PaymentMoney, disputes: { lines: string[]; amount: number }): object => ({
  status: money.status,
  amounts: [money.authorized / 100, money.captured / 100, money.refunded / 100],
  refund_pending: money.refunds.some(({ status }) => status === 'pending'),
  capture_pending: money.operations.some(({ kind, state }) => kind === 'capture' && state !== 'closed'),
  disputed_amount: disputes.amount / 100,
  history: money.history,
  webhooks: money.webhooks.map(([status, ...amounts]) => [status, ...amounts.map((cents) => cents / 100)]),
  refunds: money.refunds.map(({ amount, status, origin, id }) => `${amount / 100} ${status} ${origin} ${id}`),
  disputes: disputes.lines,
});
