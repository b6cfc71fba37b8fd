import type { FakeAnswer } from '@payment-orchestrator/provider-kit/testing';
import { CheckoutEvents } from './checkout-events.js';
import {
  bare,
  idOf,
  linksOf,
  type StoredAction,
  type StoredPayment,
  tokenOf,
  unprocessable,
} from './checkout-objects.js';
import { type Given, outcomeOf } from './checkout-tokens.js';

const DAY_MS = 86_400_000;
/** The time until an accepted action is processed. */
const STEP_MS = 20;
const APPROVED = '10000';

interface CheckoutRecord {
  payment: StoredPayment;
  actions: StoredAction[];
  fails: StoredAction['type'] | undefined;
}

/** A client of Checkout.com, with books. */
export class CheckoutAccount {
  readonly records: CheckoutRecord[] = [];
  readonly events = new CheckoutEvents();
  readonly disputes = new Map<string, Record<string, unknown>>();
  /** Accepted actions are not carried out until `release`. */
  held = false;
  private readonly waiting: (() => void)[] = [];
  private readonly instruments = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(private readonly pageOf: (id: string) => string) {}

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.events.stop();
  }

  release(): void {
    this.held = false;
    for (const action of this.waiting.splice(0)) action();
  }

  transactions(): StoredPayment[] {
    return this.records.map(({ payment }) => payment);
  }

  record(id: string | undefined): CheckoutRecord {
    const found = this.records.find(({ payment }) => payment.id === id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  }

  /** The issuer or the payer ends a pending payment. */
  settle(id: string | undefined, code = APPROVED): void {
    const record = this.record(id);
    if (record.payment.status !== 'Pending') throw new Error(`no pending payment ${id}`);
    this.authorize(record, code);
  }

  /** A pending payment or an authorisation ends at its time. */
  lapse(id: string | undefined): void {
    const { payment } = this.record(id);
    payment.status = 'Expired';
    this.report('payment_expired', payment);
  }

  /** A chargeback of the whole payment. Returns its id. */
  dispute(id: string | undefined, status = 'evidence_required'): string {
    const { payment } = this.record(id);
    const { amount, currency } = payment;
    const dispute = { id: idOf('dsp'), category: 'fraudulent', reason_code: '10.4', status, amount, currency };
    const now = new Date().toISOString();
    const dates = {
      received_on: now,
      last_update: now,
      evidence_required_by: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    };
    this.disputes.set(dispute.id, { ...dispute, ...dates, payment: { id: payment.id } });
    this.events.report(`dispute_${status}`, {
      id: dispute.id,
      category: dispute.category,
      payment_id: payment.id,
      date: now,
    });
    return dispute.id;
  }

  create(given: Given): FakeAnswer {
    const { source, amount = 0, currency = '', reference, capture = true } = given;
    const outcome = outcomeOf(given, this.instruments);
    if ('refused' in outcome) return unprocessable(outcome.refused);
    const is3ds = source?.token === tokenOf('threeds');
    const code = is3ds && given['3ds']?.enabled !== true ? '20154' : (outcome.code ?? APPROVED);
    const id = idOf('pay');
    const payment: StoredPayment = {
      ...(given as Partial<StoredPayment>),
      id,
      requested_on: new Date().toISOString(),
      amount,
      currency,
      reference,
      capture,
      status: 'Pending',
      response_code: APPROVED,
      balances: { total_authorized: 0, total_voided: 0, total_captured: 0, total_refunded: 0 },
      source: this.instrumentOf(source!),
      metadata: given.metadata ?? {},
    };
    const record: CheckoutRecord = { payment, actions: [], fails: outcome.fails };
    this.records.unshift(record);
    if (!outcome.isPending || code === '20154') this.authorize(record, code);
    else if (is3ds) return { status: 202, body: this.accepted(payment, this.pageOf(id)) };
    else return { status: 202, body: this.accepted(payment) };
    return {
      status: 201,
      body: { ...this.shown(record), action_id: record.actions[0]!.id, processed_on: payment.requested_on },
    };
  }

  shown({ payment }: CheckoutRecord): object {
    const {
      total_authorized: authorized,
      total_voided: voided,
      total_captured: captured,
      total_refunded: refunded,
    } = payment.balances;
    const { capture: _, success_url: __, failure_url: ___, ...fields } = payment;
    return structuredClone({
      ...fields,
      approved: payment.response_code === APPROVED,
      scheme_id: '489341065491658',
      balances: {
        ...payment.balances,
        available_to_void: captured > 0 ? 0 : authorized - voided,
        available_to_capture: captured > 0 ? 0 : authorized - voided,
        available_to_refund: captured - refunded,
      },
      _links: linksOf(payment.id, payment.status === 'Pending' ? this.pageOf(payment.id) : undefined),
    });
  }

  under(reference: string): object[] {
    return this.records.filter(({ payment }) => payment.reference === reference).map((record) => this.shown(record));
  }

  /** Latest first. */
  actionsOf({ actions }: CheckoutRecord): object[] {
    return structuredClone(actions).reverse();
  }

  capture(record: CheckoutRecord, given: { amount?: number; reference?: string; metadata?: object }): FakeAnswer {
    const { payment } = record;
    const { amount = payment.amount } = given;
    if (payment.status !== 'Authorized' || this.isUnderWay(record)) return bare(403);
    if (amount > payment.amount) return unprocessable('capture_value_greater_than_authorized');
    return this.accept(record, 'Capture', amount, given);
  }

  void(record: CheckoutRecord, given: { reference?: string; metadata?: object }): FakeAnswer {
    if (record.payment.status !== 'Authorized' || this.isUnderWay(record)) return bare(403);
    return this.accept(record, 'Void', record.payment.amount, given);
  }

  refund(record: CheckoutRecord, given: { amount?: number; reference?: string; metadata?: object }): FakeAnswer {
    const { balances } = record.payment;
    const waiting = record.actions.filter(({ type, approved }) => type === 'Refund' && approved === undefined);
    const left = balances.total_captured - balances.total_refunded - waiting.reduce((sum, one) => sum + one.amount, 0);
    const { amount = left } = given;
    if (left === 0) return bare(403);
    if (amount > left) return unprocessable('refund_amount_exceeds_balance');
    return this.accept(record, 'Refund', amount, given);
  }

  removeInstrument(id: string): FakeAnswer {
    return this.instruments.delete(id) ? { status: 204, body: {} } : bare(404);
  }

  private isUnderWay({ actions }: CheckoutRecord): boolean {
    return actions.some(({ type, approved }) => type !== 'Refund' && approved === undefined);
  }

  private instrumentOf({ id = idOf('src'), store_for_future_use: isStored = true }: NonNullable<Given['source']>) {
    if (isStored) this.instruments.add(id);
    const card = { scheme: 'Visa', last4: '4242', bin: '424242', card_type: 'CREDIT', issuer_country: 'GB' };
    return { id, type: 'card', ...card, expiry_month: 12, expiry_year: 2030, fingerprint: 'F31828E2BDABAE63' };
  }

  private accepted({ id, reference }: StoredPayment, redirect?: string): object {
    return { id, status: 'Pending', reference, '3ds': { enrolled: 'Y' }, _links: linksOf(id, redirect) };
  }

  private authorize(record: CheckoutRecord, code: string): void {
    const { payment } = record;
    const isApproved = code === APPROVED;
    payment.response_code = code;
    payment.status = isApproved ? 'Authorized' : 'Declined';
    if (isApproved) {
      payment.balances.total_authorized = payment.amount;
      payment.expires_on = new Date(Date.now() + 7 * DAY_MS).toISOString();
    }
    const action = this.begin(record, 'Authorization', payment.amount, payment);
    this.finish(record, action, code, isApproved ? 'payment_approved' : 'payment_declined');
    if (isApproved && payment.capture) this.accept(record, 'Capture', payment.amount, payment);
  }

  private accept(
    record: CheckoutRecord,
    type: 'Capture' | 'Void' | 'Refund',
    amount: number,
    given: { reference?: string | undefined; metadata?: object },
  ): FakeAnswer {
    const action = this.begin(record, type, amount, given);
    this.later(() => {
      const fails = record.fails === type;
      if (!fails) this.enter(record, action);
      const name = { Capture: 'capture', Void: 'void', Refund: 'refund' }[type];
      const done = { Capture: 'payment_captured', Void: 'payment_voided', Refund: 'payment_refunded' }[type];
      this.finish(record, action, fails ? '20005' : APPROVED, fails ? `payment_${name}_declined` : done);
    });
    const { id } = record.payment;
    return {
      status: 202,
      body: { action_id: action.id, reference: given.reference, _links: { payment: linksOf(id).self } },
    };
  }

  private begin(
    { actions }: CheckoutRecord,
    type: StoredAction['type'],
    amount: number,
    { reference, metadata }: { reference?: string | undefined; metadata?: object },
  ): StoredAction {
    const action: StoredAction = {
      id: idOf('act'),
      type,
      amount,
      response_code: APPROVED,
      processed_on: new Date().toISOString(),
      reference,
      metadata,
    };
    actions.push(action);
    return action;
  }

  private finish({ payment }: CheckoutRecord, action: StoredAction, code: string, event: string): void {
    action.approved = code === APPROVED;
    action.response_code = code;
    action.processed_on = new Date().toISOString();
    this.report(event, payment, action);
  }

  /** The books after an action. A final capture of a part releases the rest. */
  private enter({ payment }: CheckoutRecord, { type, amount }: StoredAction): void {
    const { balances } = payment;
    if (type === 'Capture') {
      balances.total_captured = amount;
      balances.total_voided = payment.amount - amount;
      payment.status = amount < payment.amount ? 'Partially Captured' : 'Captured';
    } else if (type === 'Void') {
      balances.total_voided = amount;
      payment.status = 'Voided';
    } else {
      balances.total_refunded += amount;
      payment.status = balances.total_refunded < balances.total_captured ? 'Partially Refunded' : 'Refunded';
    }
  }

  private report(type: string, payment: StoredPayment, action?: StoredAction): void {
    const { id, currency, reference, metadata } = payment;
    const { amount = payment.amount, response_code, processed_on } = action ?? {};
    this.events.report(type, {
      id,
      ...(action && { action_id: action.id }),
      reference: action?.reference ?? reference,
      amount,
      currency,
      ...(response_code !== undefined && { response_code, response_summary: 'as documented' }),
      processed_on: processed_on ?? new Date().toISOString(),
      metadata,
    });
  }

  private later(action: () => void): void {
    if (this.held) {
      this.waiting.push(action);
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, STEP_MS);
    this.timers.add(timer);
  }
}
