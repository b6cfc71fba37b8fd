// The merchants and the provider of a run: new payments at a bounded rate. Each payment is a story: its calls and their
// consequences. A story repeats unanswered calls, like a careful client, and records what the API promised.
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Answer } from './client.js';
import { NOTIFICATION_SECRET } from './provider-books.js';
import type { Outcome, ProviderSimulator } from './provider-simulator.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { FAULTY, type Receivers, STANDING, STEADY, SLOW_HEALTHY } from './receivers.js';
import { runCaptureStory } from './stories/capture-story.js';
import { runDisputeStory } from './stories/dispute-story.js';
import { Merchant, type Payment, type Promised } from './stories/merchant.js';
import { runRefundStory } from './stories/refund-story.js';
import { runSettleStory } from './stories/settle-story.js';

/** With this many stories new payments are left out, so that an outage does not end in a flood. */
const MOST_STORIES = 500;
const SHOPS = ['Berlin', 'Lisbon', 'Quito'];

/** A round-robin flow in which no payment is diverted, so that its counter and its shares can be checked. */
export const ROUND_ROBIN = 'checkout';
/** The flow for payments with their own outcome. */
const UNRELIABLE = 'unreliable';
/** Tries a shop that declines and one that is unavailable before the one that accepts the payment. */
const FAILOVER = 'failover';

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
/** The same for payments that are only authorised. */
const MANUAL_TOKENS = {
  tok_authorize_only: 40,
  tok_capture_pending: 15,
  tok_authorization_lapses: 12,
  tok_refund_pending: 8,
  tok_capture_refused: 5,
  tok_async_success: 5,
  tok_early_notification: 5,
  tok_requires_action: 5,
  tok_charged_no_answer: 5,
};
const choicesOf = (weights: Record<string, number>): string[] =>
  Object.entries(weights).flatMap(([token, times]) => Array<string>(times).fill(token));
const CHOICES = choicesOf(TOKENS);
const MANUAL_CHOICES = choicesOf(MANUAL_TOKENS);
/** `basic`: payments, cancellations and full refunds; a restored backup can lose the objects of all others. */
type Operations = 'basic' | 'all';
/** In seconds; the shortest expiry that the API accepts. */
const SHORT_EXPIRY = 60;

interface Story {
  reference: string;
  token: string;
  isManual: boolean;
  flow: string;
  endpoint: string | undefined;
  idempotent: boolean;
}

export class Load {
  /** Payments that were left out. */
  leftOut = 0;
  private readonly random: SeededRandom;
  private readonly stories = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private started = 0;
  private factor = 1;
  private readonly merchant: Merchant;

  constructor(
    private readonly harness: Receivers,
    private readonly client: ApiClient,
    private readonly simulator: ProviderSimulator,
    seed: number,
    private readonly rate: number,
    private readonly operations: Operations = 'all',
  ) {
    this.random = new SeededRandom(seed, 'load');
    this.merchant = new Merchant(client, simulator, this.random);
  }

  get promised(): Promised[] {
    return this.merchant.promised;
  }

  /** Creates shops, flows and standing endpoints. */
  async prepare(): Promise<void> {
    const ids: number[] = [];
    for (const name of SHOPS) ids.push(await this.createShop(name));
    const unreliable = await this.createShop('Unreliable');
    await this.createFlow(ROUND_ROBIN, ids);
    await this.createFlow(UNRELIABLE, [unreliable]);
    const declining = await this.createShop('Declining', { simulate: 'tok_soft_decline' });
    const unavailable = await this.createShop('Unavailable', { simulate: 'tok_unavailable' });
    await this.createFlow(FAILOVER, [declining, unavailable, await this.createShop('Last')], 'priority');
    // a restored backup can lose them
    if (this.operations === 'all')
      for (const receiver of STANDING) await this.createEndpoint(this.harness.endpoints[receiver]!);
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
    this.merchant.isOver = true;
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
    const { random, merchant } = this;
    const isManual = this.operations === 'all' && random.chance(0.25);
    const token = random.pick(isManual ? MANUAL_CHOICES : CHOICES);
    const share = random.next();
    const receiver = random.pick(share < 0.3 ? STEADY : share < 0.5 ? SLOW_HEALTHY : FAULTY);
    const story: Story = {
      reference: `story-${++this.started}`,
      token,
      isManual,
      flow: this.flowFor(token),
      endpoint: random.chance(0.95) ? this.harness.endpoints[receiver] : undefined,
      idempotent: random.chance(0.7),
    };
    const payment = await this.create(story);
    if (!payment) return;
    if (story.idempotent && random.chance(0.15)) await this.create(story);
    await Promise.all([
      this.continue(story, payment),
      ...(this.operations === 'all' && random.chance(0.25) ? [runSettleStory(merchant, payment)] : []),
    ]);
  }

  private async continue({ token, isManual }: Story, payment: Payment): Promise<void> {
    const { random, merchant } = this;
    if (isManual) {
      await runCaptureStory(merchant, payment);
      return this.afterCapture(payment);
    }
    if (payment.status === 'completed') return this.afterCapture(payment);
    if (payment.status === 'processing' && token !== 'tok_pending') return this.awaitOutcome(payment);
    if (payment.status === 'processing') return this.reportOutcome(payment);
    if (payment.status === 'pending' && random.chance(0.4)) return merchant.cancel(payment);
  }

  /** A captured payment; one that was not captured refuses all of this. */
  private async afterCapture(payment: Payment): Promise<void> {
    const { random, merchant } = this;
    if (random.chance(0.12)) return merchant.refundRest(payment);
    if (this.operations === 'basic') return;
    const stories: Promise<void>[] = [];
    if (random.chance(0.25)) stories.push(runRefundStory(merchant, payment));
    if (random.chance(0.08)) stories.push(runDisputeStory(merchant, payment));
    await Promise.all(stories);
  }

  private flowFor(token: string): string {
    if (this.random.chance(0.1)) return FAILOVER;
    return token === 'tok_success' || token === 'tok_pending' ? ROUND_ROBIN : UNRELIABLE;
  }

  /** The provider notifies the outcome by itself, after the payer has acted where an action is required. */
  private async awaitOutcome(payment: Payment): Promise<void> {
    const { random, merchant } = this;
    await merchant.pause(50, 4_000);
    if (payment.next_action && random.chance(0.8)) {
      const choice = random.chance(0.8) ? 'approve' : 'decline';
      await merchant.retryUntil(() => this.simulator.choose(payment.next_action!.url, choice), [200]);
    }
    if (random.chance(0.15)) return merchant.cancel(payment);
    return this.afterCapture(payment);
  }

  /** A payment in processing: the provider reports its outcome, and sometimes the merchant cancels at the same time. */
  private async reportOutcome(payment: Payment): Promise<void> {
    await this.merchant.pause(50, 4_000);
    const status = this.random.chance(0.8) ? 'completed' : 'failed';
    const notifications = [this.notify(payment, status)];
    if (this.random.chance(0.2)) notifications.push(this.notify(payment, status));
    if (this.random.chance(0.15)) notifications.push(this.merchant.cancel(payment));
    await Promise.all(notifications);
  }

  private async create({
    reference,
    token,
    isManual,
    flow,
    endpoint,
    idempotent,
  }: Story): Promise<Payment | undefined> {
    const body = {
      flow_name: flow,
      expires_in: SHORT_EXPIRY,
      amount: 49.9,
      currency: 'EUR',
      payment_method: { token },
      metadata: { reference },
      ...(isManual && { capture: 'manual' }),
      ...(endpoint !== undefined && { webhook_endpoint: endpoint }),
    };
    const headers: Record<string, string> = idempotent ? { 'idempotency-key': reference } : {};
    const send = (): Promise<Answer> =>
      this.client.call('create', 'POST', '/payments', { json: body, headers, expected: idempotent ? [409] : [] });
    // without a key a repeated call could create a second payment
    const answer = idempotent ? await this.merchant.retryUntil(send, [201]) : await send();
    if (answer?.status !== 201) return undefined;
    const payment = (answer.body as { data: Payment }).data;
    this.promised.push({ kind: 'created', paymentId: payment.id, reference, status: payment.status });
    return payment;
  }

  private async notify(payment: Payment, status: Outcome): Promise<void> {
    const id = `note-${payment.id}`;
    const transactionId = payment.provider_transaction_id;
    const isDecided = await this.merchant.atProvider(() => this.simulator.decide(transactionId, status));
    if (!isDecided) return;
    const notification = { id, provider_transaction_id: transactionId, status };
    const answer = await this.merchant.retryUntil(() => this.simulator.notify(payment.shop.id, notification), [200]);
    if (answer?.status === 200) this.promised.push({ kind: 'notified', paymentId: payment.id, notificationId: id });
  }

  private async createShop(name: string, credentials: Record<string, string> = {}): Promise<number> {
    const json = { name, provider_credentials: { notification_secret: NOTIFICATION_SECRET, ...credentials } };
    const { status, body } = await this.client.call('prepare', 'POST', '/shops', { json });
    if (status !== 201) throw new Error(`POST /shops answers ${status}: ${JSON.stringify(body)}`);
    const { id, webhook_secret } = (body as { data: { id: number; webhook_secret: string } }).data;
    await this.harness.receivers.call('trust', id, webhook_secret);
    return id;
  }

  /** Creates a standing endpoint that gets the changes of all shops. */
  private async createEndpoint(url: string): Promise<void> {
    const { status, body } = await this.client.call('prepare', 'POST', '/webhooks/endpoints', { json: { url } });
    if (status !== 201) throw new Error(`POST /webhooks/endpoints answers ${status}: ${JSON.stringify(body)}`);
    const { id, secret } = (body as { data: { id: number; secret: string } }).data;
    await this.harness.receivers.call('trust', -id, secret);
  }

  private async createFlow(name: string, shopIds: number[], strategy = 'round_robin'): Promise<void> {
    const isOrdered = strategy === 'priority';
    const shops = shopIds.map((shop_id, index) => ({ shop_id, ...(isOrdered && { priority: index + 1 }) }));
    const json = { name, strategy, shops, ...(isOrdered && { max_attempts: shops.length }) };
    const { status, body } = await this.client.call('prepare', 'POST', '/flows', { json });
    if (status !== 201) throw new Error(`POST /flows answers ${status}: ${JSON.stringify(body)}`);
  }
}
