import assert from 'node:assert/strict';
import type { ApiResponse } from '../../app/api-client.js';
import { type DisputeReport, ModelDisputes } from './disputes.js';
import { expectedOf, type MoneyHarness } from './money-harness.js';
import { type ModelOperation, PaymentMoney, type Report } from './payment-money.js';
import { type Booked, type Cents, CURRENCY, type Fate, finishCapture, leftAt, textOf } from './provider-books.js';
import { applySettled, truthOf } from './settled-money.js';
import { eventOf } from './reported-events.js';
import { isCapturable, recoverCapture, recoverMoney, recoverVoid } from './recovery-money.js';

/** The amount of every payment. */
export const AMOUNT: Cents = 49_90;

/** One payment in the model and in the service, and the notifications about it that are on their way. */
export class ScriptedPayment {
  readonly disputes = new ModelDisputes();
  readonly held: Report[] = [];
  private minute = 0;
  private reports = 0;

  private constructor(
    private readonly harness: MoneyHarness,
    readonly id: number,
    readonly money: PaymentMoney,
  ) {}

  static async pay(harness: MoneyHarness, capture: 'automatic' | 'manual', fate: Fate): Promise<ScriptedPayment> {
    harness.books.next = fate;
    const { id } = await harness.pay(capture);
    const payment = new ScriptedPayment(harness, id, new PaymentMoney(capture, AMOUNT));
    payment.charged(fate);
    return payment;
  }

  get booked(): Booked | undefined {
    return this.harness.books.of(this.id);
  }

  /** Whether we know everything that has happened at the provider. */
  get isCalm(): boolean {
    return this.held.length === 0 && this.money.waiting.length === 0 && this.money.open.length === 0;
  }

  /** The amount that can be refunded without a confirmation: no dispute takes it back. */
  private get undisputed(): Cents {
    return Math.max(0, this.money.left - this.disputes.amount);
  }

  /** Our side must be as the model expects it. */
  async check(): Promise<void> {
    // notifications that wait are looked at again
    const rounds = this.money.waiting.length > 0 ? 2 : 1;
    this.money.settleWaiting();
    for (let round = 0; round < rounds; round += 1) await this.harness.checkWaiting();
    const { lines, amount } = this.disputes;
    assert.deepEqual(
      await this.harness.found(this.id),
      expectedOf(this.money, { lines, amount }),
      `payment ${this.id}`,
    );
  }

  async capture(amount: Cents | undefined, fate: Fate): Promise<void> {
    const status = this.captured(amount, fate);
    await this.act(status, 'capture', { ...(amount !== undefined && { amount: amount / 100 }) });
  }

  async cancel(fate: Fate): Promise<void> {
    const { money } = this;
    const isPossible = money.status === 'processing' && !money.openOf('capture');
    await this.act(isPossible ? this.voided(fate) : money.status === 'cancelled' ? 200 : 409, 'cancel');
  }

  /** Refunds disputed money only if that is confirmed. */
  async refund(amount: Cents | undefined, fate: Fate, isConfirmed: boolean): Promise<void> {
    const { money } = this;
    const wanted = amount ?? money.left;
    const body = { ...bodyOf(amount), ...(isConfirmed && { confirm: true }) };
    if (!money.isCharged || money.left <= 0 || wanted > money.left) return this.act(409, 'refunds', body);
    if (!isConfirmed && wanted > this.undisputed) return this.act('payment_disputed', 'refunds', body);
    const { booked } = this;
    const isPossible = booked!.status === 'captured' && wanted <= leftAt(booked!) && fate !== 'refused';
    const refund = money.refund(wanted, 'api', null);
    this.harness.books.next = fate;
    await this.act(201, 'refunds', body);
    if (isPossible && fate !== 'dropped') refund.booked = booked!.refunds.at(-1)!;
    const isDone = fate === 'lost' || fate === 'pending';
    if (fate === 'dropped' || fate === 'lost') money.request('refund', 'unknown', { amount: wanted, refund, isDone });
    else if (!isPossible) money.fail(refund);
    else if (fate === 'answered') money.succeed(refund, 'refund_requested');
    else {
      refund.id = refund.booked!.id;
      money.request('refund', 'pending', { amount: wanted, refund, isDone });
    }
    if (fate === 'lost' && isPossible) this.held.push({ status: 'refunded', booked: refund.booked! });
    money.settleWaiting();
  }

  /** Several refunds of one amount at once. */
  async refundTogether(count: number, amount: Cents): Promise<void> {
    const { money } = this;
    const possible = money.isCharged ? Math.min(count, Math.floor(this.undisputed / amount)) : 0;
    const requests = Array.from({ length: count }, () => this.harness.act(this.id, 'refunds', bodyOf(amount)));
    const answers = await Promise.all(requests);
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, possible, `${count} refunds at once: ${answers.map(({ status }) => status).join(', ')}`);
    const ids = made.map(({ body }) => (body as { data: { id: number; provider_refund_id: string } }).data);
    ids.sort((one, other) => one.id - other.id);
    for (const { provider_refund_id: id } of ids) {
      const booked = this.booked!.refunds.find((each) => each.id === id)!;
      money.succeed(money.refund(amount, 'api', booked), 'refund_requested');
    }
  }

  /** Something happens at the provider, and is reported at once or later. */
  async reported(report: Report, isHeld: boolean): Promise<void> {
    this.held.push(report);
    if (!isHeld) await this.deliver({ isReversed: false, times: 1 });
  }

  /** The notifications that are on their way arrive. */
  async deliver({ isReversed, times }: { isReversed: boolean; times: number }): Promise<void> {
    const reports = this.held.splice(0);
    if (isReversed) reports.reverse();
    for (const report of reports) {
      const event = { id: `report_${this.id}_${(this.reports += 1)}`, ...eventOf(report) };
      for (let time = 0; time < times; time += 1) await this.harness.notify(this.booked!, event);
      this.money.report(report);
      this.money.settleWaiting();
    }
  }

  async dispute(report: Omit<DisputeReport, 'minute'>, isLate: boolean): Promise<void> {
    this.minute += 2;
    const minute = isLate ? this.minute - 3 : this.minute;
    const { id, amount, ...dispute } = report;
    await this.harness.notify(this.booked!, {
      status: 'disputed',
      occurredAt: new Date(Date.UTC(2026, 10, 21, 1, minute)),
      dispute: {
        ...dispute,
        id: `${this.booked!.reference} ${id}`,
        amount: textOf(amount),
        currency: CURRENCY,
        openedAt: new Date(Date.UTC(2026, 10, 21)),
      },
    });
    this.disputes.report({ ...report, minute });
  }

  async sync(): Promise<void> {
    recoverMoney(this.money, this.booked, this.harness.books.findsRefunds);
    await this.act(200, 'sync');
    this.link();
  }

  async lapse(): Promise<void> {
    const { money, booked } = this;
    const isWaiting = money.isAuthorized && !money.openOf('void') && !money.openOf('capture');
    if (booked && isCapturable(booked)) booked.status = 'voided';
    if (isWaiting) money.request('void', 'unknown', { cause: 'authorization_expired' });
    await this.harness.lapse(this.id);
    await this.sync();
  }

  /** A person closes an open operation as it is at the provider. */
  async settle(operation: ModelOperation): Promise<void> {
    const truth = truthOf(operation, this.booked);
    if (!truth) return;
    const { outcome, amount, providerId } = truth;
    const isLarger = amount !== undefined && amount > operation.amount;
    // without a look-up of refunds, the sum of all of them says nothing about one
    const isDoubtful = isLarger || (operation.kind === 'refund' && !this.harness.books.findsRefunds);
    const body = {
      outcome,
      ...bodyOf(amount),
      ...(providerId !== undefined && { provider_transaction_id: providerId }),
    };
    if (isLarger) await this.askToSettle('settle_exceeds_operation', operation, body);
    await this.askToSettle(200, operation, { ...body, ...(isDoubtful && { confirm: true }) });
    applySettled(this.money, this.booked, operation, truth);
    this.money.settleWaiting();
  }

  /** A person is wrong about the charge. */
  async settleWrongly(operation: ModelOperation): Promise<void> {
    const truth = truthOf(operation, this.booked);
    if (!truth) return;
    const outcome = truth.outcome === 'captured' ? 'not_captured' : 'captured';
    await this.askToSettle('settle_contradicts_provider', operation, { outcome });
  }

  /** More than was authorised or asked is never of the payment, and a refund has only its own amount. */
  async settleWithTooMuch(operation: ModelOperation): Promise<void> {
    const outcome = operation.kind === 'refund' ? 'refunded' : 'captured';
    const most = operation.kind === 'refund' ? operation.amount : Math.max(operation.amount, this.money.authorized);
    const body = { outcome, ...bodyOf(most + 1) };
    for (const fields of [{}, { confirm: true }]) await this.askToSettle(422, operation, { ...body, ...fields });
  }

  /** Everything arrives and ends: at the provider, on the way, and with us. */
  async finish(): Promise<void> {
    const { booked, money } = this;
    for (const refund of booked?.refunds ?? []) {
      if (refund.status === 'pending')
        await this.reported({ status: 'refunded', booked: Object.assign(refund, { status: 'succeeded' }) }, true);
    }
    if (booked?.capturing) finishCapture(booked, booked.capturing);
    await this.deliver({ isReversed: false, times: 1 });
    await this.sync();
    if (money.isAuthorized) await this.lapse();
    const charge = money.openOf('charge');
    if (charge) await this.settle(charge);
  }

  /** The types and states of all events, by their object. */
  get events(): string[] {
    return [
      ...this.money.webhooks.map(([status], at) => `status ${at} ${status}`),
      ...this.money.refunds.flatMap(({ events }, at) => events.map((event, step) => `refund ${at} ${step} ${event}`)),
      ...this.disputes.events.map((event, at) => `dispute ${at} ${event}`),
    ];
  }

  private charged(fate: Fate): void {
    const { money, booked } = this;
    const isManual = money.capture === 'manual';
    if (fate === 'lost' || fate === 'dropped') {
      money.request('charge', 'unknown');
      if (fate === 'lost')
        this.held.push(isManual ? { status: 'authorized' } : { status: 'completed', amount: AMOUNT });
    } else if (isManual) money.authorize('provider_answer');
    else money.charge('provider_answer', booked!.captured);
  }

  /** Returns the status of the answer to a request for a capture. */
  private captured(amount: Cents | undefined, fate: Fate): number {
    const { money, booked } = this;
    const captures = money.operations.filter(({ kind }) => kind === 'capture');
    const earlier = captures.find(({ state, isConfirmed }) => state !== 'closed' || isConfirmed);
    // without an amount all that was authorised is asked
    if (earlier && (amount ?? money.authorized) !== earlier.amount) return 409;
    if (earlier) {
      if (earlier.state !== 'closed') recoverCapture(money, booked!, earlier);
      return answerTo(earlier);
    }
    if (!money.isAuthorized || money.openOf('void')) return 409;
    return amount !== undefined && amount > AMOUNT ? 422 : this.newCapture(amount ?? AMOUNT, fate);
  }

  private newCapture(amount: Cents, fate: Fate): number {
    const { money, booked } = this;
    const isPossible = isCapturable(booked!) && fate !== 'refused';
    this.harness.books.next = fate;
    const operation = money.request('capture', fate === 'pending' && isPossible ? 'pending' : 'unknown', { amount });
    operation.isDone = isPossible && fate !== 'dropped';
    if (fate === 'dropped' || fate === 'lost') {
      if (operation.isDone) this.held.push({ status: 'completed', amount });
      return 503;
    }
    if (fate === 'refused') {
      if (booked!.status !== 'authorized') money.find(booked);
      operation.state = 'closed';
    } else recoverCapture(money, booked!, operation);
    return answerTo(operation);
  }

  /** Returns the status of the answer to a request that voids an authorisation. */
  private voided(fate: Fate): number {
    const { money, booked } = this;
    const operation = money.openOf('void') ?? money.request('void', 'unknown');
    this.harness.books.next = fate;
    const isPossible = isCapturable(booked!);
    if (fate === 'lost' && !operation.isDone && booked!.status !== 'captured') {
      operation.isDone = true;
      if (isPossible) this.held.push({ status: 'cancelled' });
    }
    if (fate === 'lost' || fate === 'dropped') return 503;
    if (fate !== 'refused' || operation.isDone) return recoverVoid(money, booked!, operation) ? 200 : 409;
    operation.state = 'closed';
    return 409;
  }

  private async askToSettle(expected: number | string, operation: ModelOperation, body: object): Promise<void> {
    const ids = await this.harness.stopOperations(this.id, operation.kind);
    const open = this.money.open.filter(({ kind }) => kind === operation.kind);
    const at = expected === 200 ? open.indexOf(operation) : 0;
    await this.act(expected, `operations/${ids[at]}/settle`, { reason: 'the dashboard', ...body });
  }

  /** Refunds that have arrived now get the ids that the provider has given them. */
  private link(): void {
    const { refunds } = this.money;
    const known = new Set(refunds.map(({ booked }) => booked));
    const arrived = (this.booked?.refunds ?? []).filter((each) => each.isOurs && !known.has(each));
    for (const refund of refunds.filter(({ status, booked }) => status === 'succeeded' && booked === null)) {
      refund.booked = arrived.shift()!;
      refund.id = refund.booked.id;
    }
  }

  /** `expected`: the status of the answer, or the code of its problem. */
  private async act(expected: number | string, action: string, body: object = {}): Promise<void> {
    const { status, body: answer }: ApiResponse = await this.harness.act(this.id, action, body);
    this.harness.books.next = 'answered';
    const answered = typeof expected === 'number' ? status : (answer as { code?: string }).code;
    assert.equal(answered, expected, `${action} ${JSON.stringify(body)} of ${this.id}: ${JSON.stringify(answer)}`);
  }
}

/** An accepted capture may still be under way. */
const answerTo = ({ state, isConfirmed }: ModelOperation): number => (isConfirmed || state === 'pending' ? 200 : 409);

const bodyOf = (amount: Cents | undefined) => (amount === undefined ? {} : { amount: amount / 100 });
