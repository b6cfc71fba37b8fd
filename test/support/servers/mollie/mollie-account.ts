import { type FakeAnswer, ScriptedNotifications, signedNotification } from '@payment-orchestrator/provider-kit/testing';
import {
  amountOf,
  type Amount,
  type Chargeback,
  checkoutOf,
  dashboardOf,
  idOf,
  isAmount,
  linksOf,
  listOf,
  minorOf,
  NOT_FOUND,
  type Operation,
  refusal,
  shownOperation,
  type Status,
  type StoredPayment,
  unprocessable,
} from './mollie-objects.js';

const DAY_MS = 86_400_000;
/** The time between two states of a refund, a pending capture or a release. */
const STEP_MS = 20;

/** Outcomes by card token, in place of the cards of Mollie's test mode. */
const CARDS: Readonly<Record<string, { status: Status; failureReason?: string; fails?: 'capture' | 'refund' }>> = {
  tkn_paid: { status: 'paid' },
  tkn_capture_fails: { status: 'paid', fails: 'capture' },
  tkn_refund_fails: { status: 'paid', fails: 'refund' },
  tkn_fraud: { status: 'failed', failureReason: 'possible_fraud' },
  tkn_refused: { status: 'failed', failureReason: 'refused_by_issuer' },
  tkn_slow: { status: 'pending' },
  tkn_3ds: { status: 'open' },
};
const CARD_DETAILS = { cardLabel: 'Visa', cardNumber: '1111', cardFunding: 'debit', cardCountryCode: 'NL' };
/** Methods without authorisations. */
const PAYS_AT_ONCE: ReadonlySet<string> = new Set(['ideal', 'bancontact', 'banktransfer', 'directdebit', 'eps']);
/** Methods whose payments can be cancelled before they are paid; the others expire. */
const CANCELABLE: ReadonlySet<string> = new Set(['banktransfer', 'directdebit']);

/** The calls of a payment's webhook: a form with the id of the payment, not signed. */
class Webhook extends ScriptedNotifications<string, { url: string }> {
  constructor(url: string | null) {
    super();
    this.endpoint = url === null ? undefined : { url };
  }
  changed(id: string): void {
    this.add(id);
  }
  protected override sign([id = '']: string[]) {
    return signedNotification(Buffer.from(`id=${id}`), { 'content-type': 'application/x-www-form-urlencoded' });
  }
}

export interface MollieRecord {
  payment: StoredPayment;
  webhook: Webhook;
  /** The kind of operation that fails later. */
  fails: 'capture' | 'refund' | undefined;
  captures: Operation[];
  refunds: Operation[];
  chargebacks: Chargeback[];
}

type Given = Partial<Omit<StoredPayment, 'id' | 'status'>> & { cardToken?: string };

/** A profile of Mollie, with books. */
export class MollieAccount {
  /** Newest first, as Mollie lists them. */
  readonly records: MollieRecord[] = [];
  readonly customers = new Map<string, Map<string, { id: string; method: string }>>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    readonly profileId: string,
    private readonly pageOf: (id: string) => string,
  ) {}

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    for (const { webhook } of this.records) webhook.stop();
  }

  transactions(): StoredPayment[] {
    return this.records.map(({ payment }) => payment);
  }

  record(id: string | undefined): MollieRecord {
    const found = this.records.find(({ payment }) => payment.id === id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  }

  /** The payer or the bank ends an unfinished payment. A paid one with `captureMode: manual` is only authorised. */
  settle(id: string | undefined, status: Status, details: object = {}): void {
    const record = this.record(id);
    if (!['open', 'pending'].includes(record.payment.status)) throw new Error(`no unfinished payment ${id}`);
    this.enter(record, status, details);
  }

  /** The authorisation ends without a capture. */
  lapse(id: string | undefined): void {
    const record = this.record(id);
    if (record.payment.status !== 'authorized') throw new Error(`no authorisation ${id}`);
    this.enter(record, 'expired');
  }

  /** A chargeback of the whole payment. Returns its id. */
  chargeBack(id: string | undefined): string {
    const { payment, chargebacks, webhook } = this.record(id);
    const createdAt = new Date().toISOString();
    const chargeback = { id: idOf('chb'), amount: payment.amount, createdAt, reversedAt: null };
    chargebacks.push(chargeback);
    webhook.changed(payment.id);
    return chargeback.id;
  }

  createCustomer({ name = null, email = null }: { name?: string | null; email?: string | null }): FakeAnswer {
    const id = idOf('cst');
    this.customers.set(id, new Map());
    const given = { name, email, locale: null, metadata: null };
    const body = { resource: 'customer', id, mode: 'test', ...given, createdAt: new Date().toISOString() };
    return { status: 201, body: { ...body, _links: linksOf(`/customers/${id}`, { dashboard: dashboardOf(id) }) } };
  }

  revoke(customerId: string, mandateId: string): FakeAnswer {
    return this.customers.get(customerId)?.delete(mandateId) ? { status: 204, body: {} } : NOT_FOUND;
  }

  create(given: Given): FakeAnswer {
    const { amount, description, redirectUrl = null, webhookUrl = null, method, captureMode, cardToken } = given;
    const { sequenceType = 'oneoff', customerId, mandateId } = given;
    const mandate = mandateId === undefined ? undefined : this.customers.get(customerId ?? '')?.get(mandateId);
    if (!isAmount(amount)) return unprocessable('amount');
    if (!description) return unprocessable('description');
    if (customerId !== undefined && !this.customers.has(customerId)) return unprocessable('customerId');
    if (sequenceType === 'recurring' ? !mandate : mandateId !== undefined) return unprocessable('mandateId');
    if (redirectUrl === null && sequenceType !== 'recurring') return unprocessable('redirectUrl');
    if (method === 'directdebit' && sequenceType !== 'recurring') return unprocessable('method');
    if (captureMode === 'manual' && PAYS_AT_ONCE.has(method ?? '')) return unprocessable('captureMode');
    const card = cardToken !== undefined && Object.hasOwn(CARDS, cardToken) ? CARDS[cardToken] : undefined;
    if (cardToken !== undefined && !card) return unprocessable('cardToken');
    const payment: StoredPayment = {
      id: idOf('tr'),
      createdAt: new Date().toISOString(),
      amount: amount!,
      description,
      redirectUrl,
      webhookUrl,
      method: mandate?.method ?? method ?? null,
      sequenceType,
      ...(customerId !== undefined && { customerId }),
      ...(mandateId !== undefined && { mandateId }),
      captureMode: captureMode ?? 'automatic',
      metadata: given.metadata ?? null,
      details: null,
      status: 'open',
    };
    const webhook = new Webhook(webhookUrl);
    const record = { payment, webhook, fails: card?.fails, captures: [], refunds: [], chargebacks: [] };
    this.records.unshift(record);
    const { failureReason } = card ?? {};
    const status = card?.status ?? (mandate ? statusOfMandate(mandate) : 'open');
    this.enter(record, status, { ...(card && CARD_DETAILS), ...(failureReason && { failureReason }) });
    return { status: 201, body: this.shown(record) };
  }

  list(from: string | null, limit: number): FakeAnswer {
    const start = from === null ? 0 : this.records.findIndex(({ payment }) => payment.id === from);
    if (start < 0 || limit > 250) return refusal(400, 'Bad Request', from === null ? 'limit' : 'from');
    const page = this.records.slice(start, start + limit).map((record) => this.shown(record));
    const after = this.records[start + limit]?.payment.id;
    return listOf('payments', page, after ? `https://api.mollie.com/v2/payments?from=${after}&limit=${limit}` : null);
  }

  cancel(record: MollieRecord): FakeAnswer {
    if (!this.isCancelable(record)) return unprocessable();
    this.enter(record, 'canceled');
    return { status: 200, body: this.shown(record) };
  }

  /** Accepted, and carried out later; the rest of a captured payment is released, too. */
  release(record: MollieRecord): FakeAnswer {
    if (record.payment.status !== 'authorized') return unprocessable();
    this.later(() => record.payment.status === 'authorized' && this.enter(record, 'canceled'));
    return { status: 202, body: {} };
  }

  /** Mollie keeps one capture of a card, and releases the rest. It may be pending: https://docs.mollie.com/reference/get-capture */
  capture(record: MollieRecord, { amount, metadata = null }: { amount?: Amount; metadata?: unknown }): FakeAnswer {
    const { payment, captures, fails } = record;
    const wanted = amount ?? payment.amount;
    if (payment.status !== 'authorized') return unprocessable();
    if (!isAmount(wanted) || minorOf(wanted) > minorOf(payment.amount)) return unprocessable('amount');
    const status = fails === 'capture' ? 'pending' : 'succeeded';
    const capture: Operation = { resource: 'capture', id: idOf('cpt'), amount: wanted, metadata, status };
    captures.push(capture);
    if (fails === 'capture') this.later(() => this.progress(record, capture, 'failed'));
    else this.enter(record, 'paid', payment.details ?? {});
    return { status: 201, body: shownOperation(capture, payment.id) };
  }

  refund(record: MollieRecord, { amount, metadata = null }: { amount?: Amount; metadata?: unknown }): FakeAnswer {
    const { payment, refunds, fails } = record;
    if (!isAmount(amount) || payment.status !== 'paid') return unprocessable('amount');
    if (minorOf(amount!) > this.captured(record) - refundedOf(record)) return unprocessable('amount');
    const refund: Operation = { resource: 'refund', id: idOf('re'), amount: amount!, metadata, status: 'pending' };
    refunds.push(refund);
    this.later(() => {
      this.progress(record, refund, 'processing');
      this.later(() => this.progress(record, refund, fails === 'refund' ? 'failed' : 'refunded'));
    });
    return { status: 201, body: shownOperation(refund, payment.id) };
  }

  /** A payment as Mollie shows it: sums after the first money, the checkout page while it is open. */
  shown(record: MollieRecord, embed = ''): object {
    const { payment, refunds, chargebacks } = record;
    const { id, status, captureMode, amount } = payment;
    const captured = this.captured(record);
    const back = refundedOf(record);
    const all: Readonly<Record<string, object[]>> = {
      refunds: refunds.map((refund) => shownOperation(refund, id)),
      chargebacks: chargebacks.map((one) => ({ ...one, resource: 'chargeback', paymentId: id })),
    };
    const embedded = Object.fromEntries(embed.split(',').flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
    const inCurrency = (minor: number) => amountOf(minor, amount.currency);
    return structuredClone({
      resource: 'payment',
      mode: 'test',
      profileId: this.profileId,
      ...payment,
      ...(['open', 'pending', 'authorized'].includes(status) && { isCancelable: this.isCancelable(record) }),
      ...(captureMode === 'manual' && { amountCaptured: inCurrency(captured) }),
      ...(status === 'paid' && { amountRefunded: inCurrency(back), amountRemaining: inCurrency(captured - back) }),
      ...(chargebacks.length > 0 && { amountChargedBack: amount }),
      ...(Object.keys(embedded).length > 0 && { _embedded: embedded }),
      _links: linksOf(`/payments/${id}`, {
        dashboard: dashboardOf(id),
        ...(status === 'open' && { checkout: checkoutOf(this.pageOf(id)) }),
      }),
    });
  }

  private isCancelable({ payment }: MollieRecord): boolean {
    const { status, method } = payment;
    return ['open', 'pending'].includes(status) && CANCELABLE.has(method ?? '');
  }

  private captured({ payment, captures }: MollieRecord): number {
    if (payment.captureMode === 'automatic') return minorOf(payment.amount);
    return captures.filter(({ status }) => status === 'succeeded').reduce((sum, one) => sum + minorOf(one.amount), 0);
  }

  private enter(record: MollieRecord, status: Status, details: object = {}): void {
    const { payment } = record;
    const isHeld = status === 'paid' && payment.captureMode === 'manual' && payment.status !== 'authorized';
    payment.status = isHeld ? 'authorized' : status;
    payment.details = { ...details };
    if (isHeld) payment.captureBefore = new Date(Date.now() + 7 * DAY_MS).toISOString();
    if (payment.sequenceType === 'first' && status === 'paid') this.makeMandate(payment);
    if (!['open', 'pending'].includes(payment.status)) record.webhook.changed(payment.id);
  }

  /** iDEAL and Bancontact make mandates for direct debits. */
  private makeMandate(payment: StoredPayment): void {
    const mandate = { id: idOf('mdt'), method: payment.method === 'creditcard' ? 'creditcard' : 'directdebit' };
    payment.mandateId = mandate.id;
    this.customers.get(payment.customerId ?? '')?.set(mandate.id, mandate);
  }

  private progress({ payment, webhook }: MollieRecord, operation: Operation, status: string): void {
    operation.status = status;
    webhook.changed(payment.id);
  }

  private later(action: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, STEP_MS);
    this.timers.add(timer);
  }
}

/** A direct debit takes days. */
const statusOfMandate = ({ method }: { method: string }): Status => (method === 'directdebit' ? 'pending' : 'paid');

/** Refunds that may still fail count, too. */
const refundedOf = ({ refunds }: MollieRecord): number =>
  refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + minorOf(amount), 0);
