// A careful merchant during an upgrade: pays with idempotency keys, repeats unanswered calls, and reads.
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import type { Answer, ApiClient } from '../chaos/client.js';
import { NOTIFICATION_SECRET, signatureOf } from '../chaos/provider-books.js';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 200;
const SHOPS = ['Berlin', 'Lisbon'];
const FLOW = 'checkout';

/** Weights of the outcomes, all of which the old version's sandbox knows, too. */
const TOKENS = { tok_success: 70, tok_pending: 18, tok_decline: 8, tok_timeout: 4 };
const CHOICES = Object.entries(TOKENS).flatMap(([token, times]) => Array<string>(times).fill(token));

interface Payment {
  id: number;
  status: string;
  provider_transaction_id: string;
  shop: { id: number };
}

/** A payment that the API answered with 201, and its request. */
export interface Promised {
  paymentId: number;
  reference: string;
  request: object;
}

/** A part of a payment that the API answered as captured or refunded. */
interface PromisedPart {
  paymentId: number;
  /** Absent: it was captured. */
  refundId?: number;
  amount: number;
}

/** Start and duration of one call. */
interface Timing {
  at: number;
  ms: number;
}

/** Payments at a fixed rate, spread over the API processes that a load balancer would currently use. */
export class Traffic {
  readonly promised: Promised[] = [];
  readonly parts: PromisedPart[] = [];
  /** Payments whose provider answers at once. */
  readonly creations: Timing[] = [];
  /** References of stories whose payment was never answered with 201. */
  readonly abandoned: string[] = [];
  readonly shopIds: number[] = [];
  private clients: ApiClient[] = [];
  private requests = 0;
  private started = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly stories = new Set<Promise<void>>();
  private readonly random: SeededRandom;

  constructor(
    seed: number,
    private readonly endpoints: readonly string[],
    private readonly trust: (shopId: number, secret: string) => Promise<unknown>,
  ) {
    this.random = new SeededRandom(seed, 'traffic');
  }

  /** Sends requests to these clients from now on. */
  routeTo(...clients: ApiClient[]): void {
    this.clients = clients;
  }

  async prepare(): Promise<void> {
    for (const name of SHOPS) {
      const json = { name, provider_credentials: { notification_secret: NOTIFICATION_SECRET } };
      const shop = dataOf<{ id: number; webhook_secret: string }>(
        await this.client().call('prepare', 'POST', '/shops', { json }),
      );
      await this.trust(shop.id, shop.webhook_secret);
      this.shopIds.push(shop.id);
    }
    const shops = this.shopIds.map((shop_id) => ({ shop_id }));
    dataOf(
      await this.client().call('prepare', 'POST', '/flows', { json: { name: FLOW, strategy: 'round_robin', shops } }),
    );
  }

  start(perSecond: number): void {
    this.timer = setInterval(() => {
      const story = this.run().finally(() => this.stories.delete(story));
      this.stories.add(story);
    }, 1_000 / perSecond);
  }

  /** Starts no new payments; resolves when the running stories have ended. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.stories);
  }

  /** Repeats the request of `promised`; returns the id of the payment. */
  async repeat({ request, reference }: Promised): Promise<number | undefined> {
    const headers = { 'idempotency-key': reference };
    const answer = await this.client().call('repeat', 'POST', '/payments', { json: request, headers });
    return (answer.body as { data?: Payment }).data?.id;
  }

  /** The longest creation that began in this period, in ms. */
  longestMs(from: number, to: number): number {
    return Math.max(0, ...this.creations.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms));
  }

  private client(): ApiClient {
    return this.clients[this.requests++ % this.clients.length]!;
  }

  private async run(): Promise<void> {
    const isManual = this.random.chance(0.3);
    const token = isManual ? 'tok_authorize_only' : this.random.pick(CHOICES);
    const reference = `upgrade-${++this.started}`;
    const request = {
      flow_name: FLOW,
      amount: 49.9,
      currency: 'EUR',
      expires_in: 600,
      payment_method: { token },
      ...(isManual && { capture: 'manual' }),
      metadata: { reference },
      customer: { email: 'customer@example.com' },
      webhook_endpoint: this.random.pick(this.endpoints),
    };
    const payment = await this.create(reference, request, token !== 'tok_timeout');
    if (!payment) return void this.abandoned.push(reference);
    this.promised.push({ paymentId: payment.id, reference, request });
    if (isManual) await this.capturePart(payment);
    for (const part of [1, 2]) await this.refundPart(this.random.pick(this.promised).paymentId, part);
    if (token === 'tok_pending') await this.notify(payment);
    if (payment.status === 'completed' && this.random.chance(0.2)) await this.refund(payment);
    await this.read(payment);
  }

  private async create(reference: string, json: object, isTimed: boolean): Promise<Payment | undefined> {
    const headers = { 'idempotency-key': reference };
    const at = Date.now();
    const answer = await this.retryUntil(() =>
      this.client().call('create', 'POST', '/payments', { json, headers, expected: [409] }),
    );
    if (isTimed) this.creations.push({ at, ms: Date.now() - at });
    return answer && dataOf<Payment>(answer);
  }

  private async notify({ id, shop, provider_transaction_id }: Payment): Promise<void> {
    await delay(this.random.integer(50, 4_000));
    const text = JSON.stringify({ id: `note-${id}`, provider_transaction_id, status: 'completed' });
    const headers = { signature: signatureOf(text) };
    const path = `/providers/sandbox/notifications/${shop.id}`;
    await this.retryUntil(() => this.client().call('notify', 'POST', path, { text, headers }));
  }

  private async refund({ id }: Payment): Promise<void> {
    await delay(this.random.integer(0, 3_000));
    await this.retryUntil(() => this.client().call('refund', 'POST', `/payments/${id}/refund`, { json: {} }));
  }

  private async capturePart({ id }: Payment): Promise<void> {
    const json = { amount: this.random.integer(10, 40) };
    const answer = await this.retryUntil(() =>
      this.client().call('capture', 'POST', `/payments/${id}/capture`, { json }),
    );
    if (!answer) return;
    this.parts.push({ paymentId: id, amount: dataOf<{ amount_captured: number }>(answer).amount_captured });
  }

  /** 409: it was not captured, or has less left. */
  private async refundPart(paymentId: number, part: number): Promise<void> {
    const headers = { 'idempotency-key': `refund-${paymentId}-${part}` };
    const options = { json: { amount: 2.5 * part }, headers, expected: [409] };
    const answer = await this.client().call('refund part', 'POST', `/payments/${paymentId}/refunds`, options);
    if (answer.status !== 201) return;
    const { id: refundId, amount } = dataOf<{ id: number; amount: number }>(answer);
    this.parts.push({ paymentId, refundId, amount });
  }

  private async read({ id, shop }: Payment): Promise<void> {
    const paths = [`/payments/${id}`, `/payments/${id}/history`, `/payments/${id}/attempts`, '/payments?limit=5'];
    const shopPaths = [`/webhooks/shop/${shop.id}/stats`, `/webhooks/shop/${shop.id}/deliveries?payment_id=${id}`];
    for (const path of [...paths, ...shopPaths]) await this.client().call('read', 'GET', path);
  }

  /** Repeats the call until it is answered with 2xx. */
  private async retryUntil(send: () => Promise<Answer>): Promise<Answer | undefined> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(PAUSE_MS)) {
      const answer = await send();
      if (answer.status !== null && answer.status >= 200 && answer.status < 300) return answer;
    }
    return undefined;
  }
}

function dataOf<T>({ status, body }: Answer): T {
  if (status !== 200 && status !== 201) throw new Error(`the API answers ${status}: ${JSON.stringify(body)}`);
  return (body as { data: T }).data;
}
