// The merchants and the provider of a run: new payments at a bounded rate. Each payment is a story: its calls and their
// consequences. A story repeats unanswered calls, like a careful client, and records what the API promised.
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Answer } from './client.js';
import { NOTIFICATION_SECRET, type Outcome, type ProviderSimulator } from './provider-simulator.js';
import { SeededRandom } from '../../test/support/seeded-random.js';
import { FAULTY, type Receivers, STEADY, SLOW_HEALTHY } from './receivers.js';

/** With this many stories new payments are left out, so that an outage does not end in a flood. */
const MOST_STORIES = 500;
const PATIENCE_MS = 60_000;
const SHOPS = ['Berlin', 'Lisbon', 'Quito'];

/** A round-robin flow in which no payment is diverted, so that its counter and its shares can be checked. */
export const ROUND_ROBIN = 'checkout';
/** The flow for payments with their own outcome. */
const UNRELIABLE = 'unreliable';
/** Tries a shop that declines and one that is unavailable before the one that accepts the payment. */
const FAILOVER = 'failover';

/** A promise of the API, by a 2xx answer. */
export type Promised =
  | { kind: 'created'; paymentId: number; reference: string; status: string }
  | { kind: 'cancelled' | 'refunded'; paymentId: number }
  | { kind: 'notified'; paymentId: number; notificationId: string };

interface Payment {
  id: number;
  status: string;
  provider_transaction_id: string;
  shop: { id: number };
  next_action: { url: string } | null;
}

/** Weights of the outcomes: mostly success, so that there are many webhooks. */
const TOKENS = {
  tok_success: 45,
  tok_pending: 20,
  tok_async_success: 8,
  tok_requires_action: 5,
  tok_early_notification: 5,
  tok_charged_no_answer: 5,
  tok_refund_pending: 4,
  tok_async_decline: 3,
  tok_decline: 3,
  tok_timeout: 2,
};
type Token = keyof typeof TOKENS;
const CHOICES = Object.entries(TOKENS).flatMap(([token, times]) => Array<Token>(times).fill(token as Token));
/** In seconds; the shortest expiry that the API accepts. */
const SHORT_EXPIRY = 60;

interface Story {
  reference: string;
  token: Token;
  flow: string;
  endpoint: string | undefined;
  idempotent: boolean;
}

export class Load {
  readonly promised: Promised[] = [];
  /** Payments that were left out. */
  leftOut = 0;
  private readonly random: SeededRandom;
  private readonly stories = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private started = 0;
  private isOver = false;
  private factor = 1;

  constructor(
    private readonly harness: Receivers,
    private readonly client: ApiClient,
    private readonly simulator: ProviderSimulator,
    seed: number,
    private readonly rate: number,
  ) {
    this.random = new SeededRandom(seed, 'load');
  }

  /** Creates shops and flows. */
  async prepare(): Promise<void> {
    const ids: number[] = [];
    for (const name of SHOPS) ids.push(await this.createShop(name));
    const unreliable = await this.createShop('Unreliable');
    await this.createFlow(ROUND_ROBIN, ids);
    await this.createFlow(UNRELIABLE, [unreliable]);
    const declining = await this.createShop('Declining', { simulate: 'tok_soft_decline' });
    const unavailable = await this.createShop('Unavailable', { simulate: 'tok_unavailable' });
    await this.createFlow(FAILOVER, [declining, unavailable, await this.createShop('Last')], 'priority');
  }

  start(): void {
    const everyMs = 1_000 / this.rate;
    let due = performance.now();
    const tick = (): void => {
      for (; due <= performance.now(); due += everyMs / this.factor) this.begin();
      this.timer = setTimeout(tick, everyMs);
    };
    tick();
  }

  /** Creates `factor` times as many payments from now on. */
  setRateFactor(factor: number): void {
    this.factor = factor;
  }

  /** Starts no new stories. Resolves when all have ended or the time is over, to the number of unfinished ones. */
  async stop(timeoutMs: number): Promise<number> {
    clearTimeout(this.timer);
    const all = Promise.all(this.stories);
    await Promise.race([all, delay(timeoutMs, undefined, { ref: false })]);
    this.isOver = true;
    return this.stories.size;
  }

  get underWay(): number {
    return this.stories.size;
  }

  private begin(): void {
    if (this.stories.size >= MOST_STORIES) {
      this.leftOut += 1;
      return;
    }
    const story = this.run().finally(() => this.stories.delete(story));
    this.stories.add(story);
  }

  private async run(): Promise<void> {
    const { random } = this;
    const token = random.pick(CHOICES);
    const share = random.next();
    const receiver = random.pick(share < 0.3 ? STEADY : share < 0.5 ? SLOW_HEALTHY : FAULTY);
    const story: Story = {
      reference: `story-${++this.started}`,
      token,
      flow: this.flowFor(token),
      endpoint: random.chance(0.95) ? this.harness.endpoints[receiver] : undefined,
      idempotent: random.chance(0.7),
    };
    const payment = await this.create(story);
    if (!payment) return;
    if (story.idempotent && random.chance(0.15)) await this.create(story);
    if (payment.status === 'completed' && random.chance(0.2)) return this.act(payment, 'refund', 'refunded');
    if (payment.status === 'processing' && token !== 'tok_pending') return this.awaitOutcome(payment);
    if (payment.status === 'processing') return this.reportOutcome(payment);
    if (payment.status === 'pending' && random.chance(0.4)) return this.act(payment, 'cancel', 'cancelled');
  }

  private flowFor(token: Token): string {
    if (this.random.chance(0.1)) return FAILOVER;
    return token === 'tok_success' || token === 'tok_pending' ? ROUND_ROBIN : UNRELIABLE;
  }

  /** The provider notifies the outcome by itself, after the payer has acted where an action is required. */
  private async awaitOutcome(payment: Payment): Promise<void> {
    await delay(this.random.integer(50, 4_000), undefined, { ref: false });
    if (payment.next_action && this.random.chance(0.8)) {
      const choice = this.random.chance(0.8) ? 'approve' : 'decline';
      await this.retryUntil(() => this.simulator.choose(payment.next_action!.url, choice), [200]);
    }
    if (this.random.chance(0.15)) return this.act(payment, 'cancel', 'cancelled');
    if (this.random.chance(0.2)) return this.act(payment, 'refund', 'refunded');
  }

  /** A payment in processing: the provider reports its outcome, and sometimes the merchant cancels at the same time. */
  private async reportOutcome(payment: Payment): Promise<void> {
    await delay(this.random.integer(50, 4_000), undefined, { ref: false });
    const status = this.random.chance(0.8) ? 'completed' : 'failed';
    const notifications = [this.notify(payment, status)];
    if (this.random.chance(0.2)) notifications.push(this.notify(payment, status));
    if (this.random.chance(0.15)) notifications.push(this.act(payment, 'cancel', 'cancelled'));
    await Promise.all(notifications);
  }

  private async create({ reference, token, flow, endpoint, idempotent }: Story): Promise<Payment | undefined> {
    const body = {
      flow_name: flow,
      expires_in: SHORT_EXPIRY,
      amount: 49.9,
      currency: 'EUR',
      payment_method: { token },
      metadata: { reference },
      ...(endpoint !== undefined && { webhook_endpoint: endpoint }),
    };
    const headers: Record<string, string> = idempotent ? { 'idempotency-key': reference } : {};
    const send = (): Promise<Answer> =>
      this.client.call('create', 'POST', '/payments', { json: body, headers, expected: idempotent ? [409] : [] });
    // without a key a repeated call could create a second payment
    const answer = idempotent ? await this.retryUntil(send, [201]) : await send();
    if (answer?.status !== 201) return undefined;
    const payment = (answer.body as { data: Payment }).data;
    this.promised.push({ kind: 'created', paymentId: payment.id, reference, status: payment.status });
    return payment;
  }

  private async act(payment: Payment, action: 'cancel' | 'refund', kind: 'cancelled' | 'refunded'): Promise<void> {
    await delay(this.random.integer(0, 2_000), undefined, { ref: false });
    const path = `/payments/${payment.id}/${action}`;
    // 409: another request was first, or the provider has refused; a 200 may also mean that the outcome is still
    // pending
    const send = () => this.client.call(action, 'POST', path, { json: {}, expected: [409] });
    const answer = await this.retryUntil(send, [200, 409]);
    const { status } = (answer?.body as { data?: Payment } | undefined)?.data ?? {};
    if (answer?.status === 200 && status === kind) this.promised.push({ kind, paymentId: payment.id });
  }

  private async notify(payment: Payment, status: Outcome): Promise<void> {
    const id = `note-${payment.id}`;
    const transactionId = payment.provider_transaction_id;
    const decision = await this.retryUntil(() => this.decide(transactionId, status), [200, 409]);
    if (decision?.status !== 200) return;
    const notification = { id, provider_transaction_id: transactionId, status };
    const answer = await this.retryUntil(() => this.simulator.notify(payment.shop.id, notification), [200]);
    if (answer?.status === 200) this.promised.push({ kind: 'notified', paymentId: payment.id, notificationId: id });
  }

  /**
   * Decides the transaction in the provider's books, which are unavailable while PostgreSQL is. 409: it is already
   * decided differently.
   */
  private decide(transactionId: string, outcome: Outcome): Promise<{ status: number | null }> {
    return this.simulator.decide(transactionId, outcome).then(
      (isDecided) => ({ status: isDecided ? 200 : 409 }),
      () => ({ status: null }),
    );
  }

  /** Repeats the call until its status is one of `final` or the client's patience is over. */
  private async retryUntil<A extends { status: number | null }>(
    send: () => Promise<A>,
    final: readonly number[],
  ): Promise<A | undefined> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !this.isOver;) {
      const answer = await send();
      if (answer.status !== null && final.includes(answer.status)) return answer;
      await delay(300 + 700 * Math.random(), undefined, { ref: false });
    }
    return undefined;
  }

  private async createShop(name: string, credentials: Record<string, string> = {}): Promise<number> {
    const json = { name, provider_credentials: { notification_secret: NOTIFICATION_SECRET, ...credentials } };
    const { status, body } = await this.client.call('prepare', 'POST', '/shops', { json });
    if (status !== 201) throw new Error(`POST /shops answers ${status}: ${JSON.stringify(body)}`);
    const { id, webhook_secret } = (body as { data: { id: number; webhook_secret: string } }).data;
    await this.harness.receivers.call('trust', id, webhook_secret);
    return id;
  }

  private async createFlow(name: string, shopIds: number[], strategy = 'round_robin'): Promise<void> {
    const isOrdered = strategy === 'priority';
    const shops = shopIds.map((shop_id, index) => ({ shop_id, ...(isOrdered && { priority: index + 1 }) }));
    const json = { name, strategy, shops, ...(isOrdered && { max_attempts: shops.length }) };
    const { status, body } = await this.client.call('prepare', 'POST', '/flows', { json });
    if (status !== 201) throw new Error(`POST /flows answers ${status}: ${JSON.stringify(body)}`);
  }
}
