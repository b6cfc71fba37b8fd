import { setTimeout as delay } from 'node:timers/promises';
import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import { PaymentRecorder } from '../../../src/payments/creation/payment-recorder.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ExpiryService } from '../../../src/payments/work/expiry.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { SystemClock } from '../../../src/shared/clock.js';
import { isDrained, type Ledgers, readLedgers } from '../ledger/ledger.js';
import { recover } from '../app/recovery-harness.js';
import { startApi, type TestApi } from '../app/api-app.js';
import { Merchant, NOTIFICATION_SECRET, type PaymentAnswer } from '../app/merchant.js';
import { DeferredNotifications } from './deferred-notifications.js';

const AMOUNT = 49.9;
const CURRENCY = 'EUR';
/** The sandbox's own actions take 0.4 s, and some need several polls. */
const MAX_DRAIN_ROUNDS = 100;
const ROUND_MS = 50;

/** A payment's flow: one shop, or a shop that is tried after two others have refused the payment. */
export type FlowName = 'single' | 'failover';
export const SHOPS_OF_FAILOVER = 3;

/** The service with its worker's jobs under the test's control, and a sandbox whose notifications are held. */
export class PaymentHarness {
  private readonly expiry: ExpiryService;
  /** Charges that have not reached the provider yet, by payment. */
  private readonly unsent = new Map<number, ChargeRequest>();
  private notifications = 0;

  private constructor(
    readonly api: TestApi,
    readonly merchant: Merchant,
    readonly held: DeferredNotifications,
    private readonly merchantId: number,
  ) {
    this.expiry = new ExpiryService(
      api.get(Database),
      api.get(MoneyService),
      api.get(OperationRecords),
      new SystemClock(),
    );
  }

  static async start(): Promise<PaymentHarness> {
    const held = await DeferredNotifications.start();
    const api = await startApi({ PROVIDER_TIMEOUT_MS: '500', SANDBOX_NOTIFICATION_URL: held.url });
    held.target = api.url;
    const merchant = new Merchant(await api.login());
    const simulating = (simulate: string) => ({
      provider_credentials: { notification_secret: NOTIFICATION_SECRET, simulate },
    });
    const [declining, unavailable, shop] = [
      await merchant.createShop('declining', simulating('tok_soft_decline')),
      await merchant.createShop('unavailable', simulating('tok_unavailable')),
      await merchant.createShop('shop'),
    ];
    await merchant.createFlow('single', [shop.id]);
    const shops = [declining, unavailable, shop].map(({ id }, index) => ({ shop_id: id, priority: index + 1 }));
    await merchant.api.post('/flows', {
      name: 'failover',
      strategy: 'priority',
      shops,
      max_attempts: SHOPS_OF_FAILOVER,
    });
    const { rows } = await api.database.pool.query<{ id: number }>('SELECT merchant_id AS id FROM shops LIMIT 1');
    return new PaymentHarness(api, merchant, held, rows[0]!.id);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.held.stop();
  }

  pay(flow: FlowName, token: string): Promise<PaymentAnswer> {
    return this.merchant.pay(flow, { payment_method: { token } });
  }

  /** A payment whose process died right after its first commit; `isSent`: the charge had reached the provider. */
  async payAndDie(token: string, isSent: boolean): Promise<PaymentAnswer> {
    const request = { flow_name: 'single', amount: AMOUNT, currency: CURRENCY, payment_method: { token } };
    const { api, merchantId } = this;
    const routed = await api
      .get(FlowRoutingService)
      .route(merchantId, 'single', { amount: AMOUNT, currency: CURRENCY });
    const recorded = {
      merchantId,
      routed,
      request,
      given: { method: request.payment_method, facts: {} },
      agreement: null,
      knownCustomer: null,
      key: undefined,
    };
    const { payment, account, charge } = await api.get(PaymentRecorder).insert(recorded);
    this.unsent.set(payment.id, {
      ...charge,
      paymentId: payment.id,
      shopId: payment.shop_id,
      transactionId: payment.provider_transaction_id,
      credentials: account.credentials,
      amount: payment.amount,
      currency: payment.currency,
      country: null,
      sessionId: payment.payment_session_id,
      paymentMethod: { token: token },
      returnUrl: undefined,
      customer: null,
      metadata: null,
      capture: payment.capture,
      notificationUrl: undefined,
    });
    if (isSent) await this.arrive(payment.id);
    return this.merchant.payment(payment.id);
  }

  /** The charge of the dead process reaches the provider, whose answer is lost. */
  async arrive(paymentId: number): Promise<void> {
    const request = this.unsent.get(paymentId);
    this.unsent.delete(paymentId);
    if (request)
      await this.api
        .get(SandboxProvider)
        .charge(request, AbortSignal.abort())
        .catch(() => undefined);
  }

  async act(paymentId: number, action: 'cancel' | 'refund'): Promise<number> {
    return (await this.merchant.api.post(`/payments/${paymentId}/${action}`)).status;
  }

  async notify(payment: PaymentAnswer, status: string, times: number): Promise<number[]> {
    const notification = { id: `by-hand-${++this.notifications}`, status };
    const now = await this.merchant.payment(payment.id);
    const answers: number[] = [];
    for (let time = 0; time < times; time++) answers.push((await this.merchant.notify(now, notification)).status);
    return answers;
  }

  async choose(payment: PaymentAnswer, outcome: 'approve' | 'decline'): Promise<void> {
    const page = payment.next_action && new URL(payment.next_action.url);
    if (!page) return;
    const body = new URLSearchParams({ outcome });
    const response = await fetch(this.api.url + page.pathname, { method: 'POST', body, redirect: 'manual' });
    await response.body?.cancel();
  }

  async expire(paymentIds: readonly number[]): Promise<void> {
    await this.api.database.pool.query(
      `UPDATE payments SET expires_at = now() - interval '1 s' WHERE id = ANY ($1::bigint[]) AND status = 'pending'`,
      [paymentIds],
    );
    await this.expiry.expireBatch();
  }

  recover(paymentIds: readonly number[]): Promise<void> {
    return recover(this.api, [...paymentIds], 1);
  }

  ledgers(paymentIds: readonly number[]): Promise<Ledgers> {
    const { pool } = this.api.database;
    const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await pool.query(text, values)).rows as Row[];
    return readLedgers(query, paymentIds);
  }

  /** Continues until nothing changes: the payer and the provider decide, expiry and recovery run. */
  async drain(payments: readonly PaymentAnswer[]): Promise<Ledgers> {
    const ids = payments.map(({ id }) => id);
    for (const id of ids) await this.arrive(id);
    for (let round = 0; ; round++) {
      const ledgers = await this.ledgers(ids);
      if (isDrained(ledgers) || round === MAX_DRAIN_ROUNDS) return ledgers;
      await this.decide(payments, ledgers);
      await this.expire(ids);
      await this.recover(ids);
      await this.held.release({ times: 1, isReversed: false });
      await delay(ROUND_MS);
    }
  }

  /** Makes all open decisions: those of the payer on the page, and those of the provider. */
  private async decide(payments: readonly PaymentAnswer[], { transactions }: Ledgers): Promise<void> {
    const open = new Set(transactions.filter(({ status }) => status === 'open').map((one) => one.payment_id));
    for (const payment of payments.filter(({ id }) => open.has(id))) {
      const now = await this.merchant.payment(payment.id);
      await this.choose(now, 'decline');
      if (await this.waitsForProvider(now)) await this.notify(now, 'failed', 1);
    }
  }

  /** The sandbox accepts a notification only for these transactions. */
  private async waitsForProvider({ id }: PaymentAnswer): Promise<boolean> {
    const { rows } = await this.api.database.pool.query(
      'SELECT FROM sandbox_transactions WHERE payment_id = $1 AND settled_by IS NOT NULL',
      [id],
    );
    return rows.length > 0;
  }
}
