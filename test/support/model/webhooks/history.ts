import { SystemClock } from '../../../../src/shared/clock.js';
import type { ApiResponse } from '../../app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../app/merchant.js';
import { type Address, type Burst, FORMS, SHOPS, type Step } from './plan.js';
import { KeyHistory } from './keys.js';
import { SecretHistory } from './secrets.js';
import type { WebhookHarness } from './webhook-harness.js';

const clock = new SystemClock();
const now = (): number => clock.now().getTime();

/** A call with the times when it was sent and answered, in ms since 1970. */
interface Asked {
  from: number;
  to: number;
}

interface ModelShop {
  id: number;
  flow: string;
  secrets: SecretHistory;
  keys: KeyHistory;
  payments: number;
  withWebhooks: number;
}

export interface Retry extends Asked {
  delivery: number;
  to: number;
  /** `null`: the same address. */
  address: string | null;
}

/** Deliveries that have ended by then and must be sent again. */
interface Redelivery extends Asked {
  filter: string;
  deliveries: number[];
}

interface TestSend extends Asked {
  shop: ModelShop;
  answer: { delivered: boolean; status_code: number | null; signature: string; request_body: string };
}

type StepOf<D extends Step['do']> = Extract<Step, { do: D }>;

/** Performs a plan as one merchant, and records the API's answers. */
export class WebhookHistory {
  readonly payments: PaymentAnswer[] = [];
  readonly retries: Retry[] = [];
  readonly redeliveries: Redelivery[] = [];
  readonly tests: TestSend[] = [];
  /** By customer, when the erasure was requested. */
  readonly erased = new Map<number, number>();
  /** Unexpected answers. */
  readonly unexpectedAnswers: string[] = [];
  /** Nothing else is running, so that there is exactly one right answer. */
  private isExclusive = false;
  private rotations: Promise<void> = Promise.resolve();
  private drainedAt = now();
  private notifications = 0;

  private constructor(
    readonly harness: WebhookHarness,
    readonly key: string,
    readonly merchantId: number,
    readonly merchant: Merchant,
    readonly shops: readonly ModelShop[],
  ) {}

  static async start(harness: WebhookHarness): Promise<WebhookHistory> {
    const { key, merchantId, client } = await harness.aMerchant();
    const merchant = new Merchant(client);
    const shops: ModelShop[] = [];
    for (let index = 0; index < SHOPS; index++) {
      const flow = `shop ${index}`;
      const { id, webhook_secret: secret } = await merchant.createShop(flow);
      await merchant.createFlow(flow, [id]);
      shops.push({
        id,
        flow,
        secrets: new SecretHistory(secret),
        keys: new KeyHistory(),
        payments: 0,
        withWebhooks: 0,
      });
    }
    return new WebhookHistory(harness, key, merchantId, merchant, shops);
  }

  async run(plan: readonly Burst[]): Promise<void> {
    for (const { drainsFirst, steps } of plan) {
      if (drainsFirst) {
        await this.harness.drain([this.merchantId]);
        this.drainedAt = now();
      }
      this.isExclusive = drainsFirst && steps.length === 1;
      await Promise.all(steps.map((step) => this.perform(step)));
    }
  }

  private perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'pay':
        return this.pay(step);
      case 'act':
        return this.onPayment(step.payment, ({ id }) => this.post(`/payments/${id}/${step.action}`, {}, [200, 409]));
      case 'notify':
        return this.onPayment(step.payment, async (payment) => this.notify(payment, step.status));
      case 'retry':
        return this.retry(step);
      case 'redeliver':
        return this.redeliver(step);
      case 'replay':
        return this.replay(step);
      case 'test':
        return this.test(step);
      case 'rotate':
        return (this.rotations = this.rotations.then(() => this.rotate(step)));
      case 'pass':
        return (this.rotations = this.rotations.then(() => this.pass(step)));
      case 'sign':
        return (this.rotations = this.rotations.then(() => this.sign(step)));
      case 'answer':
        return Promise.resolve(this.harness.behave(this.key, step.origin, step.behaviour));
      case 'erase':
        return this.onPayment(step.payment, (payment) => this.erase(payment));
      case 'disturb':
        return this.harness.disturb(step.how);
    }
  }

  private shopAt(index: number): ModelShop {
    return this.shops[index % this.shops.length]!;
  }

  private addressOf({ form, origin, path }: Address): string {
    return FORMS[form] + this.harness.address(this.key, origin, path).slice(FORMS.plain.length);
  }

  /** `undefined`: the answer was unexpected and is recorded, or the service was too busy. */
  private async post(path: string, body: unknown, expected: number[]): Promise<(Asked & ApiResponse) | undefined> {
    const from = now();
    const response = await this.merchant.api.post(path, body);
    if (expected.includes(response.status)) return { ...response, from, to: now() };
    if (response.status !== 503 || !this.harness.wasCut)
      this.unexpectedAnswers.push(
        `POST ${path} ${JSON.stringify(body)} answers ${response.status} ${JSON.stringify(response.body)}`,
      );
    return undefined;
  }

  private async pay({ token, shop: index, to, isKnown }: StepOf<'pay'>): Promise<void> {
    const shop = this.shopAt(index);
    shop.payments += 1;
    if (to) shop.withWebhooks += 1;
    const payment = await this.merchant.pay(shop.flow, {
      payment_method: { token },
      ...(to && { webhook_endpoint: this.addressOf(to) }),
      ...(isKnown && { customer: { email: 'zebra@example.com', first_name: 'Zebra', last_name: 'Zebra' } }),
    });
    this.payments.push(payment);
  }

  private async onPayment(index: number, work: (payment: PaymentAnswer) => Promise<unknown>): Promise<void> {
    if (this.payments.length > 0) await work(this.payments[index % this.payments.length]!);
  }

  private async notify(payment: PaymentAnswer, status: string): Promise<void> {
    if (payment.provider_transaction_id === null || payment.status !== 'processing') return;
    await this.merchant.notify(payment, { id: `${this.key}-${++this.notifications}`, status });
  }

  private async retry({ delivery: index, to }: StepOf<'retry'>): Promise<void> {
    const ids = await this.deliveryIds();
    const delivery = ids[index % ids.length];
    if (delivery === undefined) return;
    const address = to && this.addressOf(to);
    const body = address === null ? {} : { webhook_endpoint: address };
    const answer = await this.post(`/webhooks/deliveries/${delivery}/retry`, body, [202, 409]);
    if (answer?.status === 202) this.retries.push({ delivery, address, from: answer.from, to: answer.to });
    if (!this.isExclusive || !answer) return;
    const [row] = await this.harness.query<{ isErased: boolean }>(
      `SELECT request_body = '' AS "isErased" FROM all_deliveries WHERE id = $1`,
      [delivery],
    );
    const { code } = answer.body as { code?: string };
    if (code !== (row!.isErased ? 'delivery_erased' : undefined))
      this.unexpectedAnswers.push(`a retry answers ${code}`);
  }

  async deliveryIds(): Promise<number[]> {
    const rows = await this.harness.query<{ id: number }>(
      'SELECT id FROM all_deliveries WHERE merchant_id = $1 ORDER BY id',
      [this.merchantId],
    );
    return rows.map(({ id }) => id);
  }

  private async redeliver({ shop, status, to, isSinceDrain }: StepOf<'redeliver'>): Promise<void> {
    const filter = {
      status,
      ...(shop !== null && { shop_id: this.shopAt(shop).id }),
      ...(to && { webhook_endpoint: this.addressOf(to) }),
      ...(isSinceDrain && { from: new Date(this.drainedAt).toISOString() }),
    };
    await this.again('/webhooks/redeliver', filter);
  }

  private async replay({ shop, status }: StepOf<'replay'>): Promise<void> {
    const { id } = this.shopAt(shop);
    const span = { from: '2020-01-01T00:00:00Z', to: new Date(now() + 60_000).toISOString() };
    await this.again(`/webhooks/shop/${id}/replay`, { ...span, ...(status && { status }) }, id);
  }

  private async again(path: string, body: Record<string, string | number>, shopId = body['shop_id']): Promise<void> {
    const { status = null, webhook_endpoint = null, from = null } = body;
    const askedAt = now();
    // an equal request that is running includes this one, and may have passed some of these deliveries
    const [before] = await this.harness.query<{ jobs: number; ids: number[] | null }>(
      `SELECT (SELECT count(*)::int FROM webhook_redeliveries WHERE merchant_id = $1) AS jobs,
        (SELECT array_agg(id) FROM webhook_deliveries WHERE merchant_id = $1 AND body_bytes > 0
          AND ($2::bigint IS NULL OR shop_id = $2) AND ($3::text IS NULL OR status = $3)
          AND ($4::text IS NULL OR webhook_endpoint = $4)
          AND ($5::timestamptz IS NULL OR created_at >= $5)) AS ids`,
      [this.merchantId, shopId ?? null, status, webhook_endpoint, from],
    );
    const answer = await this.post(path, body, [202, 429]);
    if (answer?.status !== 202) return;
    const { count } = dataOf<{ count: number }>(answer);
    if (this.isExclusive && count !== (before!.ids ?? []).length)
      this.unexpectedAnswers.push(
        `${path} ${JSON.stringify(body)} answers ${count} instead of ${before!.ids?.join() ?? 'none'}`,
      );
    const filter = JSON.stringify([path, body]);
    const deliveries = before!.jobs === 0 ? (before!.ids ?? []) : [];
    this.redeliveries.push({ from: askedAt, to: answer.to, filter, deliveries });
  }

  private async test({ shop: index, to }: StepOf<'test'>): Promise<void> {
    const shop = this.shopAt(index);
    const body = { webhook_endpoint: this.addressOf(to) };
    const answer = await this.post(`/webhooks/shop/${shop.id}/test`, body, [200]);
    if (answer) this.tests.push({ shop, from: answer.from, to: answer.to, answer: dataOf(answer) });
  }

  private async rotate({ shop: index, overlap, activateIn, given }: StepOf<'rotate'>): Promise<void> {
    const { id, secrets } = this.shopAt(index);
    const secret = { none: undefined, latest: secrets.latest, signing: secrets.current(now())[0]! }[given];
    const isRepeated = secret === secrets.latest;
    const body = {
      overlap_seconds: overlap,
      activate_in_seconds: activateIn,
      ...(secret !== undefined && { webhook_secret: secret }),
    };
    const answer = await this.post(`/shops/${id}/webhook-secret/rotate`, body, [200]);
    if (!answer) return;
    const rotation = { overlap, activateIn, isRepeated };
    this.unexpectedAnswers.push(...secrets.rotated(rotation, dataOf(answer), answer.from, answer.to));
  }

  /** Lets the time of the shop's rotation pass. */
  private async pass({ shop: index }: StepOf<'pass'>): Promise<void> {
    const { id, secrets } = this.shopAt(index);
    const from = now();
    await this.harness.query(
      `UPDATE shops SET webhook_secret_active_from = least(webhook_secret_active_from, now()),
        previous_webhook_secret_expires_at = least(previous_webhook_secret_expires_at, now()) WHERE id = $1`,
      [id],
    );
    secrets.passed(from, now());
  }

  private async sign({ shop: index, with: signing, overlap }: StepOf<'sign'>): Promise<void> {
    const { id, keys } = this.shopAt(index);
    const from = now();
    const answer =
      signing === 'another_key'
        ? await this.merchant.api.post(`/shops/${id}/webhook-key/rotate`, { overlap_seconds: overlap })
        : await this.merchant.api.patch(`/shops/${id}`, { webhook_signing: signing });
    if (answer.status !== (signing === 'another_key' && keys.isNone ? 409 : 200))
      this.unexpectedAnswers.push(`${signing} answers ${answer.status} ${JSON.stringify(answer.body)}`);
    if (answer.status !== 200) return;
    const { body } = await this.merchant.api.get<{ keys: { x: string }[] }>(`/shops/${id}/jwks.json`);
    this.unexpectedAnswers.push(
      ...keys.changed(
        body.keys.map(({ x }) => x),
        { signing, overlap },
        from,
        now(),
      ),
    );
  }

  private async erase({ customer }: PaymentAnswer): Promise<void> {
    const id = customer?.['id'] as number | undefined;
    if (id === undefined) return;
    const answer = await this.post(`/customers/${id}/erase`, {}, [202]);
    if (answer && !this.erased.has(id)) this.erased.set(id, answer.from);
  }
}
