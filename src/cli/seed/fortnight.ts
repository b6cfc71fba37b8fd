import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/clock.js';
import type { SeededRandom } from '../../shared/seeded-random.js';
import type { Calendar } from './calendar.js';
import { FINANCE, FRAGILE_SHOP, MANAGER, MANUAL_FLOWS, SUPPORT } from './cast.js';
import type { Merchant } from './merchant.js';
import type { PastService } from './past-service.js';
import type { Receivers } from './receivers.js';
import type { MadePayment, ShopAssistant } from './shop-assistant.js';

/** An incident, at its time or at the first moment after it. */
interface Happening {
  at: Date;
  run(): Promise<unknown>;
}

/** The life of a merchant apart from its orders: refunds, captures, disputes, outages, rollouts. */
export class Fortnight {
  private readonly captured = new Set<number>();
  private readonly happenings: Happening[];
  private readonly rollouts = new Map<string, { flow: number; rollout: number }>();

  constructor(
    private readonly service: PastService,
    private readonly merchant: Merchant,
    private readonly assistant: ShopAssistant,
    private readonly receivers: Receivers,
    private readonly random: SeededRandom,
    private readonly calendar: Calendar,
  ) {
    this.happenings = this.story().sort((one, other) => one.at.getTime() - other.at.getTime());
  }

  /** Runs what has become due by `time`. */
  async until(time: Date): Promise<void> {
    while (this.happenings[0] && this.happenings[0].at <= time) await this.happenings.shift()!.run();
  }

  private story(): Happening[] {
    const { calendar, merchant } = this;
    const daily = Array.from({ length: 15 }, (_, day) => new Date(calendar.start.getTime() + day * DAY_MS));
    return [
      ...daily.map((day) => ({ at: new Date(day.getTime() + 10 * HOUR_MS), run: () => this.refundSome() })),
      ...daily.map((day) => ({ at: new Date(day.getTime() + 15 * HOUR_MS), run: () => this.captureSome() })),
      ...this.disputes(),
      ...this.outages(),
      ...this.changes(),
      { at: calendar.ago(4), run: () => merchant.createEndpoint('warehouse') },
      ...this.incidents(),
    ];
  }

  private async refundSome(): Promise<void> {
    for (let count = 0; count < 4; count++) {
      const payment = this.assistant.anyCompleted();
      if (!payment) return;
      const isWhole = this.random.chance(0.3);
      const amount = isWhole ? undefined : partOf(payment, 0.33);
      const reason = this.random.pick(['One item returned', 'Damaged in transit', 'Ordered twice', 'Wrong size']);
      const by = this.random.pick([SUPPORT, SUPPORT, FINANCE]);
      if (isWhole) payment.status = 'refunded';
      await this.service.call(by, 'POST', `/payments/${payment.id}/refunds`, { amount, reason }).catch(ignoreRefusal);
    }
  }

  /** Half of the authorisations that wait; some lapse. */
  private async captureSome(): Promise<void> {
    const waiting = this.assistant.payments.filter(
      ({ id, flow, status }) => status === 'processing' && MANUAL_FLOWS.includes(flow) && !this.captured.has(id),
    );
    for (const payment of waiting) {
      if (!this.random.chance(0.4)) continue;
      this.captured.add(payment.id);
      const amount = this.random.chance(0.3) ? partOf(payment, 0.7) : undefined;
      await this.service.call(SUPPORT, 'POST', `/payments/${payment.id}/capture`, { amount }).catch(ignoreRefusal);
    }
  }

  private disputes(): Happening[] {
    const { calendar } = this;
    const reasons = [
      'fraudulent',
      'product_not_received',
      'duplicate',
      'product_unacceptable',
      'fraudulent',
      'general',
    ];
    // the days before now on which each was opened, and after now on which its evidence is due
    const opened: [ago: number, dueIn: number, end?: string][] = [
      [13, -4, 'won'],
      [12, -3, 'lost'],
      [11, -2, 'under_review'],
      [10, -1.2],
      [9, -3, 'won'],
      [8, 0.8],
      [7, 1.9],
      [6, 3],
      [5, 4.5, 'accepted'],
      [4, 6],
      [3, 9],
      [2, 11],
      [1, 14],
    ];
    return opened.map(([ago, dueIn, end], index) => ({
      at: calendar.ago(ago),
      run: () => this.dispute({ reason: reasons[index % reasons.length]!, due: calendar.ago(-dueIn), end }),
    }));
  }

  private async dispute({ reason, due, end }: { reason: string; due: Date; end?: string | undefined }): Promise<void> {
    const payment = this.assistant.anyCompleted();
    if (!payment) return;
    payment.status = 'disputed';
    const { id } = await this.service.call<{ id: string }>(
      MANAGER,
      'POST',
      `/providers/sandbox/transactions/${payment.transactionId}/disputes`,
      {
        kind: this.random.chance(0.25) ? 'inquiry' : 'chargeback',
        reason_code: reason,
        network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
        evidence_due_by: due.toISOString(),
      },
    );
    const isReported = (expected: string) => () => this.isReported(payment, expected);
    await this.service.until(isReported('open'));
    if (end === undefined) return;
    const answer = async (status: string): Promise<void> => {
      await this.service.call(MANAGER, 'PATCH', `/providers/sandbox/disputes/${id}`, { status });
      await this.service.until(isReported(status));
    };
    this.later(1, () => answer('under_review'));
    if (end !== 'under_review') this.later(3, () => answer(end));
  }

  private async isReported({ id }: MadePayment, expected: string): Promise<boolean> {
    const disputes = await this.service.call<{ status: string }[]>(MANAGER, 'GET', `/payments/${id}/disputes`);
    return disputes[0]?.status === expected;
  }

  /** Adds a happening, this many days after the one that runs. */
  private later(days: number, run: Happening['run']): void {
    const at = new Date(this.service.time.getTime() + days * DAY_MS);
    const index = this.happenings.findIndex((other) => other.at > at);
    this.happenings.splice(index === -1 ? this.happenings.length : index, 0, { at, run });
  }

  private outages(): Happening[] {
    const { outage, now } = this.calendar;
    const { down } = this.receivers;
    const since = new Date(now.getTime() - 21 * MINUTE_MS);
    return [
      ...[outage.from, since].map((at) => ({ at, run: () => this.shopFails() })),
      { at: outage.to, run: () => this.shopRecovers() },
      { at: outage.from, run: () => Promise.resolve(down.add('/crm')) },
      { at: outage.to, run: () => Promise.resolve(down.delete('/crm')) },
    ];
  }

  /** A shop answers no charge from here on; enough payments try it that the service knows. */
  private async shopFails(): Promise<void> {
    await this.merchant.simulate(FRAGILE_SHOP, 'tok_unavailable');
    await this.assistant.sellMany(14, { country: 'US', flow: 'Outlet' });
  }

  /** The shop answers again, and payments try it until it has taken one: it gets only a tenth of its payments before. */
  private async shopRecovers(): Promise<void> {
    await this.merchant.simulate(FRAGILE_SHOP);
    for (let count = 0; count < 60; count++) {
      const { shop, status } = await this.assistant.sell({ country: 'US', flow: 'Outlet' });
      if (shop === FRAGILE_SHOP && status === 'completed') return;
    }
  }

  private changes(): Happening[] {
    const { calendar, merchant } = this;
    return [
      {
        at: calendar.ago(9),
        run: () =>
          this.rollOut('Web checkout UK', {
            shops: ['New York', 'London'],
            percent: 50,
            maxDropPoints: 5,
            reason: 'New York costs less for British cards',
          }),
      },
      { at: calendar.ago(6), run: () => this.abort('Web checkout UK') },
      {
        at: calendar.ago(5),
        run: () =>
          this.rollOut('Web checkout EU', {
            shops: ['Paris', 'Berlin'],
            percent: 20,
            maxDropPoints: 3,
            reason: 'Paris costs less than Berlin',
          }),
      },
      {
        at: calendar.ago(2),
        run: () => merchant.draft('Marketplace', ['Paris', 'Berlin']),
      },
      { at: calendar.ago(1), run: () => merchant.draft('Gift cards', ['Dublin', 'Paris']) },
    ];
  }

  private async rollOut(flow: string, change: RolloutChange): Promise<void> {
    const { percent, maxDropPoints, reason } = change;
    const version = await this.merchant.draft(flow, change.shops);
    const id = this.merchant.flows[flow]!;
    const rollout = await this.service.call<{ id: number }>(MANAGER, 'POST', `/flows/${id}/rollouts`, {
      ...{ version, percent, key: 'payment', reason },
      guardrail: { max_drop_points: maxDropPoints, min_payments: 20 },
    });
    this.rollouts.set(flow, { flow: id, rollout: rollout.id });
  }

  /** Aborts a rollout, unless its guardrail has. */
  private async abort(flow: string): Promise<void> {
    const { flow: id, rollout } = this.rollouts.get(flow)!;
    await this.service
      .call(MANAGER, 'POST', `/flows/${id}/rollouts/${rollout}/abort`, { reason: 'Far more declines than before' })
      .catch(ignoreRefusal);
  }

  /** Payments that a person must look at, and some that one tells a story about. */
  private incidents(): Happening[] {
    const { calendar, assistant } = this;
    const items = (...prices: [string, number][]) => ({ items: prices.map(([name, price]) => ({ name, price })) });
    return [
      {
        at: calendar.ago(4),
        run: () => assistant.sell({ ...GERMAN, flow: 'Subscriptions', token: 'tok_pending', amount: 79 }),
      },
      {
        at: calendar.ago(3),
        run: () =>
          assistant.sell({
            country: 'FR',
            scheme: 'visa',
            flow: 'Gift cards',
            token: 'tok_amount_differs',
            amount: 60,
          }),
      },
      {
        at: calendar.ago(3.5),
        run: () =>
          assistant.sell({ country: 'GB', scheme: 'visa', flow: 'Phone orders', token: 'tok_timeout', amount: 45 }),
      },
      {
        at: calendar.ago(6.2),
        run: () =>
          assistant
            .sell({ ...GERMAN, flow: MANUAL_FLOWS[0]!, token: 'tok_authorize_only', amount: 510, orderId: 'A-77003' })
            .then((made) => this.captured.add(made.id)),
      },
      {
        at: calendar.ago(4.1),
        run: () =>
          assistant
            .sell({ ...GERMAN, flow: MANUAL_FLOWS[0]!, token: 'tok_authorize_only', amount: 1_240, orderId: 'A-77004' })
            .then((made) => this.captured.add(made.id)),
      },
      {
        at: calendar.ago(1.2),
        run: () =>
          assistant.sell({
            ...GERMAN,
            flow: 'Web checkout EU',
            token: 'tok_success',
            amount: 89.7,
            orderId: 'A-77001',
            metadata: items(['Mug', 19.9], ['Lamp', 49.9], ['Book', 19.9]),
          }),
      },
    ];
  }
}

interface RolloutChange {
  shops: string[];
  percent: number;
  maxDropPoints: number;
  reason: string;
}

const GERMAN = { country: 'DE', scheme: 'visa' };

/** A share of the payment's amount, in whole units where the currency has no others. */
const partOf = ({ amount, currency }: MadePayment, share: number): number =>
  currency === 'JPY' ? Math.max(1, Math.floor(amount * share)) : Math.round(amount * share * 100) / 100;

/** The state of a payment may have changed since: by a dispute, a refund or a lapse. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error && / answered 409:/.test(error.message))) throw error;
}
