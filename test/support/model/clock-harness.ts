import { setTimeout as delay } from 'node:timers/promises';
import { compareLedgers, isDrained, type Ledgers, readLedgers } from '../ledger/ledger.js';
import { verify } from '../../../packages/receiver/src/verify.js';
import { ApiClient, type ApiResponse } from '../app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../app/service.js';
import { type SkewedService, startSkewed } from '../app/skewed-services.js';
import { eventually } from '../eventually.js';
import type { SeededRandom } from '../../../src/shared/seeded-random.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import type { Receiver } from '../servers/receiver.js';

const SKEWS_S = [-3_600, -600, -90, -30, -2, 0, 2, 30, 90, 600, 3_600];
const TOKENS = ['tok_success', 'tok_charged_no_answer', 'tok_timeout', 'tok_decline', 'tok_async_success'];
const SETTINGS = {
  PROVIDER_TIMEOUT_MS: '300',
  PROVIDER_RECOVERY_DELAYS_MS: '200,500,1000',
  WEBHOOK_RETRY_DELAYS_MS: '200,400,800',
};
/** Tolerance of a machine's clock, including the latency to PostgreSQL. */
const NEAR_MS = 2_000;
/** Longer than the leases of a frozen process; shorter than the interval after which everything is scanned. */
const DRAIN_TIMEOUT_MS = 60_000;

/** Number of APIs, and the longest time that a process is frozen. */
export interface ClockPlan {
  apis: number;
  longestFreezeMs: number;
}

interface MadePayment {
  payment: PaymentAnswer;
  askedAt: number;
  answeredAt: number;
}

const countOf = (text: string, name: string): string => `SELECT count(*)::int AS ${name} FROM ${text}`;

/** Processes with wrong clocks, and a database with the right clock, which the test uses, too. */
export class ClockHarness {
  /** Violations found so far. */
  readonly wrong: string[] = [];
  private readonly made: MadePayment[] = [];
  private readonly services: SkewedService[] = [];
  private readonly skews: number[] = [];
  private readonly thawing: Promise<void>[] = [];
  private merchants: Merchant[] = [];
  private shop!: ShopAnswer;
  private expireAt = Infinity;

  private constructor(
    private readonly plan: ClockPlan,
    private readonly random: SeededRandom,
    private readonly receiver: Receiver,
    private readonly database: TestDatabase,
  ) {}

  static async start(plan: ClockPlan, random: SeededRandom, receiver: Receiver): Promise<ClockHarness> {
    const harness = new ClockHarness(plan, random, receiver, await createTestDatabase());
    try {
      await harness.begin();
      return harness;
    } catch (error) {
      await harness.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.thawing);
    await Promise.all(this.services.map((service) => service.kill()));
    await this.database.drop();
  }

  async step(): Promise<void> {
    if (this.random.chance(0.15)) return this.setClock();
    if (this.plan.longestFreezeMs > 0 && this.random.chance(0.1)) return this.freeze();
    await this.pay();
    await delay(this.random.integer(0, 300));
  }

  /** Waits until everything has drained, and checks all results. */
  async finish(): Promise<void> {
    await Promise.all(this.thawing);
    await this.database.pool.query(
      `UPDATE payments SET expires_at = clock_timestamp() + interval '2 s' WHERE status = 'pending'`,
    );
    this.expireAt = Date.now() + 2_000;
    await eventually(() => this.requireDrained(), { timeoutMs: DRAIN_TIMEOUT_MS }).catch((error: Error) =>
      this.check(false, `not drained: ${error.message}`),
    );
    await this.checkMoney();
    for (const made of this.made) await this.checkTimes(made);
    await this.checkWebhooks();
    for (const merchant of this.merchants) await this.checkLists(merchant);
  }

  private async begin(): Promise<void> {
    const entries = [...Array<'api'>(this.plan.apis).fill('api'), 'worker'] as const;
    for (const entry of entries) {
      this.skews.push(this.random.pick(SKEWS_S));
      const options = { entry, databaseUrl: this.database.url, env: SETTINGS };
      this.services.push(await startSkewed(options, this.skews.at(-1)! * 1_000));
    }
    const [first, ...others] = this.services.slice(0, this.plan.apis);
    const api = await ApiClient.login(first!.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
    this.merchants = [api, ...others.map(({ url }) => new ApiClient(url, api.token))].map((one) => new Merchant(one));
    this.shop = await this.merchants[0]!.createShop('shop');
    await this.merchants[0]!.createFlow('flow', [this.shop.id]);
  }

  private check(holds: boolean, what: string): void {
    if (!holds) this.wrong.push(`${what} (ahead in s: ${this.skews.join()})`);
  }

  private async setClock(): Promise<void> {
    const which = this.random.integer(0, this.services.length - 1);
    this.skews[which] = this.random.pick(SKEWS_S);
    this.services[which]!.setSkew(this.skews[which] * 1_000);
    await delay(100);
  }

  private freeze(): void {
    const { pid } = this.random.pick(this.services);
    process.kill(pid, 'SIGSTOP');
    this.thawing.push(
      delay(this.random.integer(100, this.plan.longestFreezeMs)).then(() => void process.kill(pid, 'SIGCONT')),
    );
  }

  private async pay(): Promise<void> {
    const [one, other] = this.random.shuffle([...this.merchants, ...this.merchants]);
    const fields = {
      payment_method: { token: this.random.pick(TOKENS) },
      webhook_endpoint: this.receiver.url,
      expires_in: this.random.pick([60, 1_800]),
    };
    const headers = { 'idempotency-key': String(this.made.length) };
    const askedAt = Date.now();
    const pay = (merchant: Merchant): Promise<ApiResponse> => merchant.tryPay('flow', fields, headers);
    const payment = await eventually(async () => dataOf<PaymentAnswer>(await pay(one!)));
    this.made.push({ payment, askedAt, answeredAt: Date.now() });
    if (this.random.chance(0.2)) {
      const again = await eventually(async () => dataOf<PaymentAnswer>(await pay(other!)));
      this.check(again.id === payment.id, `payment ${payment.id} was created again as ${again.id}`);
    }
    if (this.random.chance(0.3))
      await other!.api.post(`/payments/${payment.id}/${payment.status === 'completed' ? 'refund' : 'cancel'}`);
  }

  private ledgers(): Promise<Ledgers> {
    return readLedgers(async <Row extends object>(text: string, values: unknown[] = []) => {
      return (await this.database.pool.query(text, values)).rows as Row[];
    });
  }

  private async requireDrained(): Promise<void> {
    const ledgers = await this.ledgers();
    const open = ledgers.operations.filter(({ state }) => state !== 'confirmed' && state !== 'refused');
    if (!isDrained(ledgers)) throw new Error(`open: ${JSON.stringify(open)}`);
    const pending = await this.count(countOf('pending_deliveries', 'count'));
    if (pending > 0) throw new Error(`${pending} deliveries are pending`);
  }

  private async count(text: string): Promise<number> {
    return (await this.database.pool.query<{ count: number }>(text)).rows[0]!.count;
  }

  private async checkMoney(): Promise<void> {
    const { disagreements } = compareLedgers(await this.ledgers());
    for (const { kind, text } of disagreements) this.check(false, `${kind}: ${text}`);
  }

  private async checkTimes({ payment: { id, created_at }, askedAt, answeredAt }: MadePayment): Promise<void> {
    const createdAt = Date.parse(created_at);
    const isClose = createdAt > askedAt - NEAR_MS && createdAt < answeredAt + NEAR_MS;
    this.check(isClose, `payment ${id} was created ${createdAt - askedAt} ms after its request`);
    for (const { at, cause } of await this.merchants[0]!.history(id)) {
      const isEarly = cause === 'expired' && Date.parse(at) < this.expireAt - NEAR_MS;
      this.check(!isEarly, `payment ${id} expired too early: ${at}`);
    }
  }

  /** One webhook for each change of status, which a receiver with a right clock accepts. */
  private async checkWebhooks(): Promise<void> {
    const requests = this.receiver.requests.splice(0);
    for (const { body, headers, arrivedAt } of requests) {
      await verify(body, headers, this.shop.webhook_secret, { now: () => arrivedAt }).catch((error: Error) =>
        this.check(false, `a receiver refuses: ${error.message}`),
      );
    }
    const received = new Set(requests.map(({ headers }) => headers['webhook-id'])).size;
    const changes = await this.count(countOf('payment_status_changes WHERE from_status <> to_status', 'count'));
    this.check(received === changes, `${changes} changes of status, ${received} webhooks`);
  }

  private async checkLists(merchant: Merchant): Promise<void> {
    const from = Math.min(...this.made.map(({ askedAt }) => askedAt)) - NEAR_MS;
    const to = Math.max(...this.made.map(({ answeredAt }) => answeredAt)) + NEAR_MS;
    const span = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
    const listed = dataOf<PaymentAnswer[]>(await merchant.api.get(`/payments?limit=100&${span}`));
    this.check(listed.length === this.made.length, `${listed.length} of ${this.made.length} payments are listed`);
    const ended = await this.count(countOf(`webhook_deliveries WHERE status = 'delivered'`, 'count'));
    const asked = { status: 'delivered', dry_run: true };
    const { count } = dataOf<{ count: number }>(await merchant.api.post('/webhooks/redeliver', asked));
    this.check(count === ended, `${count} of ${ended} deliveries are found for redelivery`);
  }
}
