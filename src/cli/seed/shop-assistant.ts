import { createHmac } from 'node:crypto';
import type { SeededRandom } from '../../shared/seeded-random.js';
import { CHECKOUT, type Account, SHOPS } from './cast.js';
import type { Order, Orders, OrderWishes } from './orders.js';
import type { PastService } from './past-service.js';

/** A payment that was made, as far as the story goes on with it. */
export interface MadePayment {
  id: number;
  status: string;
  shop: string;
  flow: string;
  amount: number;
  currency: string;
  transactionId: string;
}

interface PaymentAnswer {
  id: number;
  status: string;
  provider_transaction_id: string;
  shop: { id: number; name: string };
}

const AT_A_TIME = 6;

/** Takes payments for orders, and tells the service what the provider decides later. */
export class ShopAssistant {
  readonly payments: MadePayment[] = [];

  constructor(
    private readonly service: PastService,
    private readonly orders: Orders,
    private readonly random: SeededRandom,
    private readonly notificationSecret: string,
  ) {}

  /** Takes so many payments, some at a time; `payments` has them in the order in which they were drawn. */
  async sellMany(count: number, wishes: OrderWishes): Promise<void> {
    for (let left = count; left > 0; left -= AT_A_TIME) {
      const orders = Array.from({ length: Math.min(left, AT_A_TIME) }, () => this.orders.next(wishes));
      this.payments.push(...(await Promise.all(orders.map((order) => this.take(order)))));
    }
  }

  async sell(wishes: OrderWishes): Promise<MadePayment> {
    const made = await this.take(this.orders.next(wishes));
    this.payments.push(made);
    return made;
  }

  private async take(order: Order): Promise<MadePayment> {
    const answer = await this.service.call<PaymentAnswer>(CHECKOUT, 'POST', '/payments', order.body);
    if (answer.status === 'processing') await this.declineLater(answer, order);
    const { flow_name: flow, amount, currency } = order.body as { flow_name: string; amount: number; currency: string };
    const { id, status, provider_transaction_id: transactionId } = answer;
    return { id, status, shop: answer.shop.name, flow, amount, currency, transactionId };
  }

  /** One of the completed payments. */
  anyCompleted(): MadePayment | undefined {
    const completed = this.payments.filter(({ status }) => status === 'completed');
    return completed.length === 0 ? undefined : this.random.pick(completed);
  }

  private async declineLater({ id, shop, provider_transaction_id }: PaymentAnswer, order: Order): Promise<void> {
    const code = order.laterDeclines[accountOf(shop.name)];
    if (code === undefined) return;
    const notification = {
      id: `decline-${id}`,
      provider_transaction_id,
      status: 'failed',
      data: { decline_code: code },
    };
    await this.service.notify(shop.id, JSON.stringify(notification), (body) =>
      createHmac('sha256', this.notificationSecret).update(body).digest('hex'),
    );
  }
}

const accountOf = (shop: string): Account => SHOPS.find(({ name }) => name === shop)!.account;
